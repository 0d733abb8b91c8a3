package ledger_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// keyArguments are the key arguments of the tools with a key.
var keyArguments = map[string]string{
	ledger.PayOnce: "idempotency_key", ledger.PayKept: "idempotency_key", ledger.PayAs: ledger.OtherKey,
}

// eachNaive runs a test as a host without own retries, over each transport.
func eachNaive(t *testing.T, test func(t *testing.T, f *fixture, call func(tool string, args map[string]any) ledger.Answer)) {
	t.Helper()
	for _, transport := range fewTransports {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, new(ledger.Server))
			caller := ledger.Callers["naive host"](transports[transport](t, f), f.policy)
			defer caller.Close()
			test(t, f, func(tool string, args map[string]any) ledger.Answer { return caller.Call(t.Context(), tool, args) })
		})
	}
}

// Only a key in the request, in the tool's own argument, makes a failure retryable.
func TestKey_InRequest(t *testing.T) {
	t.Parallel()
	eachNaive(t, func(t *testing.T, f *fixture, call func(string, map[string]any) ledger.Answer) {
		t.Helper()
		for _, fate := range []string{"transient", "unavailable", "retryable", "deadline", "reset", "claims by itself"} {
			for tool, argument := range keyArguments {
				order := f.order()
				with := map[string]any{"order": order, "fate": fate, argument: "key-of-" + order}
				for n := range maxRepeats {
					told := call(tool, with)
					assert.Equal(t, tool != ledger.PayKept, told.AllowsRetry(), "%s, %s, %d: %s", tool, fate, n, told.Outcome.Text())
					assert.Equal(t, toolerr.EffectUnknown, told.Outcome.Err.Effect, "%s, %s, %d", tool, fate, n)
				}
				assert.Len(t, f.book.Of(order), 1, "%s, %s", tool, fate)

				order = f.order()
				told := call(tool, map[string]any{"order": order, "fate": fate})
				assert.False(t, told.AllowsRetry(), "%s, %s: without a key: %s", tool, fate, told.Outcome.Text())
				assert.NotEmpty(t, told.Outcome.Err.IdempotencyKey, "%s, %s", tool, fate)
				assert.Len(t, f.book.Of(order), 1, "%s, %s", tool, fate)
			}
			for tool, argument := range map[string]string{ledger.Open: "idempotency_key", ledger.Pay: ""} {
				args := map[string]any{"order": f.order(), "fate": fate}
				if argument != "" {
					args[argument] = "a-key-that-nobody-honours"
				}
				told := call(tool, args)
				require.Error(t, told.Outcome.AsError())
				assert.False(t, told.AllowsRetry(), "%s, %s: %s", tool, fate, told.Outcome.Text())
				assert.Equal(t, toolerr.EffectUnknown, told.Outcome.Err.Effect, "%s, %s", tool, fate)
			}
		}
	})
}

// A key can only be used again after a call whose author states that nothing was done.
func TestKey_Reopened(t *testing.T) {
	t.Parallel()
	eachNaive(t, func(t *testing.T, f *fixture, call func(string, map[string]any) ledger.Answer) {
		t.Helper()
		for tool, argument := range keyArguments {
			order := f.order()
			args := map[string]any{"order": order, "fate": "refused at first", argument: "key-of-" + order}
			told := call(tool, args)
			assert.Equal(t, toolerr.EffectNone, told.Outcome.Err.Effect, tool)
			assert.True(t, told.AllowsRetry(), tool)
			require.NoError(t, call(tool, args).Outcome.AsError(), tool)
			require.NoError(t, call(tool, args).Outcome.AsError(), tool)
			assert.Len(t, f.book.Of(order), 1, tool)
		}
		for fate, how := range ledger.Fates {
			if how.Before {
				continue
			}
			order := f.order()
			args := map[string]any{"order": order, "fate": fate, "idempotency_key": "key-of-" + order}
			first := call(ledger.PayKept, args)
			if first.Outcome.AsError() == nil { // it has no output schema
				continue
			}
			for range 2 {
				told := call(ledger.PayKept, maps.Clone(args))
				require.Error(t, told.Outcome.AsError(), fate)
				assert.NotEqual(t, toolerr.EffectNone, told.Outcome.Err.Effect, fate)
				assert.False(t, told.AllowsRetry(), fate)
			}
			assert.Len(t, f.book.Of(order), 1, fate)
		}
	})
}
