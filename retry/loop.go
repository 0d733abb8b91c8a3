package retry

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A loop is one run of attempts.
type loop struct {
	ctx        context.Context //nolint:containedctx // lives as long as the run
	policy     Policy
	tool       string // "" for Do
	arguments  any    // of the call, including its key; nil for Do
	state      State
	started    time.Time // start of the call; for Do, which reads no clock before, the end of the first attempt
	timer      timer
	given      Safety        // the policy's safety, before the tool was known
	pause      time.Duration // minimum wait before the next attempt, after a failed dial or listing
	sessions   []int         // the session of each attempt, 0 if it was not sent; nil if sessions are not counted
	reconnects int           // number of new sessions that are not charged to the budget
	charged    bool          // this attempt is charged to the budget
	sent       bool          // an attempt was sent
	unsent     bool          // this attempt was not sent
	lost       bool          // an attempt may have taken effect
	lostBefore bool          // an attempt before the last may have taken effect
	earlier    bool          // an attempt before the last, or an earlier identical call, may have taken effect
	unstated   bool          // an attempt did not state its effect
	amended    bool          // the final failure differs from that of the last attempt
	err        error         // the error that scratch stands for, or nil
	scratch    *toolerr.Error
}

// newLoop returns a value and no pointer, so that [Do] does not allocate it.
func newLoop(ctx context.Context, p Policy) loop {
	l := loop{ctx: ctx, policy: p, given: p.Safety}
	l.state.Safety = p.Safety
	l.state.Deadline, _ = ctx.Deadline()
	return l
}

// setSafety sets the tool's safety.
func (l *loop) setSafety(s Safety) { l.policy.Safety, l.state.Safety = s, s }

// next decides about the outcome of an attempt, and waits before a retry. It reads the
// clock once for a failure, and assumes that the wait takes as long as decided, unless the
// context ends it.
func (l *loop) next(out result.Outcome) Decision {
	l.state.Attempt++
	if out.Err != nil {
		l.state.Now, l.state.Jitter = l.now(), rand.Float64()
	}
	l.policy.Budget.Deposit(out, l.charged)
	considered, free := out, l.unsent
	if out.SessionLost && l.reconnects > 0 {
		l.reconnects--
		considered.SessionLost, free = false, true // the repeat uses a new session
	}
	if e := out.Err; e != nil && l.unstated && e.Effect == toolerr.EffectNone && !e.Retryable {
		considered.Err = e.WithEffect("") // the effect is only that of the last attempt; see run.resolve
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
	l.earlier, l.lostBefore = l.state.Unsettled, l.lost
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
		start := l.state.Now
		l.state.Now = l.now()
		l.state.Waited += min(l.state.Now.Sub(start), d.Delay)
		d.Waited = l.state.Waited
		l.ended(out.Err, &d)
		l.report(out, d)
	}
	return d
}

// now returns the time. The first reading is the start unless that is set already; the
// others are measured from it, which takes half as long as reading the time of day too.
func (l *loop) now() time.Time {
	if l.started.IsZero() {
		l.started = time.Now()
		return l.started
	}
	return l.started.Add(time.Since(l.started))
}

// ended changes the decision about e if the context ended before a retry.
func (l *loop) ended(e *toolerr.Error, d *Decision) {
	d.Action, d.Delay, d.Reason = actionFor(e, &l.state), 0, ReasonCanceled
	if errors.Is(l.ctx.Err(), context.DeadlineExceeded) {
		d.Reason = ReasonDeadline
	}
}

// setSession records the session of the current attempt.
func (l *loop) setSession(session int) { l.sessions[len(l.sessions)-1] = session }

// report calls OnDecision with a decision, and logs it.
func (l *loop) report(out result.Outcome, d Decision) {
	if l.policy.OnDecision != nil {
		out.Err = l.complete(out.Err)
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
	out.Err = l.complete(out.Err)
	attrs := make([]slog.Attr, 0, 7)
	if l.tool != "" {
		attrs = append(attrs, slog.String("gen_ai.tool.name", sanitize.Text(l.tool, maxToolName)))
	}
	attrs = append(attrs, slog.String("action", d.Action.String()), slog.String("reason", string(d.Reason)),
		slog.Int("attempt", d.Attempt), slog.Duration("delay", d.Delay), slog.Duration("waited", d.Waited))
	attrs = append(attrs, out.LogValue().Group()...)
	logger.LogAttrs(l.ctx, level, "tool call decided", attrs...)
}

// maxToolName is the maximum length of a tool's name in the specification.
const maxToolName = 128

// unresolved reports whether the call may have taken effect. Its failure e may be nil.
func (l *loop) unresolved(e *toolerr.Error) bool {
	return e != nil && (isUnresolved(e, l.state.Safety) || l.lostBefore && l.state.Safety != SafetyReadOnly && e.Effect != toolerr.EffectApplied)
}

// resolve returns the final failure.
func (l *loop) resolve(e *toolerr.Error, d Decision, a toolerr.Attempt) *toolerr.Error {
	e, amended := l.run().resolve(e, d, a)
	l.amended = l.amended || amended
	return e
}

// run returns the facts about the attempts.
func (l *loop) run() run {
	return run{safety: l.state.Safety, earlier: l.earlier, unstated: l.unstated, elapsed: l.state.Now.Sub(l.started)}
}

// A timer is reused for all waits of a run. The zero value is ready to use.
type timer struct{ *time.Timer }

// sleep waits, and reports whether the context has not ended.
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
		return ctx.Err() == nil // both channels may have been ready
	case <-ctx.Done():
		t.Stop()
		return false
	}
}

// sleep waits once, and reports whether the context has not ended.
func sleep(ctx context.Context, d time.Duration) bool { return new(timer).sleep(ctx, d) }
