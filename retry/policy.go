package retry

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Policy determines how often to retry and how long to wait. The zero value is ready to use. A
// Policy has no state of its own, and is safe for concurrent use.
//
// A limit of zero means the default. Each field says what a negative limit means.
type Policy struct {
	// MaxAttempts is the maximum number of attempts, including the first. Negative means
	// one attempt. Default: 3, as in the AWS SDKs' standard retry mode.
	MaxAttempts int
	// BaseDelay is the window of the first wait. A wait is a random part of its window ("full
	// jitter", Brooker, AWS Architecture Blog, 2015), which doubles with every attempt. Negative
	// means no random wait. Default: 500 ms, chosen to be short compared to a call.
	//
	//	window: 500ms -> 1s -> 2s -> ... -> 20s
	BaseDelay time.Duration
	// ThrottledDelay replaces BaseDelay after a rate limit. Default: 1 s, chosen because rate
	// limits count by the second or longer.
	ThrottledDelay time.Duration
	// MaxDelay is the maximum window. Negative means no random wait. Default: 20 s, as in
	// the AWS SDKs' standard retry mode.
	MaxDelay time.Duration
	// MaxRetryAfter is the longest wait that a server may ask for. A longer one ends the retries, with
	// ReasonRetryAfterTooLong and the wait as Decision.Delay; it is not shortened. The random wait is
	// added, so one wait may take up to MaxRetryAfter plus MaxDelay. Negative means that any wait a
	// server asks for ends the retries. Default: 30 s, chosen as half of MaxWait's default.
	MaxRetryAfter time.Duration
	// MaxWait is the maximum total wait. Negative allows only retries without a wait. Default: 60
	// s, chosen because MCP's TypeScript SDK gives up on a request after that time by default.
	MaxWait time.Duration
	// AttemptTimeout limits each request, and in [Do] each call of the function. After a timeout
	// the call is repeated only if that is safe. Zero or negative: no limit. While the SDK writes
	// to a stdio server that does not read, it ignores the context, and only a [Client] gives up. A
	// positive value under a millisecond, which must lack its unit, fails every call.
	AttemptTimeout time.Duration
	// IdleTimeout limits how long a request may go without an answer or progress. Each progress
	// notification for the request restarts it. AttemptTimeout limits the total; without it, the
	// limit is ten times IdleTimeout. Only a [Client] applies it: the client asks for progress, and
	// is notified if its sessions use [Client.Options]. Zero or negative: no limit.
	IdleTimeout time.Duration
	// Safety is the safety of the called tool or function. In a [Client] or a [Middleware] it
	// overrides every tool's own safety, and only SafetyKeyed gives a tool its key: set
	// Client.Safety instead. See [SafetyOf].
	Safety Safety
	// KeyArgument names the argument in which a SafetyKeyed tool takes its idempotency key.
	// Default: idempotency_key. A Client or Middleware treats a listed tool as keyed only if its
	// schema has an argument of this name that accepts a key in the form of a UUID.
	KeyArgument string
	// Key, if not nil, returns the key of a call to a SafetyKeyed tool, unless the arguments or the
	// Guard have one: at most 255 visible ASCII characters; "" means a random key. A program that
	// replays its runs derives it from the run and the step, as in "run-17/step-3": calls with the
	// same key are carried out once. It must not change the params, and must be safe for concurrent
	// use. [Do] ignores it.
	Key func(context.Context, *mcp.CallToolParams) string
	// Budget limits the retries of all callers that share it. If nil, a [Client] or a [Middleware]
	// uses its own, and [CallTool] and [Do] have no limit.
	Budget *Budget
	// Guard stops calls that a model of one conversation repeats without success. If nil, no call is
	// stopped. [Do] ignores it.
	Guard *Guard
	// OnDecision, if not nil, is called with every decision, before any wait, and again if the
	// context ends the wait. It must not change the outcome. It must be safe for concurrent use if
	// the policy is used concurrently. It is not called by Resume itself, after Client.Close, or if
	// the function given to Do succeeds on the first attempt.
	OnDecision func(result.Outcome, Decision)
	// Logger logs what OnDecision is called with: propagate, reauthorize and verify at WARN, all
	// others at DEBUG. The record of an attempt that was not sent contains the cause, which may
	// quote a server's error, with credentials masked. If nil, slog.Default() is used.
	Logger *slog.Logger
}

func loggerOf(p *Policy) *slog.Logger { return cmp.Or(p.Logger, slog.Default()) }

// checkUnits returns an error if a time limit lacks its unit.
func checkUnits(p *Policy) error {
	if advice := unitAdvice(p, false); advice != "" {
		return toolerr.Internal(nil).WithEffect(toolerr.EffectNone).WithMessage(advice)
	}
	return nil
}

// unitAdvice returns advice if a time limit (or, with delays set, delay) lacks its unit; else "".
func unitAdvice(p *Policy, delays bool) string {
	for i, d := range [...]time.Duration{p.AttemptTimeout, p.IdleTimeout, p.BaseDelay, p.ThrottledDelay, p.MaxDelay, p.MaxRetryAfter, p.MaxWait} {
		if (i < 2 || delays) && 0 < d && d < time.Millisecond {
			name := [...]string{"AttemptTimeout", "IdleTimeout", "BaseDelay", "ThrottledDelay", "MaxDelay", "MaxRetryAfter", "MaxWait"}[i]
			return fmt.Sprintf("retry.Policy.%s is %v: give it a unit, as in 30*time.Second.", name, d)
		}
	}
	return ""
}

// AgentPolicy returns a policy for an agent that makes one call at a time and waits for the
// results. It is more patient than the zero [Policy], and has its own budget of three times the
// default size, so that the agent survives an outage of a few seconds. It has
// no AttemptTimeout: set one, or call with a deadline. Use one value for each server. Use the zero Policy for a program with many callers, or for a fleet: it adds less load to
// a server that is down.
//
//	window: 2s -> 4s -> 8s, and four attempts in all
//
// Measured with "go test -C examples/compare ./storm -storm -v": if 3,000 agents wait during a 30 s
// outage, a fifth as many calls fail as with the zero Policy and a Budget. With 1,000 clients that do
// not wait, the server recovers as fast as without retries, at 1.5 attempts per call instead of 1.2.
func AgentPolicy() Policy {
	return Policy{MaxAttempts: 4, BaseDelay: 2 * time.Second, ThrottledDelay: 2 * time.Second, Budget: &Budget{Size: 300}}
}

// ToolPolicy returns a policy for a tool's calls to the service behind it: three attempts with at
// most 300 ms of waiting, for short failures such as a connection reset. A longer-lasting failure
// goes to the agent with the attempts made; the agent does not retry it, but acts on it. If the
// service asks for a wait of over 100 ms, there is no retry. Set Safety, and set AttemptTimeout to
// the service's longest response time.
//
//	window: 50ms -> 100ms, and three attempts in all
//
// The figures are chosen to be short compared to the seconds that a model needs for a step.
func ToolPolicy() Policy {
	return Policy{
		BaseDelay: 50 * time.Millisecond, ThrottledDelay: 50 * time.Millisecond, MaxDelay: 200 * time.Millisecond,
		MaxRetryAfter: 100 * time.Millisecond, MaxWait: 300 * time.Millisecond,
	}
}

// The defaults of [Policy], whose fields say how they were chosen.
const (
	defaultAttempts      = 3
	defaultBase          = 500 * time.Millisecond
	defaultThrottled     = time.Second
	defaultMaxDelay      = 20 * time.Second
	defaultMaxRetryAfter = 30 * time.Second
	defaultMaxWait       = time.Minute
)

func keyArgumentOf(p *Policy) string { return cmp.Or(p.KeyArgument, defaultKeyArgument) }

// delayOf returns the wait before the next attempt, and the part of it that is the server's hint.
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

// pauseAfter returns the pause after the nth failed dial or listing. It grows like the delays, but
// is never shorter than half a window.
func (p Policy) pauseAfter(err error, n int) time.Duration {
	p.BaseDelay, p.ThrottledDelay, p.MaxDelay = max(p.BaseDelay, 0), max(p.ThrottledDelay, 0), max(p.MaxDelay, 0) // negative delays would mean no pause
	delay, _ := delayOf(&p, result.Parse(nil, err).Err, n, (1+rand.Float64())/2)
	return delay
}

// maxWindow limits windows and hints. A quarter of the largest [time.Duration] (73 years) was chosen,
// so that sums of waits do not overflow.
const maxWindow time.Duration = math.MaxInt64 / 4

// orDefault returns v, or def if v is 0, or 0 if v is negative.
func orDefault[T int | time.Duration](v, def T) T { return max(cmp.Or(v, def), 0) }
