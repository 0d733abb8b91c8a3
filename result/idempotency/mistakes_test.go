package idempotency_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
)

// TestAddTool_Mistakes checks that a tool whose clients would send no key is refused at start.
func TestAddTool_Mistakes(t *testing.T) {
	t.Parallel()
	add := func(tool *mcp.Tool, opts *idempotency.Options) func() {
		tool.Name = "charge"
		return func() {
			idempotency.AddTool(mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil), tool, opts,
				func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
					return nil, nil, nil
				})
		}
	}
	keyed := json.RawMessage(`{"type":"object","properties":{"idempotency_key":{"type":"string"}}}`)
	assert.PanicsWithValue(t, `idempotency.AddTool: the tool "charge" has ReadOnlyHint, so that clients send no key and repeat every call: `+
		`remove the hint, or use result.AddTool`, add(&mcp.Tool{Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, nil))
	assert.PanicsWithValue(t, `idempotency.AddTool: the input schema of the tool "charge" has no argument for the key: add the property "idempotency_key" of type string`,
		add(&mcp.Tool{InputSchema: json.RawMessage(`{"type":"object","properties":{"amount":{"type":"number"}}}`)}, nil))
	assert.Panics(t, add(&mcp.Tool{InputSchema: keyed}, &idempotency.Options{Argument: "token"}))
	assert.NotPanics(t, add(&mcp.Tool{InputSchema: keyed, Annotations: &mcp.ToolAnnotations{IdempotentHint: true}}, nil))
	assert.NotPanics(t, add(new(mcp.Tool), nil))
}
