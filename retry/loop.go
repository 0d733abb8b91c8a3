package retry

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A loop is one run of attempts.
type loop struct {
	ctx        context.Context //nolint:containedctx // lives as long as the run
	policy     Policy
	tool       string // "" for Do
	arguments  any    // of the call, with the key that it was given; nil for Do
	state      State
	started    time.Time // of the call; for Do, which asks no clock before, the end of its first attempt
	timer      timer
	given      Safety        // by the policy, before the tool was known
	pause      time.Duration // before the next attempt, since connecting or listing has just failed
	sessions   []int         // that the attempts went to, 0 if an attempt was not sent; nil if nobody counts them
	reconnects int           // how many new sessions a repeat may need
	charged    bool          // the budget has paid for this attempt
	sent       bool          // an attempt was sent
	unsent     bool          // this attempt was not
	lost       bool          // an attempt may have taken effect
	lostThen   bool          // one before the last may have
	earlier    bool          // the same, or an earlier call that was the same
	unstated   bool          // an attempt did not say what it has changed
	amended    bool          // the failure does not say what the last attempt did
}

// newLoop returns a value, which is not on the heap if it is used for [Do].
func newLoop(ctx context.Context, p Policy) loop {
	l := loop{ctx: ctx, policy: p, given: p.Safety}
	l.state.Safety = p.Safety
	l.state.Deadline, _ = ctx.Deadline()
	return l
}

// setSafety sets the tool's safety.
func (l *loop) setSafety(s Safety) { l.policy.Safety, l.state.Safety = s, s }

// next decides about the outcome of an attempt, and waits if it is retried. It asks the
// clock once, for a failure: the wait is as long as decided, unless the context ends it.
func (l *loop) next(out result.Outcome) Decision {
	l.state.Attempt++
	if out.Err != nil {
		l.state.Now, l.state.Jitter = time.Now(), rand.Float64()
		if l.started.IsZero() {
			l.started = l.state.Now
		}
	}
	l.policy.Budget.Deposit(out, l.charged)
	considered, free := out, l.unsent
	if out.SessionLost && l.reconnects > 0 {
		l.reconnects--
		considered.SessionLost, free = false, true // the repeat gets a new one
	}
	if e := out.Err; e != nil && l.unstated && e.Effect == toolerr.EffectNone && !e.Retryable {
		considered.Err = e.WithEffect("") // it speaks for this attempt alone, as resolve says too
	}
	l.state.pause = l.pause
	d := decide(&l.policy, &considered, &l.state)
	if d.Action == ActionRetry && l.ctx.Err() != nil {
		l.ended(out.Err, &d)
	}
	l.charged = d.Action == ActionRetry && !free
	if l.charged && !l.policy.Budget.Withdraw() {
		l.state.OverBudget = true
		d = decide(&l.policy, &considered, &l.state)
		l.state.OverBudget = false
	}
	d.Sessions = slices.Clone(l.sessions)
	l.report(out, d)
	l.earlier, l.lostThen = l.state.Unsettled, l.lost
	if out.Err != nil {
		l.lost = l.lost || isUnresolved(out.Err, l.state.Safety) || out.Err.Effect == toolerr.EffectApplied
		l.unstated = l.unstated || out.Err.Effect == ""
		l.state.Unsettled = l.state.Unsettled || l.lost
	}
	switch {
	case d.Action != ActionRetry:
	case l.timer.sleep(l.ctx, d.Delay):
		l.state.Waited += d.Delay
	default:
		if l.charged {
			l.policy.Budget.giveBack()
		}
		began := l.state.Now
		l.state.Now = time.Now()
		l.state.Waited += min(l.state.Now.Sub(began), d.Delay)
		d.Waited = l.state.Waited
		l.ended(out.Err, &d)
		l.report(out, d)
	}
	return d
}

// ended changes the decision about e if the context ended before a retry.
func (l *loop) ended(e *toolerr.Error, d *Decision) {
	d.Action, d.Delay, d.Reason = actionFor(e, &l.state), 0, ReasonCanceled
	if errors.Is(l.ctx.Err(), context.DeadlineExceeded) {
		d.Reason = ReasonDeadline
	}
}

// on records the session that the present attempt goes to.
func (l *loop) on(session int) { l.sessions[len(l.sessions)-1] = session }

// report calls OnDecision with a decision, and logs it.
func (l *loop) report(out result.Outcome, d Decision) {
	if l.policy.OnDecision != nil {
		l.policy.OnDecision(out, d)
	}
	logger := l.policy.Logger
	if logger == nil {
		logger = slog.Default()
	}
	level := slog.LevelDebug
	if d.Action == ActionPropagate || d.Action == ActionReauthorize || d.Action == ActionVerify {
		level = slog.LevelWarn
	}
	if !logger.Enabled(l.ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, 7)
	if l.tool != "" {
		attrs = append(attrs, slog.String("gen_ai.tool.name", sanitize.Text(l.tool, maxToolName)))
	}
	attrs = append(attrs, slog.String("action", d.Action.String()), slog.String("reason", string(d.Reason)),
		slog.Int("attempt", d.Attempt), slog.Duration("delay", d.Delay), slog.Duration("waited", d.Waited))
	if e := out.Err; e != nil && e.CorrelationID != "" && l.holdsArgument(e.CorrelationID) {
		out.Err = e.WithCorrelationID("")
	}
	attrs = append(attrs, out.LogValue().Group()...)
	logger.LogAttrs(l.ctx, level, "tool call decided", attrs...)
}

// holdsArgument reports whether a server's word stands in the call's arguments.
func (l *loop) holdsArgument(word string) bool {
	raw, err := jsonvalue.Marshal(l.arguments)
	return err != nil || bytes.Contains(raw, []byte(word))
}

// maxToolName is the longest name of a tool that the specification allows.
const maxToolName = 128

// unresolved reports whether the call that ended with this failure, which may be nil,
// may have taken effect.
func (l *loop) unresolved(e *toolerr.Error) bool {
	return e != nil && (isUnresolved(e, l.state.Safety) || l.lostThen && l.state.Safety != SafetyReadOnly && e.Effect != toolerr.EffectApplied)
}

// resolve returns the failure that is handed up after the last attempt.
func (l *loop) resolve(e *toolerr.Error, d Decision, a toolerr.Attempt) *toolerr.Error {
	e, amended := l.run().resolve(e, d, a)
	l.amended = l.amended || amended
	return e
}

// run returns what is known of the attempts.
func (l *loop) run() run {
	return run{safety: l.state.Safety, earlier: l.earlier, unstated: l.unstated, elapsed: l.state.Now.Sub(l.started)}
}

// A timer is one for all waits of a run. The zero value is ready to use.
type timer struct{ *time.Timer }

// sleep waits, and reports whether the context lasted.
func (t *timer) sleep(ctx context.Context, d time.Duration) bool {
	switch {
	case d <= 0:
		return ctx.Err() == nil
	case t.Timer == nil:
		t.Timer = time.NewTimer(d)
	default:
		t.Reset(d)
	}
	select {
	case <-t.C:
		return ctx.Err() == nil // both may have been ready
	case <-ctx.Done():
		t.Stop()
		return false
	}
}

// sleep waits once, and reports whether the context lasted.
func sleep(ctx context.Context, d time.Duration) bool { return new(timer).sleep(ctx, d) }
