package retry_test

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/retry/handoff"
)

type foundOrders struct {
	Orders []string `json:"orders"`
}

// TestGuard_EmptyAnswers checks that a repeated call gets the same empty answer.
func TestGuard_EmptyAnswers(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(n int64) *mcp.CallToolResult{
		"ours": func(n int64) *mcp.CallToolResult {
			return result.Empty("No orders for ann"+strings.Repeat("!", int(n)), map[string]any{"orders": []any{}})
		},
		"a list as a text": func(int64) *mcp.CallToolResult {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: `{"orders":[]}`}}}
		},
		"structured alone": func(int64) *mcp.CallToolResult {
			return &mcp.CallToolResult{Content: []mcp.Content{}, StructuredContent: map[string]any{"orders": []any{}}}
		},
	} {
		w := newWorld(func(n int64, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return answer(n), nil })
		c := w.client(t)
		session := testutil.Connect(t, w.server, nil)
		p := guarded()
		for way, call := range map[string]func() (result.Outcome, retry.Decision){
			"client": func() (result.Outcome, retry.Decision) { return call(t, c, "read") },
			"call":   func() (result.Outcome, retry.Decision) { return retry.CallTool(t.Context(), p, session, tool("read")) },
		} {
			c.Policy = guarded()
			w.calls.Store(0)
			first, _ := call()
			require.Equal(t, result.KindEmpty, first.Kind, name)
			_, _ = call()
			for range 3 {
				out, d := call()
				assert.Equal(t, int64(2), w.calls.Load(), "%s, %s: calls", name, way)
				assert.Equal(t, retry.Decision{Action: retry.ActionAccept, Reason: retry.ReasonRepeatedCall, Tool: "read"}, d)
				assert.Equal(t, result.KindEmpty, out.Kind)
				require.NoError(t, out.AsError())
				assert.Equal(t, first.Text(), out.Text(), "answer")
				found, err := result.Decode[foundOrders](out)
				require.NoError(t, err, "%s, %s", name, way)
				assert.Empty(t, found.Orders)
				assert.NotNil(t, found.Orders)
				assert.Equal(t, []string{"orders"}, handoff.Cover(map[string]result.Outcome{"orders": out}).Complete)
				out.Result.Content, out.Result.Meta["mine"] = nil, true // the SDK and callers may change it
				if object, ok := out.Result.StructuredContent.(map[string]any); ok {
					object["orders"] = "mine"
				}
			}
		}
	}
}

// TestGuard_LongEmptyAnswer checks that a remembered empty answer is bounded and stays
// empty.
func TestGuard_LongEmptyAnswer(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 1<<20)
	s := fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) {
		return result.Empty(long, map[string]any{"query": long, "found": []any{}}), nil
	})
	p := guarded()
	for range 2 {
		_, _ = retry.CallTool(t.Context(), p, s, tool("read"))
	}
	out, d := retry.CallTool(t.Context(), p, s, tool("read"))
	assert.Equal(t, retry.ReasonRepeatedCall, d.Reason)
	assert.Equal(t, result.KindEmpty, out.Kind)
	assert.LessOrEqual(t, len(out.Text()), 4<<10)
	assert.Nil(t, out.Result.StructuredContent)
}
