package retry

import (
	"context"
	"fmt"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An Error is a failure that will not be retried any further, as [Do] and
// [Middleware] return it. It wraps the last error and, if the context ended, what
// ended it. As the failure of a tool it is the last tool error, with what was
// attempted. It must not be changed; its methods are safe for concurrent use.
type Error struct {
	// Err is the last error, as it was returned.
	Err error
	// Decision says what to do instead, why, after how many attempts, and how long
	// was waited.
	Decision Decision

	tool *toolerr.Error
	ctx  []error
}

// Error names the attempts, the reason and the message of the tool error, and
// nothing of what caused it.
func (e *Error) Error() string {
	if e == nil || e.tool == nil {
		return "gave up"
	}
	return fmt.Sprintf("gave up after attempt %d because %s: %s", e.Decision.Attempt, e.Decision.Reason.Sentence(), e.tool.Error())
}

// Unwrap returns the last error and, if the context ended, its error and cause.
func (e *Error) Unwrap() []error {
	if e == nil {
		return nil
	}
	return append([]error{e.Err}, e.ctx...)
}

// As makes [errors.As] and [toolerr.From] find the failure as a tool reports it:
// the last tool error, with what was attempted.
func (e *Error) As(target any) bool {
	if t, ok := target.(**toolerr.Error); ok && e != nil && e.tool != nil {
		*t = e.tool
		return true
	}
	return false
}

// contextErrors returns the error and the cause of a context that has ended.
func contextErrors(ctx context.Context) []error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if err == nil {
		return nil
	}
	if err == cause { //nolint:errorlint // the very same value says that there is no other cause
		return []error{err}
	}
	return []error{err, cause}
}

// attemptedInside returns what a layer below has attempted, wherever its error is in
// the tree, or nil.
func attemptedInside(err error) []toolerr.Attempt {
	attempted, _ := classify.Find(err, attemptedOf)
	return attempted
}

func attemptedOf(err error) ([]toolerr.Attempt, bool) {
	var tool *toolerr.Error
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case *Error:
		if e != nil {
			tool = e.tool
		}
	case *toolerr.Error:
		tool = e
	}
	if tool == nil || len(tool.Attempted) == 0 {
		return nil, false
	}
	return tool.Attempted, true
}
