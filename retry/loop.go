package retry

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/hints"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A loop is one run of attempts.
type loop struct {
	ctx      context.Context //nolint:containedctx // lives as long as the run
	policy   Policy
	tool     string // "" for Do
	state    State
	started  time.Time
	sessions int // how many new sessions may be had
}

func newLoop(ctx context.Context, p Policy) *loop {
	l := &loop{ctx: ctx, policy: p, started: time.Now()}
	l.state.Safety = p.Safety
	l.state.Deadline, _ = ctx.Deadline()
	return l
}

// learn sets the tool's safety.
func (l *loop) learn(s Safety) { l.policy.Safety, l.state.Safety = s, s }

// next decides about the outcome of an attempt and waits where it is retried.
func (l *loop) next(out result.Outcome) Decision {
	l.state.Attempt++
	l.state.Now = time.Now()
	l.state.Jitter = rand.Float64()
	l.policy.Budget.Deposit(out, l.state.Attempt > 1)
	judged := out
	if out.SessionLost && l.sessions > 0 {
		l.sessions--
		judged.SessionLost = false
	}
	d := l.policy.Decide(judged, l.state)
	if d.Action == ActionRetry && l.ctx.Err() != nil {
		d = l.ended(out, d)
	}
	if d.Action == ActionRetry && !l.policy.Budget.Withdraw() {
		broke := l.state
		broke.OverBudget = true
		d = l.policy.Decide(judged, broke)
	}
	l.decided(out, d)
	if out.Err != nil && (mayHaveTakenEffect(out.Err) || out.Err.Effect == toolerr.EffectApplied) {
		l.state.Unsettled = true
	}
	if d.Action != ActionRetry {
		return d
	}
	before := time.Now()
	ok := sleep(l.ctx, d.Delay)
	l.state.Waited += time.Since(before)
	if !ok {
		l.policy.Budget.giveBack()
		d = l.ended(out, d)
		d.Waited = l.state.Waited
		l.decided(out, d)
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

// decided tells a decision to whoever wants to know.
func (l *loop) decided(out result.Outcome, d Decision) {
	if l.policy.OnDecision != nil {
		l.policy.OnDecision(out, d)
	}
	logger := l.policy.Logger
	if logger == nil {
		logger = slog.Default()
	}
	level := d.Action.level()
	if !logger.Enabled(l.ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, 7)
	if l.tool != "" {
		attrs = append(attrs, slog.String("gen_ai.tool.name", short(l.tool)))
	}
	attrs = append(attrs, slog.String("action", d.Action.String()), slog.String("reason", string(d.Reason)),
		slog.Int("attempt", d.Attempt), slog.Duration("delay", d.Delay), slog.Duration("waited", d.Waited))
	if e := out.Err; e != nil { // without the server's words, which may quote arguments
		attrs = append(attrs, slog.Group("error", slog.String("category", short(e.Category)), slog.String("code", short(e.Code)),
			slog.Bool("retryable", e.Retryable), slog.String("effect", short(e.Effect)), slog.String("correlation_id", short(e.CorrelationID))))
	}
	logger.LogAttrs(l.ctx, level, "tool call decided", attrs...)
}

// maxToolName is the longest name of a tool that the specification allows.
const maxToolName = 128

// short is a word of the server's as it is logged.
func short[S ~string](word S) string {
	return strings.ToValidUTF8(string(word[:min(len(word), maxToolName)]), "")
}

// level is that of the log record.
func (a Action) level() slog.Level {
	switch a {
	case ActionAccept, ActionRetry, ActionFixInput, ActionEscalate, ActionProvideInput:
		return slog.LevelDebug
	case ActionPropagate, ActionReauthorize, ActionVerify:
		return slog.LevelWarn
	}
	return slog.LevelWarn
}

// settle returns what is reported of a failure where the attempts end: that an
// earlier attempt may have taken effect, and what was attempted.
func (l *loop) settle(e *toolerr.Error, d Decision, a toolerr.Attempt) *toolerr.Error {
	if l.state.Unsettled && l.state.Safety != SafetyReadOnly && e.Effect != toolerr.EffectUnknown && e.Effect != toolerr.EffectApplied {
		e = e.WithEffect(toolerr.EffectUnknown).
			WithHint("An earlier attempt may have taken effect. Check whether it did before calling again.")
	} else if d.Action == ActionPropagate && d.Attempt > 1 && len(e.Attempted) == 0 && hints.IsDefault(e) {
		// The default was for the first attempt.
		e = e.WithHint(hints.Retried)
	}
	handedUp := d.Action == ActionPropagate || d.Action == ActionVerify
	if len(e.Attempted) == 0 && (handedUp || e.Retryable || d.Attempt > 1) {
		a.Attempts, a.Elapsed, a.Category, a.Code = d.Attempt, time.Since(l.started), e.Category, e.Code
		e = e.WithAttempted(a)
	}
	return e
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
