package ledger_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// eachGuarded runs a test with each of the callers that have a guard.
func eachGuarded(t *testing.T, test func(t *testing.T, f *fixture, caller ledger.Caller)) {
	t.Helper()
	eachGuardedOver(t, fewTransports, test)
}

func eachGuardedOver(t *testing.T, over []string, test func(t *testing.T, f *fixture, caller ledger.Caller)) {
	t.Helper()
	for _, kind := range []string{"Client", "CallTool", "Middleware"} {
		for _, transport := range over {
			t.Run(kind+", "+transport, func(t *testing.T) {
				t.Parallel()
				f := newFixture(t, new(ledger.Server))
				f.policy.Guard = new(retry.Guard)
				caller := ledger.Callers[kind](transports[transport](t, f), f.policy)
				defer caller.Close()
				test(t, f, caller)
			})
		}
	}
}

// 40, 40.0 and 4e1 are one number, for the guard and for its key.
func TestGuard_NumberSpellings(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{ledger.Pay, ledger.PayOnce, ledger.PayKept} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			eachGuarded(t, func(t *testing.T, f *fixture, caller ledger.Caller) {
				t.Helper()
				order := f.order()
				var told []ledger.Answer
				for _, amount := range []string{"40", "40.0", "4e1", "40.00e0"} {
					one := caller.Call(t.Context(), tool, map[string]any{"order": order, "fate": "bare error", "amount": json.RawMessage(amount)})
					told = append(told, one)
					require.Error(t, one.Outcome.AsError())
					assert.NotEqual(t, toolerr.CodeConflict, one.Outcome.Err.Code, amount)
					assert.Equal(t, toolerr.EffectUnknown, one.Outcome.Err.Effect, amount)
				}
				f.check(t, tool, "spellings", order, told)
				assert.Len(t, f.book.Of(order), 1)
			})
		})
	}
}

// Lookups of something else do not release a refund that may have been executed.
func TestGuard_UnrelatedLookup(t *testing.T) {
	t.Parallel()
	eachGuarded(t, func(t *testing.T, f *fixture, caller ledger.Caller) {
		t.Helper()
		order := f.order()
		var told []ledger.Answer
		for range 10 {
			told = append(told, caller.Call(t.Context(), ledger.Pay, map[string]any{"order": order, "fate": "bare error"}))
			require.NoError(t, caller.Call(t.Context(), ledger.Look, map[string]any{"order": "other-" + f.order()}).Outcome.AsError())
		}
		f.check(t, ledger.Pay, "unrelated look-up", order, told)
		assert.Len(t, f.book.Of(order), 1)
	})
}

// A lookup of the same order releases the call once.
func TestGuard_RelatedLookup(t *testing.T) {
	t.Parallel()
	eachGuarded(t, func(t *testing.T, f *fixture, caller ledger.Caller) {
		t.Helper()
		order := f.order()
		pay := func() { caller.Call(t.Context(), ledger.Pay, map[string]any{"order": order, "fate": "bare error"}) }
		pay()
		require.NoError(t, caller.Call(t.Context(), ledger.Look, map[string]any{"order": order}).Outcome.AsError())
		before := f.book.Late()
		for range 3 {
			pay()
		}
		assert.Equal(t, 1, f.book.Late()-before, "bookings refused in a closed round")
		assert.Len(t, f.book.Of(order), 1)
	})
}

// Only one of several identical concurrent calls is sent.
func TestGuard_ParallelCalls(t *testing.T) {
	t.Parallel()
	eachGuarded(t, func(t *testing.T, f *fixture, caller ledger.Caller) {
		t.Helper()
		order := f.order()
		told := make([]ledger.Answer, 10)
		var calls sync.WaitGroup
		for i := range told {
			calls.Go(func() {
				told[i] = caller.Call(t.Context(), ledger.Pay, map[string]any{"order": order, "fate": "bare error"})
			})
		}
		calls.Wait()
		f.check(t, ledger.Pay, "at once", order, told)
		assert.Len(t, f.book.Of(order), 1)
	})
}

// A thousand other failures do not evict a call that may have been executed.
func TestGuard_OtherFailures(t *testing.T) {
	t.Parallel()
	eachGuardedOver(t, fewTransports[:1], func(t *testing.T, f *fixture, caller ledger.Caller) {
		t.Helper()
		order := f.order()
		args := map[string]any{"order": order, "fate": "bare error"}
		told := []ledger.Answer{caller.Call(t.Context(), ledger.Pay, args)}
		for i := range 1100 {
			one := caller.Call(t.Context(), ledger.Pay, map[string]any{"order": i}) // not a text
			require.Equal(t, toolerr.CategoryValidation, one.Outcome.Err.Category)
		}
		told = append(told, caller.Call(t.Context(), ledger.Pay, args))
		f.check(t, ledger.Pay, "pushed out", order, told)
		assert.Len(t, f.book.Of(order), 1)
	})
}

// An empty answer is repeated on every call.
func TestGuard_EmptyAnswer(t *testing.T) {
	t.Parallel()
	eachGuarded(t, func(t *testing.T, f *fixture, caller ledger.Caller) {
		t.Helper()
		order := f.order()
		for i := range 4 {
			one := caller.Call(t.Context(), ledger.Look, map[string]any{"order": order})
			require.NoError(t, one.Outcome.AsError(), i)
			assert.Equal(t, result.KindEmpty.String(), one.Outcome.Kind.String(), i)
			assert.Contains(t, one.Outcome.Text(), order, i)
		}
	})
}

// A model that repeats a retryable failure is told to report it.
func TestGuard_RetryableFailure(t *testing.T) {
	t.Parallel()
	eachGuarded(t, func(t *testing.T, f *fixture, caller ledger.Caller) {
		t.Helper()
		order := f.order()
		var hints []string
		for range 4 {
			one := caller.Call(t.Context(), ledger.Pay, map[string]any{"order": order, "fate": "always refused"})
			require.Error(t, one.Outcome.AsError())
			assert.Equal(t, toolerr.EffectNone, one.Outcome.Err.Effect)
			hints = append(hints, one.Outcome.Err.Hint)
		}
		assert.Equal(t, hints[0], hints[1])
		assert.NotEqual(t, hints[1], hints[2], "hint of the third failure")
		assert.Empty(t, f.book.Of(order), fmt.Sprint(hints))
	})
}
