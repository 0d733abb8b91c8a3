package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Calls that were certainly refused are still repeated. Otherwise the other tests would
// pass for a library that repeats nothing.
func TestRetry_Refused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plain bool
		fates map[string][]string // the tools that believe it
	}{
		"ours": {false, map[string][]string{
			"refused at first":    bookingTools(false),
			"dial fails at first": {ledger.Pay, ledger.Set}, // a keyed tool only trusts its author
		}},
		"SDK alone": {true, map[string][]string{"claims at first": bookingTools(true)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, &ledger.Server{Plain: c.plain})
			f.each(t, fewTransports, func(t *testing.T, _ string, call call) {
				t.Helper()
				for fate, tools := range c.fates {
					for _, tool := range tools {
						told, order := call(t.Context(), tool, fate)
						f.check(t, tool, fate, order, told)
						require.NoError(t, told[len(told)-1].Outcome.AsError(), "%s, %s", tool, fate)
						assert.Len(t, f.book.Of(order), 1, "%s, %s", tool, fate)
					}
				}
			})
		})
	}
}

// A flag in a text of an author does not state an effect.
func TestRetry_UnknownTool(t *testing.T) {
	t.Parallel()
	f := newFixture(t, new(ledger.Server))
	f.each(t, fewTransports, func(t *testing.T, _ string, call call) {
		t.Helper()
		told, order := call(t.Context(), ledger.Pay, "claims at first")
		f.check(t, ledger.Pay, "claims at first", order, told)
		assert.Len(t, told, 1)
		assert.Empty(t, f.book.Of(order))
	})
}

// Another tool must be called first. The model does that, and then calls again.
func TestFailedPrecondition_FixInput(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{ledger.Pay, ledger.PayOnce, ledger.PayKept} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, new(ledger.Server))
			f.policy.Guard = new(retry.Guard)
			f.eachCaller(t, fewTransports, func(t *testing.T, _ string, caller ledger.Caller) {
				t.Helper()
				order := f.order()
				args := map[string]any{"order": order, "fate": "step first"}
				told := f.told(t.Context(), caller, tool, args)
				require.Len(t, told, 1)
				f.check(t, tool, "step first", order, told)
				e := told[0].Outcome.Err
				assert.Equal(t, toolerr.EffectNone, e.Effect)
				assert.Contains(t, e.Hint, ledger.Set)
				assert.Equal(t, ledger.Set, e.Details["first"])
				if told[0].Decided {
					assert.Equal(t, retry.ActionFixInput, told[0].Decision.Action)
				}
				require.NoError(t, caller.Call(t.Context(), ledger.Set, map[string]any{"order": f.order()}).Outcome.AsError())
				told = f.told(t.Context(), caller, tool, args)
				require.NoError(t, told[0].Outcome.AsError())
				f.check(t, tool, "step first", order, told)
			})
		})
	}
}

// A host that repeats every failure books twice, and one that treats every failure as a
// refusal is contradicted by the book.
func TestViolations(t *testing.T) { //nolint:tparallel // the callers share a server
	t.Parallel()
	f := newFixture(t, new(ledger.Server))
	f.eachCaller(t, []string{"memory"}, func(t *testing.T, kind string, caller ledger.Caller) {
		t.Helper()
		order := f.order()
		args := map[string]any{"order": order, "fate": "bare error"}
		told := []ledger.Answer{caller.Call(t.Context(), ledger.Pay, args), caller.Call(t.Context(), ledger.Pay, args)}
		assert.Contains(t, violations(ledger.Pay, told, f.book.Of(order)), "booked 2 times", kind)
		for i := range told {
			told[i].Outcome.Err = told[i].Outcome.Err.WithEffect(toolerr.EffectNone)
			told[i].Decision.Action = retry.ActionPropagate
		}
		assert.Len(t, violations(ledger.Pay, told, f.book.Of(order)), 2, kind)
		told[0].Outcome.Err = told[0].Outcome.Err.WithEffect(toolerr.EffectUnknown)
		assert.Len(t, violations(ledger.Pay, told[:1], f.book.Of(order)[:1]), map[bool]int{true: 1}[told[0].Decided], kind)
	})
}
