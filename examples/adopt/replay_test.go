package main

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReplay lets each framework run a conversation twice, as if it had crashed before it could
// store that the first run had ended.
func TestReplay(t *testing.T) {
	t.Parallel()
	type agent = func(context.Context, *script, *program) error
	for name, run := range map[string]agent{"adk-go": adkAdopted, "eino": einoAdopted} {
		for id, refunds := range map[string]int{"run-17": 1, "": 2} {
			t.Run(name+" "+id, func(t *testing.T) {
				ctx, path := t.Context(), ledger(filepath.Join(t.TempDir(), "ledger"))
				if id != "" {
					ctx = context.WithValue(ctx, runID{}, id)
				}
				for range 2 {
					c, err := converse(ctx, run, serverAdopted, situation{name: "replay", call: call{
						tool: "process_refund", arguments: map[string]any{"order_id": "ORD-7", "amount": 40},
					}}, path)
					require.NoError(t, err)
					require.NoError(t, c.err)
				}
				assert.Len(t, path.lines(refund), refunds)
			})
		}
	}
}
