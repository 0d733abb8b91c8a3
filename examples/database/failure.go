package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// retryAfter is how long a caller should wait for a busy database. Most writes take less time.
const retryAfter = 2 * time.Second

// reasons maps codes to messages. They tell the agent, and readers of its transcript, why the
// records could not be read.
var reasons = map[toolerr.Code]string{
	toolerr.CodeUnavailable:      "The customer records are locked by another program.",
	toolerr.CodeTimeout:          fmt.Sprintf("The customer records did not answer within %v.", queryTimeout),
	toolerr.CodePermissionDenied: "The server is not allowed to read the customer records.",
}

// unreadable is the message for all other codes.
const unreadable = "The customer records could not be read."

// failedRead turns a driver's error into an envelope. The driver's text, the query and the path
// stay in the cause, which goes to the log.
func failedRead(err error, path string) error {
	var e *sqlite.Error
	if errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_CANTOPEN { // the low byte is the primary code
		return failedOpen(err, path)
	}
	// From recognizes the temporary errors: SQLite's BUSY and LOCKED, and the end of the context.
	// It cannot know how long to wait.
	failure := toolerr.From(err)
	// sent if it is retryable
	return failure.WithMessage(cmp.Or(reasons[failure.Code], unreadable)).WithRetryAfter(retryAfter)
}

// failedOpen is failedRead for a file that SQLite cannot open. SQLite does not report why, so
// failedOpen asks the operating system.
func failedOpen(err error, path string) error {
	file, reason := os.Open(path)
	if reason == nil {
		_ = file.Close()
	}
	cause := errors.Join(err, reason)
	if errors.Is(reason, fs.ErrPermission) {
		return toolerr.Permission(reasons[toolerr.CodePermissionDenied]).
			WithCode(toolerr.CodePermissionDenied).
			WithCause(cause)
	}
	// No argument of the tool names the file, so the agent cannot help.
	return toolerr.Transient(unreadable).WithCode(toolerr.CodeInternal).WithRetryable(false).WithCause(cause)
}
