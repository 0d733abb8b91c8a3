package retry_test

import (
	"context"
	"errors"
	"sync"
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

// left returns the number of retries that the budget allows now.
func left(b *retry.Budget) (n int) {
	for b.Withdraw() {
		n++
	}
	return n
}

func TestBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := new(retry.Budget)
		success, transient := result.Outcome{Kind: result.KindData}, result.Outcome{Kind: result.KindFailure, Err: errRefused}
		business := result.Outcome{Kind: result.KindFailure, Err: toolerr.Business("m")}
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
		time.Sleep(41 * time.Second) // in a synctest bubble
		assert.Equal(t, 1, left(b), "after the longest pause and 40 s")
		time.Sleep(time.Hour) // in a synctest bubble
		assert.Equal(t, 10, left(b), "refilled")
		time.Sleep(time.Hour) // in a synctest bubble
		b.Deposit(success, false)
		time.Sleep(time.Hour) // in a synctest bubble
		assert.Equal(t, 10, left(b), "time while it was full")
		for range 1000 {
			b.Deposit(success, true)
		}
		assert.Equal(t, 10, left(b), "capacity")

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
}

// TestBudget_BoundsRetries checks that the first attempt is never blocked, and that no
// retry is made without tokens, with or without a hint.
func TestBudget_BoundsRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := retry.Policy{Budget: new(retry.Budget), BaseDelay: time.Millisecond}
		calls := 0
		var last *retry.Error
		for range 100 {
			_, err := retry.Do(t.Context(), p, func(context.Context) (int, error) { calls++; return 0, errRefused.WithRetryAfter(time.Millisecond) })
			require.ErrorAs(t, err, &last)
		}
		assert.Equal(t, 104, calls)
		assert.Equal(t, retry.ReasonBudgetExhausted, last.Decision.Reason)
		assert.Equal(t, retry.ActionPropagate, last.Decision.Action)

		p.Safety = retry.SafetyReadOnly
		_, err := retry.Do(t.Context(), p, func(context.Context) (int, error) { return 0, errLost })
		require.ErrorAs(t, err, &last)
		assert.Equal(t, retry.ReasonBudgetExhausted, last.Decision.Reason)
		for range 10 {
			_, _ = retry.Do(t.Context(), p, func(context.Context) (int, error) { return 0, nil })
		}
		calls = 0
		_, err = retry.Do(t.Context(), p, func(context.Context) (int, error) {
			if calls++; calls == 1 {
				return 0, errRefused
			}
			return 0, nil
		})
		require.NoError(t, err, "refilled by replies")
	})
}

func TestBudget_ConcurrentUse(t *testing.T) {
	t.Parallel()
	b := new(retry.Budget)
	var wg sync.WaitGroup
	var mu sync.Mutex
	taken := 0
	for range 100 {
		wg.Go(func() {
			if b.Withdraw() {
				mu.Lock()
				defer mu.Unlock()
				taken++
			}
		})
	}
	wg.Wait()
	assert.Equal(t, 10, taken)
}

// TestBudget_TenThousandWaiters cancels ten thousand waiting calls.
func TestBudget_TenThousandWaiters(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("shutting down")
		var wg sync.WaitGroup
		start := time.Now()
		for range 10_000 {
			wg.Go(func() {
				_, err := retry.Do(ctx, retry.Policy{}, func(context.Context) (int, error) {
					return 0, errRefused.WithRetryAfter(20 * time.Second)
				})
				var given *retry.Error
				for _, target := range []error{why, context.Canceled, errRefused} {
					assert.True(t, errors.Is(err, target)) //nolint:testifylint // not in the test's own goroutine
				}
				assert.True(t, errors.As(err, &given) && given.Decision.Reason == retry.ReasonCanceled)
			})
		}
		synctest.Wait()
		cancel(why)
		wg.Wait() // the bubble ends only without goroutines
		assert.Zero(t, time.Since(start))
	})
}

// TestBudget_Size checks the setting, and a client without a budget.
func TestBudget_Size(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]int{0: 10, 50: 5, 300: 30, 5: 0, -1: 1000} {
		b := &retry.Budget{Size: size}
		n := 0
		for n < 1000 && b.Withdraw() {
			n++
		}
		assert.Equal(t, want, n, "retries with a size of %d", size)
	}
	w := newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, errRefused })
	c := w.client(t)
	c.Policy.Budget = &retry.Budget{Size: -1}
	for range 30 {
		_, d := call(t, c, "read")
		assert.Equal(t, retry.ReasonNoAttemptsLeft, d.Reason)
	}
}
