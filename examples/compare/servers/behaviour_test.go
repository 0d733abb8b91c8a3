package main

import (
	"context"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// known are the facts about each way, with the versions of go.mod.
var known = map[string]facts{
	"toolerr-go": {
		answers: "9 JSON", retry: 9, next: 9, wait: 7 * time.Second, field: 2, booking: "effect unknown, no retry",
		told: true, oneShape: true,
	},
	"go-sdk": {answers: "7 text, 2 crash", leaks: true, booking: "nothing", told: true},
	"mcp-go": {answers: "7 text, 2 protocol", leaks: true, booking: "nothing", told: true},
	"by hand": {
		answers: "5 JSON, 2 text, 2 crash", retry: 5, next: 5, wait: 7 * time.Second, booking: "no retry",
		dropped: 5, told: true,
	},
	"by hand, guarded": {
		answers: "6 JSON, 2 text, 1 crash", retry: 6, next: 6, wait: 7 * time.Second, booking: "no retry",
		told: true,
	},
}

func TestFacts(t *testing.T) {
	t.Parallel()
	require.Len(t, known, len(ways))
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			strict, answers, err := observe(t.Context(), way.name, "")
			require.NoError(t, err)
			require.Len(t, answers, 2+len(failures))
			assert.Equal(t, known[way.name], factsOf(strict, answers))

			for _, a := range answers {
				// A host that reads only the flag would do the work twice.
				effect, _ := roleEffect.find(a.data())
				retry, _ := roleRetry.find(a.data())
				assert.False(t, effect == "unknown" && retry == true, "%s: %s", a.call.name, a.wire)
			}

			require.Len(t, strict, 7, "all tools but the raw one have an output schema")
			for _, a := range answers[:2] {
				assert.Equal(t, kindSuccess, a.kind(), a.call.name)
				require.NoError(t, strict.accept(a), a.call.name)
			}
			for i, a := range answers {
				assert.Equal(t, a.kind() != kindCrash, a.alive, a.call.name)
				assert.Equal(t, a.kind() == kindCrash, i >= 2 && len(a.wire) == 0, a.call.name)
			}
		})
	}
}

// With clients of an older version, a handler that returns nothing does not end the server.
func TestOlderClients(t *testing.T) {
	t.Parallel()
	for name, answers := range map[string]string{
		"toolerr-go":       "9 JSON",
		"go-sdk":           "7 text, 1 null, 1 crash",
		"mcp-go":           "7 text, 2 protocol",
		"by hand":          "5 JSON, 2 text, 1 null, 1 crash",
		"by hand, guarded": "6 JSON, 2 text, 1 null",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			strict, seen, err := observe(t.Context(), name, "2025-11-25")
			require.NoError(t, err)
			want := known[name]
			want.answers = answers
			assert.Equal(t, want, factsOf(strict, seen))
		})
	}
}

func TestObserve_Unknown(t *testing.T) {
	t.Parallel()
	_, _, err := observe(t.Context(), "nobody", "")
	require.ErrorContains(t, err, "cannot connect to nobody")
}

// The server by hand has the output type any, because a typed handler's failure would not be sent.
func TestByHand_TypedHandler(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "v1.0.0"}, nil)
	mcp.AddTool(server, invoiceTool(),
		func(context.Context, *mcp.CallToolRequest, orderIn) (*mcp.CallToolResult, invoiceOut, error) {
			return &mcp.CallToolResult{IsError: true, StructuredContent: failure{Message: "The ledger is away."}}, invoiceOut{},
				nil
		})
	serverSide, clientSide := mcp.NewInMemoryTransports()
	running, err := server.Connect(t.Context(), serverSide, nil)
	require.NoError(t, err)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1.0.0"}, nil).
		Connect(t.Context(), clientSide, nil)
	require.NoError(t, err)
	res, err := session.CallTool(t.Context(),
		&mcp.CallToolParams{Name: "read_invoice", Arguments: map[string]any{"order": "ORD-7"}})
	require.NoError(t, err)
	assert.True(t, res.IsError)
	assert.Equal(t, map[string]any{"total": 0.0}, res.StructuredContent)
	require.NoError(t, session.Close())
	require.NoError(t, running.Wait())
}
