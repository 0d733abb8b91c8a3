package retry

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An Error is the final failure that [Do] and [Middleware] return. It wraps the last error
// and, if the context ended, the context's error and cause. For [errors.As] it is also the
// last tool error, with the attempts made. Do not change it; its methods are safe for
// concurrent use.
type Error struct {
	// Err is the last error, unchanged.
	Err error
	// Decision has the action, the reason, the number of attempts and the time waited.
	Decision Decision

	isRun bool           // the failure is that of a run of attempts
	last  *toolerr.Error // the classified error of the last attempt; if nil, Err is classified on first use
	run   run
	ctx   []error
	tool  atomic.Pointer[toolerr.Error] // created from last and run on first use
}

// toolError returns the failure as a tool reports it, always the same value, or nil for an
// Error that was not created by this package.
func (e *Error) toolError() *toolerr.Error {
	if known := e.tool.Load(); known != nil || !e.isRun {
		return known
	}
	last := e.last
	if last == nil {
		last = toolerr.From(e.Err)
	}
	resolved, _ := e.run.resolve(last, e.Decision, toolerr.Attempt{})
	if resolved != last {
		resolved = resolved.WithCause(e.Err)
	}
	e.tool.CompareAndSwap(nil, resolved)
	return e.tool.Load()
}

// Error returns the number of attempts, the reason and the message of the tool error,
// without its cause.
func (e *Error) Error() string {
	if e == nil {
		return "gave up"
	}
	tool := e.toolError()
	if tool == nil {
		return "gave up"
	}
	return fmt.Sprintf("gave up after attempt %d because %s: %s", e.Decision.Attempt, e.Decision.Reason.Sentence(), tool.Error())
}

// Unwrap returns the last error and, if the context ended, its error and cause.
func (e *Error) Unwrap() []error {
	if e == nil {
		return nil
	}
	return append([]error{e.Err}, e.ctx...)
}

// As makes [errors.As] and [toolerr.From] find the failure as a tool reports it: the last
// tool error, with the attempts made.
func (e *Error) As(target any) bool {
	t, ok := target.(**toolerr.Error)
	if !ok || e == nil {
		return false
	}
	known := e.toolError()
	if known != nil {
		*t = known
	}
	return known != nil
}

// contextErrors returns the error and the cause of a context that has ended.
func contextErrors(ctx context.Context) []error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	cause := context.Cause(ctx)
	if err == cause { //nolint:errorlint // the same value means that there is no other cause
		return []error{err}
	}
	return []error{err, cause}
}

// attemptedInside returns the attempts of a layer below, from anywhere in the error tree,
// or nil.
func attemptedInside(err error) []toolerr.Attempt {
	if e, ok := err.(*toolerr.Error); ok && e.Unwrap() == nil { //nolint:errorlint // it has no cause
		return e.Attempted
	}
	attempted, _ := classify.Find(err, attemptedOf)
	return attempted
}

func attemptedOf(err error) ([]toolerr.Attempt, bool) {
	var tool *toolerr.Error
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case *Error:
		if e != nil {
			tool = e.toolError()
		}
	case *toolerr.Error:
		tool = e
	}
	if tool == nil || len(tool.Attempted) == 0 {
		return nil, false
	}
	return tool.Attempted, true
}
