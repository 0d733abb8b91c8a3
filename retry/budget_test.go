package retry_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
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

// TestBudget records the retries that are left in budgets, to which replies of first attempts and of retries (with +)
// are reported, from which tokens are taken, or for which time passes.
func TestBudget(t *testing.T) {
	t.Parallel()
	replies := map[string]result.Outcome{
		"ok": {Kind: result.KindData}, "busy": failure(errRefused), "no": failure(toolerr.Business("m")),
	}
	testutil.Recorded(t, "testdata/budget.txt", func(sample string) (got string) {
		synctest.Test(t, func(t *testing.T) {
			b := new(retry.Budget)
			for part := range strings.SplitSeq(sample, ", ") {
				times, steps, _ := strings.Cut(part, "*")
				n, err := strconv.Atoi(times)
				if err != nil {
					n, steps = 1, part
				}
				for step := range strings.FieldsSeq(strings.Repeat(steps+" ", n)) {
					word, isRetry := strings.CutSuffix(step, "+")
					reply, ok := replies[word]
					switch {
					case ok:
						b.Deposit(reply, isRetry)
					case step == "take":
						assert.True(t, b.Withdraw(), sample)
					case step == "left":
						got += fmt.Sprint(left(b), " ")
					default:
						d, err := time.ParseDuration(step)
						require.NoError(t, err, sample)
						time.Sleep(d) // in a bubble
					}
				}
			}
		})
		return strings.TrimSpace(got)
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
		assert.Equal(t, "104 propagate budget_exhausted", testutil.Words(total, last.Action, last.Reason))
		s, own := &script{answers: []any{errRefused}}, retry.Policy{Budget: new(retry.Budget), BaseDelay: -1}
		for range 100 {
			_, last = retry.CallTool(t.Context(), own, s, tool("t"))
		}
		assert.Equal(t, "104 budget_exhausted t", testutil.Words(len(s.calls), last.Reason, last.Tool), "CallTool")
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
	for budget, want := range map[*retry.Budget]retry.Reason{{Size: -1}: "no_attempts_left", nil: "budget_exhausted"} {
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

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// TestDo_Allocations checks that Do allocates one timer for all waits, the tool error for each
// error of another library, and the returned error with the attempts.
func TestDo_Allocations(t *testing.T) {
	const timer, gaveUp, wait = 3, 9, 5 // a time.Timer is three, the wait in details five
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
		"gives up":               {waits, 3, retry.Policy{BaseDelay: -1}, timer + gaveUp + wait},
		"not retryable":          {toolerr.Business("no"), 1, retry.Policy{}, gaveUp},
		// two for each error: what is read, and the tool error
		"of another library": {&answeredError{429, 1}, 2, retry.Policy{ThrottledDelay: -1}, timer + 4},
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
