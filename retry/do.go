package retry

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An Error is a failure that will not be retried any further. It wraps the last
// error and, where the context ended, what ended it. As the failure of a tool it
// is the last tool error, with what was attempted.
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
	return fmt.Sprintf("gave up after attempt %d because %s: %s", e.Decision.Attempt, e.Decision.Reason, e.tool.Error())
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
// Any error is understood by [toolerr.From]. What may have taken effect is
// repeated only if p.Safety allows it; for SafetyKeyed it is fn that uses the
// same key each time. An error that holds an *[Error], or a tool error with what
// was attempted, is not retried again: layers do not multiply.
//
// The first attempt is made whatever the context says, and costs nothing more
// than calling fn; the elapsed time that is reported counts from its end. Where
// the context ends before the next attempt could start, Do returns at once. It
// starts no goroutine.
func Do[T any](ctx context.Context, p Policy, fn func(context.Context) (T, error)) (T, error) {
	v, err := fn(ctx)
	if err == nil {
		return v, nil
	}
	return doAgain(ctx, p, fn, v, err)
}

// doAgain is Do after a first attempt that failed.
func doAgain[T any](ctx context.Context, p Policy, fn func(context.Context) (T, error), v T, err error) (T, error) {
	l := newLoop(ctx, p)
	for {
		e := toolerr.From(err)
		if e == nil { // a nil *toolerr.Error is no failure
			return v, nil
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
			return v, nil
		}
	}
}

func (l *loop) fail(err error, e *toolerr.Error, d Decision) *Error {
	out := &Error{Err: err, Decision: d, tool: l.settle(e, d, toolerr.Attempt{})}
	if out.tool != e {
		out.tool = out.tool.WithCause(err)
	}
	if ctxErr := l.ctx.Err(); ctxErr != nil {
		out.ctx = append(out.ctx, ctxErr)
		if cause := context.Cause(l.ctx); cause != ctxErr { //nolint:errorlint // the very same value says that there is no other cause
			out.ctx = append(out.ctx, cause)
		}
	}
	return out
}

// A loop is one run of attempts.
type loop struct {
	ctx     context.Context
	policy  Policy
	state   State
	started time.Time
}

func newLoop(ctx context.Context, p Policy) *loop {
	l := &loop{ctx: ctx, policy: p, started: time.Now()}
	l.state.Safety = p.Safety
	l.state.Deadline, _ = ctx.Deadline()
	return l
}

// next decides about the outcome of an attempt and waits where it is retried.
func (l *loop) next(out result.Outcome) Decision {
	l.state.Attempt++
	l.state.Now = time.Now()
	l.state.Jitter = rand.Float64()
	d := l.policy.Decide(out, l.state)
	if d.Action == ActionRetry && l.ctx.Err() != nil {
		d = l.ended(out, d)
	}
	if l.policy.OnDecision != nil {
		l.policy.OnDecision(out, d)
	}
	if out.Err != nil && mayHaveTakenEffect(out.Err) {
		l.state.Unsettled = true
	}
	if d.Action != ActionRetry {
		return d
	}
	before := time.Now()
	ok := sleep(l.ctx, d.Delay)
	l.state.Waited += time.Since(before)
	if !ok {
		d = l.ended(out, d)
		d.Waited = l.state.Waited
		if l.policy.OnDecision != nil {
			l.policy.OnDecision(out, d)
		}
	}
	return d
}

// ended is the decision about out where the context ended instead of a retry.
func (l *loop) ended(out result.Outcome, d Decision) Decision {
	d.Action, d.Delay, d.Reason = actionFor(out.Err, l.state), 0, ReasonCanceled
	if errors.Is(l.ctx.Err(), context.DeadlineExceeded) {
		d.Reason = ReasonDeadline
	}
	return d
}

// settle returns what is reported of a failure where the attempts end: that an
// earlier attempt may have taken effect, and what was attempted.
func (l *loop) settle(e *toolerr.Error, d Decision, a toolerr.Attempt) *toolerr.Error {
	if l.state.Unsettled && l.state.Safety != SafetyReadOnly && e.Effect != toolerr.EffectUnknown && e.Effect != toolerr.EffectApplied {
		e = e.WithEffect(toolerr.EffectUnknown).
			WithHint("An earlier attempt may have taken effect. Check whether it did before calling again.")
	} else if d.Action == ActionPropagate && d.Attempt > 1 && len(e.Attempted) == 0 && isDefaultHint(e) {
		// The default was for the first attempt.
		e = e.WithHint("This was retried already, without success. Do not repeat it now; use another way, or tell the user what is missing.")
	}
	handedUp := d.Action == ActionPropagate || d.Action == ActionVerify
	if len(e.Attempted) == 0 && (handedUp || e.Retryable || d.Attempt > 1) {
		a.Attempts, a.Elapsed, a.Category, a.Code = d.Attempt, time.Since(l.started), e.Category, e.Code
		e = e.WithAttempted(a)
	}
	return e
}

// isDefaultHint reports whether e has the hint that it would have without one.
func isDefaultHint(e *toolerr.Error) bool {
	var plain toolerr.Error
	err := plain.UnmarshalJSON(e.WithHint("").AppendJSON(nil))
	return err == nil && (e.Hint == "" || e.Hint == plain.Hint)
}

func mayHaveTakenEffect(e *toolerr.Error) bool {
	return e.Effect != toolerr.EffectNone && e.Effect != toolerr.EffectApplied && e.Effect != ""
}

// sleep waits, and reports whether it was not cut short.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err() == nil // both may have been ready
	case <-ctx.Done():
		return false
	}
}
