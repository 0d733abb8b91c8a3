package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Output that cannot be sent is the tool's fault, after it has booked.
func TestOutput_NotSent(t *testing.T) {
	t.Parallel()
	for name, plain := range map[string]bool{"ours": false, "SDK alone": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, &ledger.Server{Plain: plain})
			f.each(t, fewTransports, func(t *testing.T, _ string, call call) {
				t.Helper()
				for _, c := range [][2]string{
					{"NaN", ledger.Pay},
					{"NaN", ledger.Set},
					{"NaN", ledger.PayOnce},
					{"NaN", ledger.PayAs},
					{"channel", ledger.Pay},
					{"channel", ledger.Set},
					{"output without its file", ledger.Pay},
					{"output with a refusal inside", ledger.Pay},
					{"breaks the schema", ledger.Strict},
					{"breaks the schema by absence", ledger.Strict},
				} {
					fate, tool := c[0], c[1]
					told, order := call(t.Context(), tool, fate)
					f.check(t, tool, fate, order, told)
					assert.Len(t, f.book.Of(order), 1, fate)
					require.Len(t, told, 1, fate)
					e := told[0].Outcome.Err
					require.NotNil(t, e, fate)
					assert.Equal(t, toolerr.EffectUnknown, e.Effect, "%s: %s", fate, told[0].Outcome.Text())
					assert.Equal(t, toolerr.CodeInternal, e.Code, "%s: %s", fate, told[0].Outcome.Text())
					assert.True(t, !told[0].Decided || told[0].Decision.Action == retry.ActionVerify, fate)
				}
			})
		})
	}
}
