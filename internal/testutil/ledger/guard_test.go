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

// guarded runs a test with the callers that a guard watches, each with one of its own.
func guarded(t *testing.T, test func(t *testing.T, f *field, caller ledger.Caller)) {
	t.Helper()
	guardedOver(t, fewTransports, test)
}

func guardedOver(t *testing.T, over []string, test func(t *testing.T, f *field, caller ledger.Caller)) {
	t.Helper()
	for _, kind := range []string{"Client", "CallTool", "Middleware"} {
		for _, transport := range over {
			t.Run(kind+", "+transport, func(t *testing.T) {
				t.Parallel()
				f := newField(t, new(ledger.Server))
				f.policy.Guard = new(retry.Guard)
				caller := ledger.Callers[kind](transports[transport](t, f), f.policy)
				defer caller.Close()
				test(t, f, caller)
			})
		}
	}
}

// 40, 40.0 and 4e1 are one number, for the guard and for the key that it passes on.
func TestGuard_SpellingsOfNumbers(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{ledger.Pay, ledger.PayOnce, ledger.PayKept} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			guarded(t, func(t *testing.T, f *field, caller ledger.Caller) {
				t.Helper()
				order := f.order()
				var told []ledger.Told
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

// Between ten refunds that may have been carried out, something else is looked up.
func TestGuard_UnrelatedLookUp(t *testing.T) {
	t.Parallel()
	guarded(t, func(t *testing.T, f *field, caller ledger.Caller) {
		t.Helper()
		order := f.order()
		var told []ledger.Told
		for range 10 {
			told = append(told, caller.Call(t.Context(), ledger.Pay, map[string]any{"order": order, "fate": "bare error"}))
			require.NoError(t, caller.Call(t.Context(), ledger.Look, map[string]any{"order": "other-" + f.order()}).Outcome.AsError())
		}
		f.check(t, ledger.Pay, "unrelated look-up", order, told)
		assert.Len(t, f.book.Of(order), 1)
	})
}

// A look at the same order releases the call, once.
func TestGuard_RelatedLookUp(t *testing.T) {
	t.Parallel()
	guarded(t, func(t *testing.T, f *field, caller ledger.Caller) {
		t.Helper()
		order := f.order()
		pay := func() { caller.Call(t.Context(), ledger.Pay, map[string]any{"order": order, "fate": "bare error"}) }
		pay()
		require.NoError(t, caller.Call(t.Context(), ledger.Look, map[string]any{"order": order}).Outcome.AsError())
		before := f.book.Late()
		for range 3 {
			pay()
		}
		assert.Equal(t, 1, f.book.Late()-before, "how often the book refused, since the round is closed")
		assert.Len(t, f.book.Of(order), 1)
	})
}

// Of identical calls at the same time one is sent.
func TestGuard_ParallelCalls(t *testing.T) {
	t.Parallel()
	guarded(t, func(t *testing.T, f *field, caller ledger.Caller) {
		t.Helper()
		order := f.order()
		told := make([]ledger.Told, 10)
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

// A thousand other failures do not push out a call that may have been carried out.
func TestGuard_OtherFailures(t *testing.T) {
	t.Parallel()
	guardedOver(t, fewTransports[:1], func(t *testing.T, f *field, caller ledger.Caller) {
		t.Helper()
		order := f.order()
		args := map[string]any{"order": order, "fate": "bare error"}
		told := []ledger.Told{caller.Call(t.Context(), ledger.Pay, args)}
		for i := range 1100 {
			one := caller.Call(t.Context(), ledger.Pay, map[string]any{"order": i}) // no text
			require.Equal(t, toolerr.CategoryValidation, one.Outcome.Err.Category)
		}
		told = append(told, caller.Call(t.Context(), ledger.Pay, args))
		f.check(t, ledger.Pay, "pushed out", order, told)
		assert.Len(t, f.book.Of(order), 1)
	})
}

// An empty answer stays the answer, however often it is asked for.
func TestGuard_EmptyAnswer(t *testing.T) {
	t.Parallel()
	guarded(t, func(t *testing.T, f *field, caller ledger.Caller) {
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

// A model that calls for a retryable failure again and again is told to report it.
func TestGuard_RetryableFailure(t *testing.T) {
	t.Parallel()
	guarded(t, func(t *testing.T, f *field, caller ledger.Caller) {
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
		assert.NotEqual(t, hints[1], hints[2], "from the third on")
		assert.Empty(t, f.book.Of(order), fmt.Sprint(hints))
	})
}
