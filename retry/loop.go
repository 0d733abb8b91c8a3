package retry

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/effect"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/hints"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A loop is one series of attempts.
type loop struct {
	ctx      context.Context //nolint:containedctx // lives as long as the run
	policy   Policy
	state    State
	started  time.Time // start of the call; for Do, which reads no clock before, the end of the first attempt
	timer    *time.Timer
	charged  bool // this attempt is charged to the budget
	replaced bool // a session was lost, and is replaced
	notSent  bool // this attempt was not sent
}

func newLoop(ctx context.Context, p Policy) loop {
	deadline, _ := ctx.Deadline()
	p.KeyArgument = cmp.Or(p.KeyArgument, defaultKeyArgument)
	return loop{ctx: ctx, policy: p, state: State{Safety: p.Safety, past: toolerr.EffectNone, Deadline: deadline}}
}

// next decides what to do about the outcome of an attempt, and waits before a retry. The budget is not
// charged for the repeat of an attempt that was not sent, nor for the first repeat after a lost session, unless that
// had status 503, which may mean overload. A wait is assumed to take as long as decided, unless the context ends it.
func (l *loop) next(out result.Outcome) Decision {
	l.state.Attempt++
	if out.Err != nil {
		l.state.Now, l.state.Jitter, l.state.ended = time.Now(), rand.Float64(), l.ctx.Err()
		l.started = cmp.Or(l.started, l.state.Now)
	}
	l.policy.Budget.deposit(out, l.charged)
	free := l.notSent || out.SessionLost && !l.replaced && out.Status != http.StatusServiceUnavailable
	l.replaced = l.replaced || out.SessionLost
	d := decide(&l.policy, &out, &l.state)
	if l.charged = d.Action == ActionRetry && !free; l.charged && !l.policy.Budget.withdraw() {
		l.state.OverBudget = true
		d = decide(&l.policy, &out, &l.state)
	}
	l.report(out, d)
	if d.Action != ActionRetry {
		return d
	}
	if l.wait(d.Delay) {
		l.state.Waited += d.Delay
		l.state.past, _ = overall(out.Err, &l.state)
		return d
	}
	if l.charged {
		l.policy.Budget.deposit(result.Outcome{}, true) // the retry was not made
	}
	waited := min(time.Since(l.state.Now), d.Delay)
	l.state.ended = l.ctx.Err()
	d = decide(&l.policy, &out, &l.state)
	l.state.Waited, l.state.Now = l.state.Waited+waited, time.Now()
	d.Waited = l.state.Waited
	l.report(out, d)
	return d
}

// unsettled reports whether an earlier attempt or identical call took effect or may have.
func (s *State) unsettled() bool {
	return s.past != "" && s.past != toolerr.EffectNone
}

// report calls OnDecision with a decision, and logs it.
func (l *loop) report(out result.Outcome, d Decision) {
	if l.policy.OnDecision != nil {
		l.policy.OnDecision(out, d)
	}
	logger := cmp.Or(l.policy.Logger, slog.Default())
	level := slog.LevelDebug
	if d.Action == ActionPropagate || d.Action == ActionReauthorize || d.Action == ActionVerify {
		level = slog.LevelWarn
	}
	if !logger.Enabled(l.ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, 3)
	if d.Tool != "" {
		attrs = append(attrs, slog.String("gen_ai.tool.name", sanitize.Text(d.Tool, maxToolName)))
	}
	members := append([]slog.Attr{
		slog.String("action", d.Action.String()), slog.String("reason", string(d.Reason)),
		slog.Int("attempt", d.Attempt), slog.Duration("delay", d.Delay), slog.Duration("waited", d.Waited),
	}, out.LogValue().Group()...)
	if l.notSent && out.Err != nil { // why the server, or its list of tools, cannot be reached
		whole := out.Err.LogValue().Group()
		if cause := whole[len(whole)-1]; cause.Key == "cause" {
			members = append(members, cause)
		}
	}
	attrs = append(attrs, slog.Attr{Key: "toolerr", Value: slog.GroupValue(members...)})
	if s := l.state; d.Action == ActionVerify && s.Safety == SafetyUnknown {
		s.Safety = SafetyIdempotent
		if _, repeat := overall(out.Err, &s); repeat {
			attrs = append(attrs, slog.String("advice", "Client.Safety decides whether a repeat is safe, or Policy.Safety in "+
				"retry.Do and on a session of your own: retry.SafetyOf believes the tool's annotations and its argument "+
				"Policy.KeyArgument, and without both it is not"))
		}
	}
	logger.LogAttrs(l.ctx, level, "tool call decided", attrs...)
}

const maxToolName = 128 // the specification's maximum length

// final returns the failure of a call that will not be retried: see [CallTool]. Do leaves the first repeat to the layer
// above it if the wait is too long.
func (l *loop) final(e *toolerr.Error, d Decision, a toolerr.Attempt) *toolerr.Error {
	byDefault := len(e.Attempted) == 0 && hints.IsDefault(e)
	whole, _ := overall(e, &l.state)
	isEarlier := effect.IsUnknown(whole) && whole != e.Effect // the hint is not about it
	if d.Action == ActionVerify && whole == "" {
		whole = toolerr.EffectUnknown
	}
	isLeft := a.Tool == "" && d.Attempt == 1 && d.Reason == ReasonRetryAfterTooLong
	isFinal := d.Action == ActionPropagate || d.Action == ActionVerify || e.Retryable || d.Attempt > 1
	if len(e.Attempted) == 0 && isFinal && !isLeft {
		a.Attempts, a.Elapsed = d.Attempt, l.state.Now.Sub(l.started)
		a.Category, a.Code, a.Effect, a.CorrelationID = e.Category, e.Code, whole, e.CorrelationID
		e = e.WithAttempted(a)
		if wait := e.RetryAfter; wait > 0 && e.Partial == nil { // the member goes with a retryable failure
			details := map[string]any{"retryAfterMs": millis(wait)}
			maps.Copy(details, e.Details)
			e.Details = details
		}
	}
	if e.Effect != whole {
		e = e.WithEffect(whole)
		e.Effect = whole // also none, for a read-only tool's partial result
	}
	switch argument := l.policy.KeyArgument; {
	case isEarlier && e.IdempotencyKey != "" &&
		(e.Category == toolerr.CategoryValidation || e.Category == toolerr.CategoryBusiness):
		return e.WithHint(hint.SameAnswer + argument + ".")
	case byDefault && d.Action == ActionPropagate && d.Attempt > 1 && whole != toolerr.EffectApplied:
		return e.WithHint(hints.Retried)
	case byDefault || isEarlier && !errors.Is(e, errKeyRefused):
		stated := *e
		stated.Effect = cmp.Or(whole, toolerr.EffectNone) // if not stated, there is nothing to verify
		return e.WithHint(hints.Default(&stated, argument))
	}
	return e
}

// wait waits, and returns false if the context has ended. All waits share a timer.
func (l *loop) wait(d time.Duration) bool {
	if d > 0 {
		if l.timer == nil {
			l.timer = time.NewTimer(maxWindow) // until Reset
		}
		l.timer.Reset(d)
		select {
		case <-l.timer.C: // the context may have ended too
		case <-l.ctx.Done():
		}
	}
	return l.ctx.Err() == nil
}
