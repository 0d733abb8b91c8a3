package retry_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestGuard_EmptyAnswerAfterWrite(t *testing.T) {
	t.Parallel()
	created := false
	s := fake(func(p *mcp.CallToolParams) (*mcp.CallToolResult, error) {
		if created = created || p.Name == "create"; created {
			return result.OK("order 7"), nil
		}
		return result.Empty("No orders.", nil), nil
	})
	assert.NotEqual(t, retry.ReasonRepeatedCall, reasons(t, s, "search", "search", "create", "search")[3])
}

func TestGuard_AnotherServer(t *testing.T) {
	t.Parallel()
	p := retry.Policy{Guard: new(retry.Guard)}
	a := fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) { return fails(errPath) })
	b := fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) { return result.OK("found"), nil })
	_, _ = retry.CallTool(t.Context(), p, a, tool("read"))
	_, d := retry.CallTool(t.Context(), p, b, tool("read")) // a read on another server
	assert.Equal(t, retry.ActionAccept, d.Action)
}

func TestGuard_SimilarCalls(t *testing.T) {
	t.Parallel()
	p := retry.Policy{Guard: new(retry.Guard)}
	s := fake(func(p *mcp.CallToolParams) (*mcp.CallToolResult, error) {
		if answer, ok := p.InputResponses["otp"].(*mcp.ElicitResult); ok && answer.Content["code"] == "right" {
			return result.OK("paid"), nil
		}
		return fails(toolerr.Validation("Wrong code."))
	})
	for _, code := range []string{"wrong", "right"} {
		params := tool("pay")
		params.InputResponses = mcp.InputResponseMap{"otp": &mcp.ElicitResult{Action: "accept", Content: map[string]any{"code": code}}}
		_, d := retry.CallTool(t.Context(), p, s, params)
		assert.NotEqual(t, retry.ReasonRepeatedCall, d.Reason, code)
	}
	s = fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) { return fails(errPath) })
	for _, raw := range []string{`{"eth":1.000000000000000001}`, `{"eth":1.000000000000000002}`} {
		_, d := retry.CallTool(t.Context(), p, s, tool("send", json.RawMessage(raw)))
		assert.NotEqual(t, retry.ReasonRepeatedCall, d.Reason, raw)
	}
	n := 0
	s = fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) {
		if n++; n == 1 {
			return fails(errLost.WithIdempotencyKey("K")) // its hint: "Repeat it only with idempotencyKey"
		}
		return result.OK("done"), nil
	})
	_, _ = retry.CallTool(t.Context(), p, s, tool("book", map[string]any{"a": 1}))
	_, d := retry.CallTool(t.Context(), p, s, tool("book", map[string]any{"a": 1, "idempotency_key": "K"}))
	assert.NotEqual(t, retry.ReasonRepeatedCall, d.Reason, "key passed back")
}

func TestGuard_Memory(t *testing.T) { //nolint:paralleltest // measures memory
	s := fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: strings.Repeat("x", 1<<20)}}}, nil
	})
	p := retry.Policy{Guard: new(retry.Guard)}
	before := allocs.Heap()
	for n := range 50 {
		_, _ = retry.CallTool(t.Context(), p, s, tool("read", n))
	}
	assert.Less(t, allocs.Heap()-before, 5<<20)
	runtime.KeepAlive(p)
}
