package retry

import (
	"context"
	"fmt"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An Error is a failure that will not be retried any further, as [Do] and
// [Middleware] return it. It wraps the last error and, where the context ended,
// what ended it. As the failure of a tool it is the last tool error, with what was
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

// Unwrap returns the last error and, where the context ended, its error and
// cause.
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

// Do calls fn until it succeeds or the policy ends it, and returns what it
// returned last. The error is then an *[Error].
//
// Any error is understood by [toolerr.From]. One that From does not know, such as
// a bare [errors.New], is never repeated, whatever p.Safety says: return a
// [toolerr.Transient] for what a repeat may mend. What may have taken effect is
// repeated only if p.Safety allows it; for SafetyKeyed it is fn that uses the
// same key each time. An error that holds an *[Error], or a tool error with what
// was attempted, is not retried again: layers do not multiply.
//
// The first attempt is made whatever the context says, and costs nothing more
// than calling fn; the elapsed time that is reported counts from its end. With
// p.AttemptTimeout every attempt gets a context of its own. Do starts no goroutine,
// does not know p.Guard, and is as safe for concurrent use as fn.
//
// Where the context has ended, or ends while Do waits, it returns at once, and the
// error is the context's too, for [errors.Is]. Where the next attempt would start after the
// deadline, it returns before the deadline, without the wait: the reason is
// [ReasonDeadline], and the error is no [context.DeadlineExceeded], unless fn has
// returned that.
func Do[T any](ctx context.Context, p Policy, fn func(context.Context) (T, error)) (T, error) {
	if p.AttemptTimeout > 0 {
		fn = limited(p.AttemptTimeout, fn)
	}
	v, err := fn(ctx)
	if err == nil {
		if p.Budget != nil {
			p.Budget.Deposit(result.Outcome{}, false)
		}
		return v, nil
	}
	return doAgain(ctx, p, fn, v, err)
}

// limited is fn with a context of its own for each call.
func limited[T any](limit time.Duration, fn func(context.Context) (T, error)) func(context.Context) (T, error) {
	return func(ctx context.Context) (T, error) {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		return fn(ctx)
	}
}

// doAgain is Do after a first attempt that failed.
func doAgain[T any](ctx context.Context, p Policy, fn func(context.Context) (T, error), v T, err error) (T, error) {
	l := newLoop(ctx, p)
	for {
		e := toolerr.From(err)
		if e == nil { // a nil *toolerr.Error is no failure
			return v, nil
		}
		if inner := retriedInside(err); inner != nil && len(e.Attempted) == 0 {
			e = e.WithAttempted(inner...)
		}
		out := result.Outcome{Kind: result.KindFailure, Err: e}
		if e.Partial != nil {
			out.Kind = result.KindPartial
		}
		d := l.next(out)
		if d.Action != ActionRetry {
			return v, l.fail(err, e, d)
		}
		if v, err = fn(ctx); err == nil {
			p.Budget.Deposit(result.Outcome{}, true)
			l.decided(result.Outcome{Kind: result.KindData}, Decision{
				Action: ActionAccept, Reason: ReasonSuccess, Attempt: l.state.Attempt + 1, Waited: l.state.Waited,
			})
			return v, nil
		}
	}
}

func (l *loop) fail(err error, e *toolerr.Error, d Decision) *Error {
	out := &Error{Err: err, Decision: d, tool: l.settle(e, d, toolerr.Attempt{})}
	if out.tool != e {
		out.tool = out.tool.WithCause(err)
	}
	out.ctx = contextErrors(l.ctx)
	return out
}

// contextErrors are the error and the cause of a context that has ended.
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

// maxWalk bounds the errors that are looked at, since a chain may have no end.
// Chosen: a tree of ten is large.
const maxWalk = 1000

// retriedInside returns what was attempted by a layer below, wherever its error
// is in the tree, or nil.
func retriedInside(err error) []toolerr.Attempt {
	left := maxWalk
	var walk func(error) []toolerr.Attempt
	walk = func(err error) []toolerr.Attempt {
		for err != nil && left > 0 {
			left--
			switch e := err.(type) { //nolint:errorlint // one link of the chain
			case *Error:
				if e != nil && e.tool != nil {
					return e.tool.Attempted
				}
			case *toolerr.Error:
				if e != nil && len(e.Attempted) > 0 {
					return e.Attempted
				}
			}
			switch e := err.(type) { //nolint:errorlint // one link of the chain
			case interface{ Unwrap() error }:
				err = e.Unwrap()
			case interface{ Unwrap() []error }:
				for _, branch := range e.Unwrap() {
					if found := walk(branch); found != nil {
						return found
					}
				}
				return nil
			default:
				return nil
			}
		}
		return nil
	}
	return walk(err)
}
