package retry

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"reflect"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Policy determines how often to retry and how long to wait. A zero limit is the default one. A
// Policy has no state, and is safe for concurrent use.
type Policy struct {
	// MaxAttempts includes the first. Negative: one. Default: 3, as in the AWS SDKs' standard mode.
	MaxAttempts int
	// BaseDelay is the window of the first wait, which doubles; a wait is a random part of it
	// ("full jitter"). Negative: no random wait. Default: 500 ms, short compared to a call.
	BaseDelay time.Duration
	// ThrottledDelay replaces BaseDelay after a rate limit. Default: 1 s: limits count by the second.
	ThrottledDelay time.Duration
	// MaxDelay is the maximum window. Negative: no random wait. Default: 20 s, as in the AWS SDKs.
	MaxDelay time.Duration
	// MaxRetryAfter is the longest wait that a server may ask for; the random wait is added. Any
	// longer one ends the retries; if negative, any does. Default: 30 s, half of MaxWait's.
	MaxRetryAfter time.Duration
	// MaxWait is the maximum total wait. Negative: no wait. Default: 60 s (MCP's TypeScript SDK).
	MaxWait time.Duration
	// AttemptTimeout limits each request, and in [Do] each call of the function. Zero or negative:
	// no limit. Under a millisecond, without its unit, it fails every call.
	AttemptTimeout time.Duration
	// IdleTimeout limits, in a [Client], the time without an answer or progress (needs [Client.Options]);
	// ten times it limits a request without AttemptTimeout. Zero or negative: no limit.
	IdleTimeout time.Duration
	// Safety is that of the called tool or function. It overrides Client.Safety.
	Safety Safety
	// KeyArgument names the argument for the key, a string like a UUID. Default: idempotency_key.
	KeyArgument string
	// Key, if not nil, returns the key of a call to a keyed tool that has none: at most 255 visible
	// ASCII characters, or "" for a random one. It must not change the params. It must be safe for
	// concurrent use, and return the same key for a call that is to be done once.
	Key func(context.Context, *mcp.CallToolParams) string
	// Budget limits the retries of all that share it. If nil, a [Client] or [Middleware] has its own.
	Budget *Budget
	// Guard, if not nil, stops calls that a model repeats without success. [Do] ignores it.
	Guard *Guard
	// OnDecision, if not nil, is called with every decision before any wait, and if the context
	// ends a wait, but not by Resume, after Client.Close, or if Do succeeds at once. It must not
	// change the outcome, and must be safe for concurrent use.
	OnDecision func(result.Outcome, Decision)
	// Logger logs them: propagate, reauthorize and verify at WARN, others at DEBUG, with masked
	// causes of attempts that were not sent. If nil: slog.Default().
	Logger *slog.Logger
}

// over returns base with the fields that p sets.
func (p Policy) over(base Policy) Policy {
	own, all := reflect.ValueOf(p), reflect.ValueOf(&base).Elem()
	for i := range own.NumField() {
		if !own.Field(i).IsZero() {
			all.Field(i).Set(own.Field(i))
		}
	}
	return base
}

// checkUnits returns an error if a time limit lacks its unit.
func checkUnits(p *Policy) error {
	for i, d := range [...]time.Duration{p.AttemptTimeout, p.IdleTimeout} {
		if 0 < d && d < time.Millisecond {
			name := [...]string{"AttemptTimeout", "IdleTimeout"}[i]
			return toolerr.Internal(nil).WithEffect(toolerr.EffectNone).
				WithMessage(fmt.Sprintf("retry.Policy.%s is %v: give it a unit, as in 30*time.Second.", name, d))
		}
	}
	return nil
}

// AgentPolicy returns a policy for one server and an agent that makes one call at a time: four
// attempts, windows of 2s -> 4s -> 8s, and a budget of three times the default, measured in
// examples/compare/storm. In a [Client] a request ends after a minute without progress (TypeScript SDK).
func AgentPolicy() Policy {
	return Policy{
		MaxAttempts: 4, BaseDelay: 2 * time.Second, ThrottledDelay: 2 * time.Second, IdleTimeout: time.Minute,
		Budget: &Budget{Size: 300},
	}
}

// ToolPolicy returns a policy for a tool's calls to the service behind it: three attempts, windows
// of 50ms -> 100ms, at most 300 ms of waiting, and no retry if the service asks for more than 100
// ms. Set Safety, and AttemptTimeout to the service's longest response time.
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
	defaultMaxRetryAfter = 30 * time.Second // as longDelay in package hint
	defaultMaxWait       = time.Minute
)

// delayOf returns the wait before the next attempt, and the part of it that is the server's hint.
func delayOf(p *Policy, e *toolerr.Error, attempt int, jitter float64) (delay, hint time.Duration) {
	window := orDefault(p.BaseDelay, defaultBase)
	if e.Code == toolerr.CodeRateLimited || classify.Code(string(e.Code), 0).Code == string(toolerr.CodeRateLimited) {
		window = orDefault(p.ThrottledDelay, defaultThrottled) // also for a stranger's word
	}
	limit := min(orDefault(p.MaxDelay, defaultMaxDelay), maxWindow)
	for i := 1; i < attempt && 0 < window && window < limit; i++ {
		window *= 2 // cannot overflow: maxWindow is a quarter of the largest duration
	}
	window = min(window, limit)
	if !(jitter > 0) { // also NaN
		jitter = 0
	}
	hint = min(max(e.RetryAfter, 0), maxWindow)
	return hint + time.Duration(min(jitter, 1)*float64(window)), hint
}

// pauseAfter returns the pause after the nth failed dial: a delay, but at least half a window.
func (p Policy) pauseAfter(err error, n int) time.Duration {
	// negative delays would mean no pause
	p.BaseDelay, p.ThrottledDelay, p.MaxDelay = max(p.BaseDelay, 0), max(p.ThrottledDelay, 0), max(p.MaxDelay, 0)
	delay, _ := delayOf(&p, result.Parse(nil, err).Err, n, (1+rand.Float64())/2)
	return delay
}

// maxWindow limits windows and hints: a quarter of the largest duration, chosen so that sums do not overflow.
const maxWindow time.Duration = math.MaxInt64 / 4

// orDefault returns v, or def if v is 0, or 0 if v is negative.
func orDefault[T int | time.Duration](v, def T) T { return max(cmp.Or(v, def), 0) }
