package retry

import (
	"cmp"
	"log/slog"
	"math"
	"math/rand/v2"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Policy determines how often to retry and how long to wait. The zero value is ready to
// use. A Policy has no state, and is safe for concurrent use.
//
// A limit of zero means the default. A negative limit means no retry, no wait, no accepted
// hint, or no time limit.
type Policy struct {
	// MaxAttempts is the maximum number of attempts, including the first. Negative means
	// one attempt. Default: 3, as in the AWS SDKs' standard retry mode.
	MaxAttempts int
	// BaseDelay is the window of the first wait. The window doubles with every attempt, and
	// the wait is chosen from it at random ("full jitter", Brooker, AWS Architecture Blog,
	// 2015). Negative means to wait only as long as the server asks for. Default: 500 ms,
	// chosen as short compared to a call.
	//
	//	window: 500ms -> 1s -> 2s -> ... -> 20s
	BaseDelay time.Duration
	// ThrottledDelay is BaseDelay for a rate limit. Default: 1 s, chosen because
	// limits are counted by the second or longer.
	ThrottledDelay time.Duration
	// MaxDelay is the maximum window. Negative means no random wait. Default: 20 s, as in
	// the AWS SDKs' standard retry mode.
	MaxDelay time.Duration
	// MaxRetryAfter is the longest wait that a server may ask for. A longer one ends the
	// retries, with ReasonRetryAfterTooLong and the wait as Decision.Delay; it is not
	// shortened. The random wait is added, so one wait may take up to MaxRetryAfter plus
	// MaxDelay. Negative means that every such wait ends the retries. Default: 30 s, chosen
	// as half of MaxWait.
	MaxRetryAfter time.Duration
	// MaxWait is the maximum total wait. Negative allows only retries without a wait.
	// Default: 60 s, chosen because the TypeScript SDK of MCP gives up a request after that
	// time by default.
	MaxWait time.Duration
	// AttemptTimeout is the time limit of one attempt. After a timeout the call is repeated
	// only if that is safe. Default: none, as if negative; then only the context limits an
	// attempt. Without a [Client], neither ends a request that a stdio server does not
	// read, because the SDK ignores the context while it writes.
	AttemptTimeout time.Duration
	// IdleTimeout is the time limit of an attempt without an answer or progress. Each
	// notifications/progress for the attempt restarts it. The total is limited by
	// AttemptTimeout, or by ten times IdleTimeout. Only a [Client] applies it: it asks for
	// progress, and receives it if its sessions use [Client.Options]. Default: none, as if
	// negative.
	IdleTimeout time.Duration
	// Safety is the safety of the called tool or function. See [SafetyOf].
	Safety Safety
	// KeyArgument is the argument of a SafetyKeyed tool for its idempotency key. Default:
	// idempotency_key. A Client and Middleware treat a tool as keyed only if its schema has
	// an argument of this name that accepts such a key.
	KeyArgument string
	// Budget limits the retries of all callers that share it. If nil, there is no limit.
	Budget *Budget
	// Guard stops calls that a model repeats without success. If nil, no call is stopped.
	// [Do] ignores it.
	Guard *Guard
	// OnDecision, if not nil, is called with every decision, before any wait, and again if
	// the context ends the wait. It must not change the outcome. It must be safe for
	// concurrent use if the policy is used concurrently. It is not called if the function
	// given to Do succeeds on the first attempt.
	OnDecision func(result.Outcome, Decision)
	// Logger logs every decision: propagate, reauthorize and verify with level WARN, all
	// others with level DEBUG. If nil, it is slog.Default().
	Logger *slog.Logger
}

// A State holds the facts, other than the outcome, on which a decision depends.
type State struct {
	// Attempt is the number of attempts made, including the one with this outcome. Values
	// below 1 mean 1, so that the zero State is the first attempt.
	Attempt int
	// Waited is the total wait between the attempts.
	Waited time.Duration
	// Now is the current time. Deadline is the time by which the next attempt must start;
	// zero means none.
	Now, Deadline time.Time
	// Safety is the safety of the tool. If it is unknown, the policy's applies.
	Safety Safety
	// Unsettled means that an earlier attempt may have taken effect.
	Unsettled bool
	// Asked means that a person was asked for input during this call. Then the call is not
	// repeated, because a person is not asked twice.
	Asked bool
	// OverBudget means that the shared budget allows no retry now.
	OverBudget bool
	// Jitter is the random number from 0 to 1 that determines the random wait. At 0, the
	// wait is only the server's hint. Numbers outside the range are clamped.
	Jitter float64

	past       toolerr.Effect // the worst effect of the attempts that were repeated; with Decide, that of Unsettled
	pause      time.Duration  // the minimum wait, after a failed dial or listing
	noResult   bool           // the failure is an error and no result, so that it is classified here
	local      bool           // it is no protocol error either
	reconnects bool           // a lost session is replaced
}

// The defaults of [Policy]. Three attempts and 20 s are from the AWS SDKs' standard retry
// mode; the others are chosen, as documented at the fields.
const (
	defaultAttempts      = 3
	defaultBase          = 500 * time.Millisecond
	defaultThrottled     = time.Second
	defaultMaxDelay      = 20 * time.Second
	defaultMaxRetryAfter = 30 * time.Second
	defaultMaxWait       = time.Minute
)

// Decide returns what to do about an outcome, according to the table in the package
// documentation. It is a pure function: the time, the random number and the budget's answer
// are part of the state.
func (p Policy) Decide(o result.Outcome, s State) Decision {
	s.Safety = cmp.Or(s.Safety, p.Safety)
	s.past = toolerr.EffectNone
	if s.Unsettled {
		s.past = toolerr.EffectUnknown
	}
	return decide(&p, &o, &s)
}

// decide is [Policy.Decide] for a state in which the safety and the past effect are set.
func decide(p *Policy, o *result.Outcome, s *State) Decision {
	d := Decision{Attempt: max(s.Attempt, 1), Waited: s.Waited, Reason: ReasonUnreadable}
	switch o.Kind {
	case result.KindData, result.KindEmpty:
		d.Action, d.Reason = ActionAccept, ReasonSucceeded
	case result.KindInputRequired:
		d.Action, d.Reason = ActionProvideInput, ReasonInputRequired
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
	d.Action = actionFor(e, s)
	if o.Kind == result.KindPartial || e.Partial != nil {
		d.Reason = ReasonPartialResult
		if e.Partial != nil && e.Partial.ContinueFrom != nil {
			d.Reason = cmp.Or(tooLong(p, hint), ReasonPartialResult)
			if d.Reason == ReasonPartialResult && d.Action != ActionVerify {
				d.Action, d.Delay = ActionFixInput, hint
			}
		}
	} else if d.Reason = reasonAgainst(p, o, s, d.Attempt, delay, hint); d.Reason == ReasonRetryable {
		d.Action, d.Delay = ActionRetry, delay
	}
	switch {
	case d.Action == ActionVerify:
		d.Reason = ReasonMayHaveTakenEffect
	case d.Reason == ReasonRetryAfterTooLong:
		d.Delay = hint
	}
}

// tooLong returns the reason against a wait that a server asks for, or "".
func tooLong(p *Policy, hint time.Duration) Reason {
	if hint > orDefault(p.MaxRetryAfter, defaultMaxRetryAfter) {
		return ReasonRetryAfterTooLong
	}
	return ""
}

// reasonAgainst returns the reason against a retry, or ReasonRetryable if there is none.
func reasonAgainst(p *Policy, o *result.Outcome, s *State, attempt int, delay, hint time.Duration) Reason {
	e := o.Err
	_, repeat := resolve(e, s)
	switch {
	case !e.Retryable && e.Code == toolerr.CodeCanceled:
		return ReasonCanceled
	case len(e.Attempted) > 0 && (e.Retryable || e.Category == toolerr.CategoryTransient):
		return ReasonAlreadyRetried // its flag is sent as false
	case !repeat:
		return ReasonNotRetryable
	case s.Asked:
		return ReasonPersonAsked
	case attempt >= orDefault(p.MaxAttempts, defaultAttempts):
		return ReasonNoAttemptsLeft
	case o.SessionLost && !s.reconnects:
		return ReasonSessionLost
	case tooLong(p, hint) != "":
		return ReasonRetryAfterTooLong
	case delay > orDefault(p.MaxWait, defaultMaxWait)-s.Waited:
		return ReasonWaitTooLong
	case !s.Deadline.IsZero() && !s.Now.Add(delay).Before(s.Deadline):
		return ReasonPastDeadline
	case s.OverBudget:
		return ReasonBudgetExhausted
	}
	return ReasonRetryable
}

// delayOf returns the wait before the next attempt, and the part of it that is the server's
// hint.
func delayOf(p *Policy, e *toolerr.Error, attempt int, jitter float64) (delay, hint time.Duration) {
	window := orDefault(p.BaseDelay, defaultBase)
	if e.Code == toolerr.CodeRateLimited {
		window = orDefault(p.ThrottledDelay, defaultThrottled)
	}
	limit := min(orDefault(p.MaxDelay, defaultMaxDelay), maxWindow)
	for i := 1; i < attempt && 0 < window && window < limit; i++ {
		window *= 2 // cannot overflow: maxWindow is a quarter of the largest duration
	}
	window = min(window, limit)
	if math.IsNaN(jitter) {
		jitter = 0
	}
	jitter = min(max(jitter, 0), 1)
	hint = min(max(e.RetryAfter, 0), maxWindow)
	return hint + time.Duration(jitter*float64(window)), hint
}

// pauseAfter returns the pause after the nth failed dial or listing. It grows like the delays,
// but is never shorter than half of a window.
func (p Policy) pauseAfter(err error, n int) time.Duration {
	p.BaseDelay, p.MaxDelay = max(p.BaseDelay, 0), max(p.MaxDelay, 0) // negative delays would mean no pause
	delay, _ := delayOf(&p, result.Parse(nil, err).Err, n, (1+rand.Float64())/2)
	return delay
}

// maxWindow limits windows and hints, so that sums of waits do not overflow. Chosen: a
// quarter of the largest [time.Duration], 73 years.
const maxWindow time.Duration = math.MaxInt64 / 4

// orDefault returns v, but def if v is 0, and 0 if v is negative.
func orDefault[T int | time.Duration](v, def T) T { return max(cmp.Or(v, def), 0) }
