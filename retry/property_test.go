package retry_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A schedule is one run with random parameters.
type schedule struct {
	policy   retry.Policy
	deadline time.Duration // 0 means none
	failures []*toolerr.Error
	takes    []time.Duration
	starts   []time.Time
	ends     []time.Time
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func randomSchedule(r *rand.Rand) *schedule {
	s := &schedule{deadline: pick(r, 0, 0, time.Duration(r.Int64N(int64(90*time.Second))))}
	s.policy = retry.Policy{
		MaxAttempts: pick(r, 0, 1, 2, 5, 10, -1), BaseDelay: pick(r, 0, time.Millisecond, time.Second, -1),
		MaxDelay: pick(r, 0, 5*time.Second), MaxRetryAfter: pick(r, 0, time.Second, time.Hour, -1),
		MaxWait: pick(r, 0, 5*time.Second, time.Hour), AttemptTimeout: pick(r, 0, 0, 2*time.Second),
		Safety: pick(r, retry.SafetyUnknown, retry.SafetyUnknown, retry.SafetyReadOnly, retry.SafetyIdempotent, retry.SafetyKeyed),
		Budget: pick(r, nil, new(retry.Budget)),
	}
	for range r.IntN(11) { // spent by other callers
		_ = s.policy.Budget.Withdraw()
	}
	for range 12 {
		e := &toolerr.Error{
			Category:   pick(r, toolerr.CategoryTransient, toolerr.CategoryTransient, toolerr.CategoryTransient, toolerr.CategoryBusiness, toolerr.Category("odd")),
			Retryable:  r.IntN(8) > 0,
			Code:       pick(r, toolerr.CodeTimeout, toolerr.CodeRateLimited, toolerr.Code("")),
			Effect:     pick(r, toolerr.EffectNone, toolerr.EffectNone, toolerr.EffectNone, toolerr.EffectUnknown, toolerr.EffectApplied, toolerr.Effect(""), toolerr.Effect("odd")),
			RetryAfter: pick(r, 0, 0, -1, math.MinInt64, math.MaxInt64, time.Duration(r.Int64N(int64(40*time.Second))), 30*time.Second),
		}
		if r.IntN(15) == 0 {
			e = nil // success
		}
		s.failures = append(s.failures, e)
		s.takes = append(s.takes, pick(r, 0, time.Millisecond, time.Duration(r.Int64N(int64(10*time.Second)))))
	}
	return s
}

func (s *schedule) fn(ctx context.Context) (int, error) {
	n := len(s.starts)
	s.starts = append(s.starts, time.Now())
	defer func() { s.ends = append(s.ends, time.Now()) }()
	select {
	case <-time.After(s.takes[n%len(s.takes)]):
	case <-ctx.Done():
		return n, ctx.Err()
	}
	if e := s.failures[n%len(s.failures)]; e != nil {
		return n, e
	}
	return n, nil
}

// TestDo_Promises checks the promises in ten thousand random schedules.
func TestDo_Promises(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 11))
		outcomes := map[retry.Reason]int{}
		for range 10_000 {
			s := randomSchedule(r)
			ctx, cancel := context.WithCancel(t.Context())
			if s.deadline > 0 {
				ctx, cancel = context.WithTimeout(t.Context(), s.deadline)
			}
			began := time.Now()
			_, err := retry.Do(ctx, s.policy, s.fn)
			returned := time.Now()
			cancel()
			reason := check(t, s, err, began)
			outcomes[reason]++
			if t.Failed() {
				t.Fatalf("schedule %+v", s)
			}
			last := s.ends[len(s.ends)-1]
			if reason != retry.ReasonCanceled && reason != retry.ReasonPastDeadline {
				assert.Equal(t, last, returned, "wait after the last attempt")
			}
		}
		for _, reason := range []retry.Reason{
			"", retry.ReasonNotRetryable, retry.ReasonMayHaveTakenEffect, retry.ReasonNoAttemptsLeft, retry.ReasonRetryAfterTooLong, retry.ReasonWaitTooLong,
			retry.ReasonPastDeadline, retry.ReasonBudgetExhausted,
		} {
			assert.Greater(t, outcomes[reason], 20, "schedules with reason %q", reason)
		}
	})
}

// check checks a run against the promises, and returns the reason for its end.
func check(t *testing.T, s *schedule, err error, began time.Time) retry.Reason {
	t.Helper()
	limit := map[int]int{0: 3, -1: 1}[s.policy.MaxAttempts]
	if limit == 0 {
		limit = s.policy.MaxAttempts
	}
	assert.LessOrEqual(t, len(s.starts), limit, "attempts")
	maxWait := s.policy.MaxWait
	if maxWait == 0 {
		maxWait = time.Minute
	}
	var slept time.Duration
	for i := 1; i < len(s.starts); i++ {
		gap := s.starts[i].Sub(s.ends[i-1])
		slept += gap
		cut := s.policy.AttemptTimeout > 0 && s.ends[i-1].Sub(s.starts[i-1]) >= s.policy.AttemptTimeout
		if e := s.failures[(i-1)%len(s.failures)]; e != nil && !cut {
			assert.GreaterOrEqual(t, gap, e.RetryAfter, "wait after a hint")
			assert.True(t, e.Retryable, "retryable")
			if s.policy.Safety == retry.SafetyUnknown {
				assert.Contains(t, []toolerr.Effect{"", toolerr.EffectNone}, e.Effect, "effect before a repeat")
			}
		}
		if s.deadline > 0 {
			assert.True(t, s.starts[i].Before(began.Add(s.deadline)), "start before the deadline")
		}
	}
	assert.LessOrEqual(t, slept, maxWait, "total sleep")
	if err == nil {
		return ""
	}
	var given *retry.Error
	require.ErrorAs(t, err, &given)
	assert.Equal(t, len(s.starts), given.Decision.Attempt)
	assert.GreaterOrEqual(t, given.Decision.Waited, slept)
	if e := s.failures[(len(s.starts)-1)%len(s.failures)]; e != nil && toolerr.CodeOf(given.Err) == e.Code && given.Err == error(e) { //nolint:errorlint // the very value
		require.ErrorIs(t, err, e)
		var tool *toolerr.Error
		require.ErrorAs(t, err, &tool)
		assert.Equal(t, e.Message, tool.Message)
	}
	return given.Decision.Reason
}

// TestDo_Deadline checks that a run ends immediately, with the last error, if the next
// attempt would start after the deadline.
func TestDo_Deadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		start := time.Now()
		_, err := retry.Do(ctx, retry.Policy{}, func(context.Context) (int, error) { return 0, errRefused.WithRetryAfter(10 * time.Second) })
		assert.Zero(t, time.Since(start))
		var given *retry.Error
		require.ErrorAs(t, err, &given)
		assert.Equal(t, retry.ReasonPastDeadline, given.Decision.Reason)
		assert.ErrorIs(t, err, errRefused)
	})
}

// TestCallTool_HintsFromWire checks that no hint of a server overflows, panics or hangs.
func TestCallTool_HintsFromWire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for hint, want := range map[string]struct {
			attempts int
			reason   retry.Reason
		}{
			`-1`: {3, retry.ReasonNoAttemptsLeft}, `0`: {3, retry.ReasonNoAttemptsLeft}, `null`: {3, retry.ReasonNoAttemptsLeft}, `"soon"`: {3, retry.ReasonNoAttemptsLeft},
			`{}`: {3, retry.ReasonNoAttemptsLeft}, `1e-300`: {3, retry.ReasonNoAttemptsLeft}, `true`: {3, retry.ReasonNoAttemptsLeft}, `-1e400`: {3, retry.ReasonNoAttemptsLeft},
			`9223372036854775807`: {1, retry.ReasonRetryAfterTooLong}, `9223372036854775808`: {1, retry.ReasonRetryAfterTooLong}, `1e308`: {1, retry.ReasonRetryAfterTooLong},
			`30001`: {1, retry.ReasonRetryAfterTooLong},
		} {
			text := `{"isError":true,"errorCategory":"transient","isRetryable":true,"message":"m","retryAfterMs":` + hint + `,"effect":"none"}`
			s := &counter{answers: map[string]*mcp.CallToolResult{"t": {IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}}}
			_, d := retry.CallTool(t.Context(), retry.Policy{}, s, &mcp.CallToolParams{Name: "t"})
			assert.Equal(t, want.attempts, d.Attempt, hint)
			assert.Equal(t, want.reason, d.Reason, hint)
		}
		exact := failure(errRefused.WithRetryAfter(30 * time.Second))
		d := retry.Policy{}.Decide(exact, retry.State{Jitter: 0.5})
		assert.Equal(t, retry.ActionRetry, d.Action, "hint of 30 s")
		assert.Equal(t, 30*time.Second+250*time.Millisecond, d.Delay)
	})
}

// TestDo_AttemptTimeout checks that an attempt that times out is repeated only if that is
// safe.
func TestDo_AttemptTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for safety, want := range map[retry.Safety]int{retry.SafetyReadOnly: 2, retry.SafetyUnknown: 1} {
			attempts := 0
			start := time.Now()
			_, err := retry.Do(t.Context(), retry.Policy{AttemptTimeout: time.Second, BaseDelay: -1, Safety: safety}, func(ctx context.Context) (int, error) {
				if attempts++; attempts == 1 {
					<-ctx.Done()
					return 0, ctx.Err()
				}
				return 1, ctx.Err()
			})
			assert.Equal(t, want, attempts)
			assert.Equal(t, want == 1, err != nil)
			assert.Equal(t, time.Second, time.Since(start))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(nil)
		w.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if method == "tools/call" && w.calls.Add(1) == 1 {
					<-ctx.Done()
				}
				if method == "tools/call" {
					return result.OK("done"), nil
				}
				return next(ctx, method, req)
			}
		})
		c := w.client(t)
		c.Policy.AttemptTimeout = 50 * time.Millisecond
		_, d := call(t, c, "read")
		assert.Equal(t, retry.ActionAccept, d.Action)
		assert.Equal(t, 2, d.Attempt)
		require.NoError(t, c.Close())
	})
}
