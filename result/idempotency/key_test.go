package idempotency_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The same JSON value under the same key is the same call, however it is spelled.
func TestHandler_SpelledArguments(t *testing.T) {
	t.Parallel()
	for arguments, same := range map[string]bool{
		`{"amount":40,"order":{"id":"ORD-7"},"idempotency_key":"k"}`:             true,
		`{"idempotency_key":"k","order":{"id":"ORD-7"},"amount":40.0}`:           true,
		` {"amount": 4e1, "order": {"id": "\u004fRD-7"}, "idempotency_key":"k"}`: true,
		`{"amount":40.5,"order":{"id":"ORD-7"},"idempotency_key":"k"}`:           false,
		`{"amount":"40","order":{"id":"ORD-7"},"idempotency_key":"k"}`:           false,
		`{"amount":40,"order":{"id":"ORD-8"},"idempotency_key":"k"}`:             false,
	} {
		booked := 0
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		idempotency.AddTool(server, &mcp.Tool{Name: "pay"}, nil,
			func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
				booked++
				return nil, map[string]int{"booked": booked}, nil
			})
		session := testutil.Connect(t, server, nil)
		for _, raw := range []string{`{"amount":40,"order":{"id":"ORD-7"},"idempotency_key":"k"}`, arguments} {
			out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "pay", Arguments: json.RawMessage(raw)}))
			assert.Equal(t, raw != arguments || same, out.AsError() == nil, raw)
			assert.Equal(t, out.AsError() != nil, toolerr.CodeOf(out.AsError()) == toolerr.CodeConflict, raw)
		}
		assert.Equal(t, 1, booked, arguments)
	}
}
