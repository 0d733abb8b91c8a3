package retry

import (
	"context"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Do calls fn until it succeeds or the policy ends it, and returns what it
// returned last. The error is then an *[Error].
//
// Any error is classified by [toolerr.From]. One that From does not know, such as
// a bare [errors.New], is never repeated, whatever p.Safety says: return a
// [toolerr.Transient] for a failure that a repeat may avoid. What an error or a wrapper
// declares permanent is not repeated either. A call that may have
// taken effect is repeated only if p.Safety allows it; for SafetyKeyed fn has to use
// the same key each time. An error that holds an *[Error], or a tool error with what
// was attempted, is not retried again, so that the attempts of layers do not
// multiply.
//
// The first attempt is made even if the context has ended, and costs nothing more
// than calling fn; the elapsed time that is reported counts from its end. With
// p.AttemptTimeout every attempt gets a context of its own. Do starts no goroutine,
// ignores p.Guard, and is as safe for concurrent use as fn.
//
// If the context has ended, or ends while Do waits, it returns at once, and the
// error is the context's too, for [errors.Is]. If the next attempt would start after
// the deadline, it returns before the deadline, without the wait: the reason is
// [ReasonDeadline], and the error is not [context.DeadlineExceeded], unless fn has
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

// limited returns fn with a context of its own for each call.
func limited[T any](limit time.Duration, fn func(context.Context) (T, error)) func(context.Context) (T, error) {
	return func(ctx context.Context) (T, error) {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		return fn(ctx)
	}
}

// doAgain continues Do after a first attempt that failed.
func doAgain[T any](ctx context.Context, p Policy, fn func(context.Context) (T, error), v T, err error) (T, error) {
	l := newLoop(ctx, p)
	l.state.local = true
	for {
		e := toolerr.From(err)
		if e == nil { // err is a nil *toolerr.Error
			return v, nil
		}
		if len(e.Attempted) == 0 {
			if inner := attemptedInside(err); inner != nil {
				e = e.WithAttempted(inner...)
			}
		}
		out := result.Outcome{Kind: result.KindFailure, Err: e}
		if e.Partial != nil {
			out.Kind = result.KindPartial
		}
		d := l.next(out)
		if d.Action != ActionRetry {
			return v, &Error{Err: err, Decision: d, last: e, run: l.run(), ctx: contextErrors(ctx)}
		}
		if v, err = fn(ctx); err == nil {
			p.Budget.Deposit(result.Outcome{}, true)
			l.report(result.Outcome{Kind: result.KindData}, Decision{
				Action: ActionAccept, Reason: ReasonSuccess, Attempt: l.state.Attempt + 1, Waited: l.state.Waited,
			})
			return v, nil
		}
	}
}
