package retry_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// left returns the number of retries that the budget allows now, up to 1000.
func left(b *retry.Budget) (n int) {
	for n < 1000 && b.Withdraw() {
		n++
	}
	return n
}

func TestBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := new(retry.Budget)
		success, transient, business := result.Outcome{Kind: result.KindData}, failure(errRefused), failure(toolerr.Business("m"))
		assert.Equal(t, 10, left(b), "initially full")
		for range 9 {
			b.Deposit(success, false)
		}
		b.Deposit(transient, false)
		assert.Zero(t, left(b), "after nine replies")
		b.Deposit(business, true)
		assert.Equal(t, 1, left(b), "after ten replies")
		b.Deposit(success, true)
		assert.Equal(t, 1, left(b), "after a successful retry")
		time.Sleep(39 * time.Second) // in a synctest bubble
		assert.Zero(t, left(b), "during the pause")
		for range 41 {
			time.Sleep(time.Second) // in a synctest bubble
			b.Deposit(transient, false)
		}
		assert.Equal(t, 1, left(b), "after the longest pause and 40 s")
		time.Sleep(time.Hour) // in a synctest bubble
		assert.Equal(t, 10, left(b), "refilled")
		b.Deposit(success, true)
		time.Sleep(time.Hour) // in a synctest bubble
		b.Deposit(success, false)
		time.Sleep(time.Hour) // in a synctest bubble
		assert.Equal(t, 10, left(b), "time while it was full")
		for range 1000 {
			b.Deposit(success, true)
		}
		assert.Equal(t, 10, left(b), "capacity")

		b = new(retry.Budget)
		for range 9 {
			assert.True(t, b.Withdraw())
		}
		time.Sleep(40 * time.Second) // in a synctest bubble
		assert.Equal(t, 2, left(b), "refilled without a reply or a pause")
		b = new(retry.Budget)
		for range 4 {
			assert.True(t, b.Withdraw())
			b.Deposit(transient, true)
		}
		assert.Zero(t, left(b), "failed retries")
		b.Deposit(transient, true)
		time.Sleep(80 * time.Second) // in a synctest bubble
		assert.Equal(t, 1, left(b), "no debts")
	})
	var none *retry.Budget
	none.Deposit(result.Outcome{}, true)
	assert.True(t, none.Withdraw())

	b := new(retry.Budget)
	var taken atomic.Int64
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			if b.Withdraw() {
				taken.Add(1)
			}
		})
	}
	wg.Wait()
	assert.Equal(t, int64(10), taken.Load(), "concurrent use")
}

// TestBudget_BoundsRetries checks that the first attempt is never blocked, that no retry is made
// without tokens, with or without a hint, and that a retry that is canceled costs none.
func TestBudget_BoundsRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := retry.Policy{Budget: new(retry.Budget), BaseDelay: time.Millisecond}
		total := 0
		var last retry.Decision
		for range 100 {
			calls, err := doing(t.Context(), p, errRefused.WithRetryAfter(time.Millisecond))
			last = given(t, err)
			total += calls
		}
		assert.Equal(t, "104 propagate budget_exhausted", fmt.Sprint(total, " ", last.Action, " ", last.Reason))
		s, own := &script{answers: []any{errRefused}}, retry.Policy{Budget: new(retry.Budget), BaseDelay: -1}
		for range 100 {
			_, last = retry.CallTool(t.Context(), own, s, tool("t"))
		}
		assert.Equal(t, "104 budget_exhausted t", fmt.Sprint(len(s.calls), " ", last.Reason, " ", last.Tool), "CallTool")
		p.Safety = retry.SafetyReadOnly
		for range 9 {
			_, _ = doing(t.Context(), p, nil)
		}
		_, err := doing(t.Context(), p, errLost)
		assert.Equal(t, retry.ReasonBudgetExhausted, given(t, err).Reason)
		_, _ = doing(t.Context(), p, nil)
		for range 2 {
			_, err = doing(t.Context(), p, errRefused, nil)
			require.NoError(t, err, "refilled by replies, and by retries that succeed")
		}

		p = retry.Policy{Budget: new(retry.Budget)}
		for range 20 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			time.AfterFunc(time.Millisecond, cancel)
			_, _ = doing(ctx, p, errRefused.WithRetryAfter(time.Second))
		}
		assert.True(t, p.Budget.Withdraw())
	})
}

// TestBudget_Size checks the setting, and a client without a budget.
func TestBudget_Size(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]int{0: 10, 50: 5, 300: 30, 5: 0, -1: 1000} {
		assert.Equal(t, want, left(&retry.Budget{Size: size}), "retries with a size of %d", size)
	}
	for budget, want := range map[*retry.Budget]retry.Reason{{Size: -1}: retry.ReasonNoAttemptsLeft, nil: retry.ReasonBudgetExhausted} {
		c := newWorld(gives(errRefused)).client(t)
		c.Policy.Budget = budget
		for range 29 {
			_, _ = call(t, c, "read")
		}
		_, d := call(t, c, "read")
		assert.Equal(t, want, d.Reason)
	}
	w := newWorld(gives(errRefused))
	session := w.plainSession(t, quick)
	for range 30 {
		_, _ = session.CallTool(t.Context(), tool("read"))
	}
	assert.Less(t, w.calls.Load(), int64(60), "by Middleware")
}

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
	if !sleepFor(ctx, s.takes[n%len(s.takes)]) {
		return n, ctx.Err()
	}
	if e := s.failures[n%len(s.failures)]; e != nil {
		return n, e
	}
	return n, nil
}

// TestDo_Promises checks the promises in random schedules.
func TestDo_Promises(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 11))
		outcomes := map[retry.Reason]int{}
		for range 4000 {
			s := randomSchedule(r)
			ctx, cancel := context.WithCancel(t.Context())
			if s.deadline > 0 {
				ctx, cancel = context.WithTimeout(t.Context(), s.deadline)
			}
			began := time.Now()
			_, err := retry.Do(ctx, s.policy, s.fn)
			reason := check(ctx, t, s, err, began)
			outcomes[reason]++
			if reason != retry.ReasonCanceled && reason != retry.ReasonPastDeadline {
				assert.Equal(t, s.ends[len(s.ends)-1], time.Now(), "wait after the last attempt")
			}
			cancel()
			if t.Failed() {
				t.Fatalf("schedule %+v", s)
			}
		}
		for _, reason := range []retry.Reason{
			"", retry.ReasonNotRetryable, retry.ReasonMayHaveTakenEffect, retry.ReasonNoAttemptsLeft, retry.ReasonRetryAfterTooLong, retry.ReasonWaitTooLong,
			retry.ReasonPastDeadline, retry.ReasonBudgetExhausted,
		} {
			assert.Greater(t, outcomes[reason], 10, "schedules with reason %q", reason)
		}
	})
}

// check checks a run against the policy's limits, and returns why it ended.
func check(ctx context.Context, t *testing.T, s *schedule, err error, began time.Time) retry.Reason {
	t.Helper()
	limit := cmp.Or(map[int]int{0: 3, -1: 1}[s.policy.MaxAttempts], s.policy.MaxAttempts)
	assert.LessOrEqual(t, len(s.starts), limit, "attempts")
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
	assert.LessOrEqual(t, slept, cmp.Or(s.policy.MaxWait, time.Minute), "total sleep")
	if err == nil {
		return ""
	}
	d := given(t, err)
	assert.Equal(t, len(s.starts), d.Attempt)
	assert.GreaterOrEqual(t, d.Waited, slept)
	if e := s.failures[(len(s.starts)-1)%len(s.failures)]; e != nil && s.policy.AttemptTimeout == 0 && d.Reason != retry.ReasonCanceled && ctx.Err() == nil {
		require.ErrorIs(t, err, e)
	}
	return d.Reason
}

// TestDo_Allocations checks that Do allocates one timer for all waits, the tool error for each
// error of another library, and the returned error with the attempts.
func TestDo_Allocations(t *testing.T) {
	const timer, gaveUp = 3, 9 // a time.Timer is three
	refused := toolerr.Transient("busy").WithEffect(toolerr.EffectNone)
	waits := refused.WithRetryAfter(1)
	for name, test := range map[string]struct {
		err    error
		fails  int
		policy retry.Policy
		most   int
	}{
		"first try":              {nil, 0, retry.Policy{}, 0},
		"first try, with budget": {nil, 0, retry.Policy{Budget: new(retry.Budget)}, 0},
		"without a wait":         {refused, 2, retry.Policy{BaseDelay: -1}, 0},
		"one wait":               {waits, 1, retry.Policy{BaseDelay: -1}, timer},
		"nine waits":             {waits, 9, retry.Policy{BaseDelay: -1, MaxAttempts: 10}, timer},
		"gives up":               {waits, 3, retry.Policy{BaseDelay: -1}, timer + gaveUp},
		"not retryable":          {toolerr.Business("no"), 1, retry.Policy{}, gaveUp},
		"of another library":     {&answeredError{StatusCode: 429, RetryAfter: 1}, 2, retry.Policy{ThrottledDelay: -1}, timer + 4}, // two for each error: what is read, and the tool error
	} {
		p := test.policy
		p.Logger = quiet
		allocs.AtMost(t, test.most, func() {
			calls := 0
			_, _ = retry.Do(t.Context(), p, func(context.Context) (int, error) {
				if calls++; calls <= test.fails {
					return 0, test.err
				}
				return 1, nil
			})
		}, name)
	}
}
