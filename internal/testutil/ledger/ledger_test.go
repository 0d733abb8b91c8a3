package ledger_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

var fewTransports = []string{"memory", "stdio", "http"}

// The text of another server, or of an author, never proves an effect.
func TestTexts(t *testing.T) {
	t.Parallel()
	require.GreaterOrEqual(t, len(ledger.Texts), 26)
	for name, plain := range map[string]bool{"ours": false, "SDK alone": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, &ledger.Server{Plain: plain})
			f.each(t, fewTransports, func(t *testing.T, _ string, call call) {
				t.Helper()
				for i, text := range ledger.Texts {
					safe := bookingTools(plain)[1:] // each text with one of them, because reading takes time
					for _, tool := range []string{ledger.Pay, safe[i%len(safe)]} {
						told, order := call(t.Context(), tool, ledger.TextFate(i))
						f.check(t, tool, text, order, told)
						assert.Len(t, f.book.Of(order), 1, "%s: %s", tool, text)
						if tool == ledger.Pay {
							assert.NotEqual(t, toolerr.EffectNone, told[0].Outcome.Err.Effect, text)
						}
					}
				}
				for i, text := range ledger.Refusals {
					told, order := call(t.Context(), ledger.Pay, ledger.RefusalFate(i))
					assert.Len(t, f.book.Of(order), 1, text)
					assert.NotEqual(t, toolerr.EffectNone, told[0].Outcome.Err.Effect, text)
				}
			})
		})
	}
}

// A failure without a stated effect never has the effect none.
func TestFates(t *testing.T) {
	t.Parallel()
	f := newFixture(t, new(ledger.Server))
	f.each(t, fewTransports, func(t *testing.T, _ string, call call) {
		t.Helper()
		for _, fate := range slices.Sorted(maps.Keys(ledger.Fates)) {
			if strings.HasPrefix(fate, "text") || strings.HasPrefix(fate, "refusal") || ledger.Fates[fate].Before {
				continue
			}
			tools := bookingTools(false)
			if strings.HasPrefix(fate, "breaks the schema") {
				tools = []string{ledger.Strict}
			}
			for _, tool := range tools {
				told, order := call(t.Context(), tool, fate)
				f.check(t, tool, fate, order, told)
				assert.Len(t, f.book.Of(order), 1, "%s: %s", tool, fate)
				assert.Error(t, told[len(told)-1].Outcome.AsError(), "%s: %s", tool, fate)
			}
		}
	})
}
