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
	"github.com/mcp-toolerr/toolerr-go/retry/internal/hints"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A loop is one run of attempts.
type loop struct {
	ctx        context.Context //nolint:containedctx // lives as long as the run
	policy     Policy
	tool       string // "" for Do
	arguments  any    // of the call, with the key that it was given; nil for Do
	state      State
	started    time.Time
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

func newLoop(ctx context.Context, p Policy) *loop {
	l := &loop{ctx: ctx, policy: p, started: time.Now()}
	l.state.Safety, l.given = p.Safety, p.Safety
	l.state.Deadline, _ = ctx.Deadline()
	return l
}

// setSafety sets the tool's safety.
func (l *loop) setSafety(s Safety) { l.policy.Safety, l.state.Safety = s, s }

// next decides about the outcome of an attempt, and waits if it is retried.
func (l *loop) next(out result.Outcome) Decision {
	l.state.Attempt++
	l.state.Now = time.Now()
	l.state.Jitter = rand.Float64()
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
	d := l.policy.Decide(considered, l.state)
	d.Sessions = slices.Clone(l.sessions)
	if d.Action == ActionRetry && l.ctx.Err() != nil {
		d = l.ended(out, d)
	}
	l.charged = d.Action == ActionRetry && !free
	if l.charged && !l.policy.Budget.Withdraw() {
		overBudget := l.state
		overBudget.OverBudget = true
		d = l.policy.Decide(considered, overBudget)
		d.Sessions = slices.Clone(l.sessions)
	}
	l.report(out, d)
	l.earlier, l.lostThen = l.state.Unsettled, l.lost
	if out.Err != nil {
		l.lost = l.lost || isUnresolved(out.Err, l.state.Safety) || out.Err.Effect == toolerr.EffectApplied
		l.unstated = l.unstated || out.Err.Effect == ""
		l.state.Unsettled = l.state.Unsettled || l.lost
	}
	if d.Action != ActionRetry {
		return d
	}
	before := time.Now()
	slept := sleep(l.ctx, d.Delay)
	l.state.Waited += time.Since(before)
	if !slept {
		if l.charged {
			l.policy.Budget.giveBack()
		}
		d = l.ended(out, d)
		d.Waited = l.state.Waited
		l.report(out, d)
	}
	return d
}

// ended returns the decision about out if the context ended before a retry.
func (l *loop) ended(out result.Outcome, d Decision) Decision {
	d.Action, d.Delay, d.Reason = actionFor(out.Err, l.state), 0, ReasonCanceled
	if errors.Is(l.ctx.Err(), context.DeadlineExceeded) {
		d.Reason = ReasonDeadline
	}
	return d
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

// resolve returns the failure that is handed up after the last attempt. It says
// that an earlier attempt may have taken effect, and what was attempted; with that it is
// not retryable. That nothing was changed it says only if it holds for all attempts.
func (l *loop) resolve(e *toolerr.Error, d Decision, a toolerr.Attempt) *toolerr.Error {
	byDefault := len(e.Attempted) == 0 && hints.IsDefault(e)
	switch {
	case l.state.Safety == SafetyReadOnly:
	case l.earlier && e.Effect != toolerr.EffectUnknown && e.Effect != toolerr.EffectApplied:
		byDefault, l.amended = false, true
		e = e.WithEffect(toolerr.EffectUnknown).
			WithHint("An earlier attempt may have taken effect. Check whether it did before calling again.")
	case l.unstated && e.Effect == toolerr.EffectNone:
		e, l.amended = e.WithEffect(""), true
	}
	handedUp := d.Action == ActionPropagate || d.Action == ActionVerify
	if len(e.Attempted) == 0 && (handedUp || e.Retryable || d.Attempt > 1) {
		a.Attempts, a.Elapsed, a.Category, a.Code = d.Attempt, time.Since(l.started), e.Category, e.Code
		e = e.WithAttempted(a)
	}
	switch {
	case byDefault && d.Action == ActionPropagate && d.Attempt > 1:
		e = e.WithHint(hints.Retried)
	case byDefault && e.Retryable && len(e.Attempted) > 0 && e.Hint != "":
		e = e.WithHint("") // the default one of what is not retryable
	}
	if e.Retryable && len(e.Attempted) > 0 {
		e, l.amended = e.WithRetryable(false), true
	}
	return e
}

// sleep waits, and reports whether the context lasted.
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
