package main

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// retryAfter is how long a caller should leave a busy database alone: longer
// than a usual write or report takes.
const retryAfter = 2 * time.Second

// unreadable is what the agent is told, whatever the reason: the category and
// the code tell reasons apart.
const unreadable = "The customer records could not be read."

// failedRead turns an error of the driver into what the agent should see. The
// driver's text, the query and the path stay in the cause, which goes to the
// log.
func failedRead(err error, path string) error {
	var e *sqlite.Error
	if errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_CANTOPEN { // the low byte is the primary code
		return failedOpen(err, path)
	}
	// From knows what passes by itself: SQLite's BUSY and LOCKED, and a context
	// whose time is up. It cannot know how long that takes.
	failure := toolerr.From(err).WithMessage(unreadable)
	if failure.Retryable {
		failure = failure.WithRetryAfter(retryAfter)
	}
	return failure
}

// failedOpen is failedRead for a file that SQLite cannot open. SQLite says no
// more than that, so ask the operating system why.
func failedOpen(err error, path string) error {
	file, reason := os.Open(path)
	if reason == nil {
		_ = file.Close()
	}
	cause := errors.Join(err, reason)
	if errors.Is(reason, fs.ErrPermission) {
		return toolerr.Permission("The server is not allowed to read the customer records.").
			WithCode(toolerr.CodePermissionDenied).
			WithCause(cause)
	}
	// No argument of the tool names the file, so the agent cannot mend it.
	return toolerr.Transient(unreadable).WithCode(toolerr.CodeInternal).WithRetryable(false).WithCause(cause)
}
