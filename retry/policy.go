package retry

import (
	"cmp"
	"log/slog"
	"math"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Policy says how often and how patiently to retry. Its zero value is a good
// policy. It is a plain value, safe for concurrent use and never used up.
//
// In every limit zero is the default, and a negative value is none at all: no
// repeat, no wait, no hint that is accepted, no time limit.
type Policy struct {
	// MaxAttempts is how many attempts are made in all, the first one included;
	// negative, that is the only one. Default: 3, as in the AWS SDKs' standard retry
	// mode.
	MaxAttempts int
	// BaseDelay is the window of the first wait, which doubles with every
	// attempt; the wait is drawn evenly from it ("full jitter", Brooker, AWS
	// Architecture Blog, 2015). Negative, only what the server asks for is waited.
	// Default: 500 ms, chosen to be short beside a call.
	//
	//	window: 500ms -> 1s -> 2s -> ... -> 20s
	BaseDelay time.Duration
	// ThrottledDelay is BaseDelay for a rate limit. Default: 1 s, chosen because
	// limits are counted by the second or longer.
	ThrottledDelay time.Duration
	// MaxDelay is the largest window; negative, none is drawn from. Default: 20 s, as
	// in the AWS SDKs' standard retry mode.
	MaxDelay time.Duration
	// MaxHint is the longest wait that a server may ask for. A hint is a floor,
	// to which the drawn wait is added, and is never undercut: one over MaxHint is
	// refused, not cut short. So one wait may take MaxHint and MaxDelay together.
	// Negative, every hint is refused. Default: 30 s, chosen as half of MaxWait.
	MaxHint time.Duration
	// MaxWait is how long is slept in total; negative, only a repeat without a wait is
	// made. Default: 60 s, chosen because the TypeScript SDK of MCP gives up a request
	// after that time by default.
	MaxWait time.Duration
	// AttemptTimeout is how long one attempt may take; a repeat then has to be
	// safe. Default: none, as if negative, so that the context alone limits it. Neither
	// limits a request that a stdio server does not read, except with a [Client]: the
	// SDK writes it without regard to the context.
	AttemptTimeout time.Duration
	// IdleTimeout is how long an attempt may go without an answer and without progress:
	// each notifications/progress about it prolongs it, up to AttemptTimeout, or ten
	// times IdleTimeout if there is none. The client asks for progress only then, and
	// hears of it if its sessions were made with [Client.Options]. Default: none, as if
	// negative. Only a Client has it; everything else ignores it.
	IdleTimeout time.Duration
	// Safety is that of the tool that is called, or of the function. See
	// [SafetyOf].
	Safety Safety
	// KeyArgument is the argument by which a SafetyKeyed tool takes its key.
	// Default: idempotency_key. A Client and Middleware take a tool for keyed only if
	// its schema has an argument of this name that takes such a key.
	KeyArgument string
	// Budget bounds the retries of all that share it. If nil, there is none.
	Budget *Budget
	// Guard stops what a model repeats without success. If nil, nothing is stopped.
	// [Do] ignores it.
	Guard *Guard
	// OnDecision, if not nil, is called with every decision, before any wait, and
	// once more if the context ends the wait. It must not change the outcome, and
	// must be safe for concurrent use if the policy is used so. There is no decision
	// if a function given to Do succeeds at once.
	OnDecision func(result.Outcome, Decision)
	// Logger logs every decision: to propagate, reauthorize or verify as WARN, any
	// other as DEBUG. If nil, it is slog.Default().
	Logger *slog.Logger
}

// State is what a decision depends on besides the outcome.
type State struct {
	// Attempt is how many attempts have been made, the one with this outcome
	// included. Less than 1 counts as 1, so that the zero State is the first attempt.
	Attempt int
	// Waited is how long was slept between them.
	Waited time.Duration
	// Now is the time, Deadline the time by which the next attempt must have
	// started. A zero Deadline is none.
	Now, Deadline time.Time
	// Safety is that of the tool. If unknown, it is the policy's.
	Safety Safety
	// Unsettled says that an earlier attempt may have taken effect.
	Unsettled bool
	// Asked says that a person was asked for input during this call. Nobody is
	// asked twice, so that it is not repeated.
	Asked bool
	// OverBudget says that a budget shared with other callers allows no retry now.
	OverBudget bool
	// Jitter is the random number in [0, 1) that the wait is drawn with; at 0 the
	// wait is what the server asks for, and no more. A number outside counts as the
	// nearer end.
	Jitter float64

	pause time.Duration // the least wait, since a server cannot be connected to at once again
	local bool          // the failure is not the answer of a server: what its flag forbids stays forbidden
}

// The defaults of [Policy]. Three attempts and 20 s are those of the AWS SDKs'
// standard retry mode; the others are chosen, as the fields say.
const (
	defaultAttempts  = 3
	defaultBase      = 500 * time.Millisecond
	defaultThrottled = time.Second
	defaultMaxDelay  = 20 * time.Second
	defaultMaxHint   = 30 * time.Second
	defaultMaxWait   = time.Minute
)

// Decide returns what to do about an outcome, by the table in the package
// documentation. It is pure: it does not sleep, and takes the time, the random number
// and the answer of the budget from the state.
func (p Policy) Decide(o result.Outcome, s State) Decision {
	s.Safety = cmp.Or(s.Safety, p.Safety)
	return decide(&p, &o, &s)
}

// decide is [Policy.Decide] for a state that has the safety.
func decide(p *Policy, o *result.Outcome, s *State) Decision {
	d := Decision{Attempt: max(s.Attempt, 1), Waited: s.Waited, Reason: ReasonUnread}
	switch o.Kind {
	case result.KindData, result.KindEmpty:
		d.Action, d.Reason = ActionAccept, ReasonSuccess
	case result.KindInputRequired:
		d.Action, d.Reason = ActionProvideInput, ReasonInput
		if isShed(*o) {
			busy := shed(*o)
			decideFailure(p, &busy, s, &d)
		}
	case result.KindPartial, result.KindFailure:
		if o.Err != nil {
			decideFailure(p, o, s, &d)
		}
	}
	return d
}

func decideFailure(p *Policy, o *result.Outcome, s *State, d *Decision) {
	e := o.Err
	delay, hint := delayOf(p, e, d.Attempt, s.Jitter)
	delay = max(delay, s.pause)
	if o.Kind == result.KindPartial || e.Partial != nil {
		d.Action, d.Reason = actionFor(e, s), ReasonPartial
		switch {
		case d.Action == ActionVerify || e.Partial == nil || e.Partial.ContinueFrom == nil:
		case hint > orDefault(p.MaxHint, defaultMaxHint):
			d.Reason = ReasonHint
		default:
			d.Action, d.Delay = ActionFixInput, hint
		}
		return
	}
	d.Reason = against(p, o, s, d.Attempt, delay, hint)
	if d.Reason == ReasonRetryable {
		d.Action, d.Delay = ActionRetry, delay
	} else {
		d.Action = actionFor(e, s)
	}
}

// against returns what is against a retry, or ReasonRetryable if nothing is.
func against(p *Policy, o *result.Outcome, s *State, attempt int, delay, hint time.Duration) Reason {
	e := o.Err
	switch {
	case !e.Retryable && e.Code == toolerr.CodeCanceled:
		return ReasonCanceled
	case len(e.Attempted) > 0 && (e.Retryable || e.Category == toolerr.CategoryTransient):
		return ReasonAttempted // on the wire its flag is false
	case !e.Retryable && !knowsMore(e, s):
		return ReasonNotRetryable
	case s.Asked:
		return ReasonAsked
	case !repeatable(e, s):
		return ReasonUnsafe
	case attempt >= orDefault(p.MaxAttempts, defaultAttempts):
		return ReasonAttempts
	case o.SessionLost:
		return ReasonSessionLost
	case hint > orDefault(p.MaxHint, defaultMaxHint):
		return ReasonHint
	case delay > orDefault(p.MaxWait, defaultMaxWait)-s.Waited:
		return ReasonWait
	case !s.Deadline.IsZero() && !s.Now.Add(delay).Before(s.Deadline):
		return ReasonDeadline
	case s.OverBudget:
		return ReasonBudget
	}
	return ReasonRetryable
}

// delayOf returns the wait before the next attempt, and the part of it that the
// server asked for.
func delayOf(p *Policy, e *toolerr.Error, attempt int, jitter float64) (delay, hint time.Duration) {
	window := orDefault(p.BaseDelay, defaultBase)
	if e.Code == toolerr.CodeRateLimited {
		window = orDefault(p.ThrottledDelay, defaultThrottled)
	}
	limit := min(orDefault(p.MaxDelay, defaultMaxDelay), longest)
	for i := 1; i < attempt && 0 < window && window < limit; i++ {
		window *= 2 // no overflow: longest is a quarter of the largest duration
	}
	window = min(window, limit)
	if math.IsNaN(jitter) {
		jitter = 0
	}
	jitter = min(max(jitter, 0), 1)
	hint = min(max(e.RetryAfter, 0), longest)
	return hint + time.Duration(jitter*float64(window)), hint
}

// longest keeps sums of waits from overflowing. Chosen: a quarter of what a
// [time.Duration] holds, 73 years.
const longest time.Duration = math.MaxInt64 / 4

// orDefault returns def for 0, and 0 for a negative value.
func orDefault[T int | time.Duration](v, def T) T { return max(cmp.Or(v, def), 0) }
