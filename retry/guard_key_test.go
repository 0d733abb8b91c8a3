package retry_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestGuard_KeptKeys checks that a lost call keeps its key, whatever the spelling of
// numbers and the failure of the repeat.
func TestGuard_KeptKeys(t *testing.T) {
	t.Parallel()
	eachCaller(t, true, lostThenConflict, func(t *testing.T, l *ledger, call modelCall) {
		t.Helper()
		for i, amount := range []string{"40", "40.0", "4e1", "400e-1", "40"} {
			out := call(t.Context(), "pay", json.RawMessage(fmt.Sprintf(`{"amount":%s,"order":"ORD-7"}`, amount)))
			require.Error(t, out.AsError())
			assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect, "after a lost booking")
			assert.Len(t, l.byKey, 1, amount)
			_ = call(t.Context(), "find", map[string]any{"id": "ORD-7", "n": i})
			_ = call(t.Context(), "note", map[string]any{"n": i})
		}
		before := l.books()
		out := call(t.Context(), "pay", map[string]any{"amount": 40, "order": "ORD-7", "idempotency_key": "another"})
		require.Error(t, out.AsError())
		assert.Equal(t, before, l.books(), "bookings with another key")
		assert.Contains(t, out.Err.Hint, "idempotencyKey")
		assert.True(t, l.byKey[out.Err.IdempotencyKey])
		_ = call(t.Context(), "pay", map[string]any{"amount": 40, "order": "ORD-7", "idempotency_key": out.Err.IdempotencyKey})
		assert.Greater(t, l.books(), before)
		assert.Len(t, l.byKey, 1)
	})
}

// TestGuard_InventedKey checks that a model's own key makes no repeat safe if the tool
// takes none.
func TestGuard_InventedKey(t *testing.T) {
	t.Parallel()
	eachCaller(t, false, always(errors.New("gateway timeout")), func(t *testing.T, l *ledger, call modelCall) {
		t.Helper()
		for _, key := range []string{"", "a", "a", "b"} {
			_ = call(t.Context(), "refund", map[string]any{"order": "ORD-7", "idempotency_key": key})
		}
		assert.Equal(t, 1, l.books())
	})
}

// TestGuard_KeyAfterSuccess checks that a call after a success with the key is a new call.
func TestGuard_KeyAfterSuccess(t *testing.T) {
	t.Parallel()
	eachCaller(t, true, once(errLost), func(t *testing.T, l *ledger, call modelCall) {
		t.Helper()
		for range 2 {
			require.NoError(t, call(t.Context(), "pay", order).AsError())
		}
		assert.Equal(t, 3, l.books())
		assert.Len(t, l.byKey, 2)
	})
}
