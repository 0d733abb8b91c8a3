package result_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// plain is the envelope as a program without this module decodes it.
type plain struct {
	IsError       bool   `json:"isError"`
	Category      string `json:"errorCategory"`
	Retryable     bool   `json:"isRetryable"`
	Code          string `json:"code"`
	Message       string `json:"message"`
	Hint          string `json:"hint"`
	RetryAfterMs  int64  `json:"retryAfterMs"`
	Effect        string `json:"effect"`
	CorrelationID string `json:"correlationId"`
}

// BenchmarkParse measures the cost of successes, and of our own envelope compared with
// json.Unmarshal into a plain struct.
func BenchmarkParse(b *testing.B) {
	e := toolerr.Transient("The payment gateway did not answer in time.").WithCode(toolerr.CodeTimeout).
		WithHint("Retry with the same key.").WithEffect(toolerr.EffectUnknown).WithCorrelationID("274907315482066319")
	failure := result.Failure(e)
	wire := e.AppendJSON(nil)
	for name, res := range map[string]*mcp.CallToolResult{
		"text":       result.OK("The weather in Hanoi is sunny, 31 degrees, with light winds from the south."),
		"structured": {Content: []mcp.Content{&mcp.TextContent{Text: `{"celsius":31,"wind":"south"}`}}, StructuredContent: map[string]any{"celsius": 31.0, "wind": "south"}},
		"image":      {Content: []mcp.Content{&mcp.ImageContent{}}},
		"envelope":   failure,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = result.Parse(res, nil)
			}
		})
	}
	b.Run("envelope by json.Unmarshal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var p plain
			if err := json.Unmarshal(wire, &p); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkMiddleware compares a handler alone ("bare") with the same handler inside the
// middleware.
func BenchmarkMiddleware(b *testing.B) {
	failure := func(err error) *mcp.CallToolResult {
		r := new(mcp.CallToolResult)
		r.SetError(err)
		return r
	}
	typed := toolerr.Business("Over the limit.").WithCode(toolerr.CodeLimitExceeded).WithHint("Hand over to a person.")
	unknown := errors.New("dial tcp: no route")
	data := json.RawMessage(`{"items":[{"id":"ORD-7","amount":40}]}`)
	for _, bench := range []struct {
		name string
		next mcp.MethodHandler
	}{
		{"success", func(context.Context, string, mcp.Request) (mcp.Result, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(data)}}, StructuredContent: data}, nil
		}},
		{"typed failure", func(context.Context, string, mcp.Request) (mcp.Result, error) { return failure(typed), nil }},
		{"unknown failure", func(context.Context, string, mcp.Request) (mcp.Result, error) { return failure(unknown), nil }},
	} {
		req := &mcp.CallToolRequest{Session: new(mcp.ServerSession), Params: &mcp.CallToolParamsRaw{Name: "t"}}
		list := &mcp.ListToolsResult{Tools: []*mcp.Tool{{Name: "t"}}}
		next := func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "tools/list" {
				return list, nil
			}
			return bench.next(ctx, method, req)
		}
		counts := new(result.Counts)
		wrapped := result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler), Counts: counts})(next)
		for name, h := range map[string]mcp.MethodHandler{"bare": next, "middleware": wrapped} {
			b.Run(bench.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := h(context.Background(), "tools/call", req); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
