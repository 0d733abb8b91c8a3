package result_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// BenchmarkFailedText measures the middleware alone with failures that are only text, by what
// is sent of them and how long they are.
func BenchmarkFailedText(b *testing.B) {
	prose := strings.Repeat("ledger write for the batch of the third shift did not go through, and the worker that held it has no more to say; ", 200)
	logger := slog.New(slog.NewJSONHandler(io.Discard, nil))
	list := &mcp.ListToolsResult{Tools: []*mcp.Tool{{Name: "refund", InputSchema: json.RawMessage(
		`{"type":"object","properties":{"order":{"type":"string"},"amount":{"type":"number"}},"required":["order"],"additionalProperties":false}`)}}}
	req := &mcp.CallToolRequest{Session: new(mcp.ServerSession), Params: &mcp.CallToolParamsRaw{Name: "refund", Arguments: json.RawMessage(`{"order":"ORD-7714","amount":650}`)}}
	for _, size := range []int{300, 1 << 10, 16 << 10} {
		text := prose[:size]
		for name, reveal := range map[string]func(error) bool{"masked": nil, "shown": result.RevealAll, "result": nil} {
			h := result.Middleware(&result.MiddlewareOptions{Logger: logger, Reveal: reveal})(func(_ context.Context, method string, _ mcp.Request) (mcp.Result, error) {
				if method == "tools/list" {
					return list, nil
				}
				r := new(mcp.CallToolResult)
				if r.IsError = true; name == "result" {
					r.Content = []mcp.Content{&mcp.TextContent{Text: text}}
				} else {
					r.SetError(errors.New(text))
				}
				return r, nil
			})
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_, err := h(context.Background(), "tools/call", req)
					require.NoError(b, err)
				}
			})
		}
	}
}
