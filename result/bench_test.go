package result_test

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// plain is the envelope as somebody would read it without this module.
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

// BenchmarkParse shows what reading costs: of successes, and of our own envelope
// beside json.Unmarshal into a plain struct.
func BenchmarkParse(b *testing.B) {
	e := toolerr.Transient("The payment gateway did not answer in time.").WithCode(toolerr.CodeTimeout).
		WithHint("Retry with the same key.").WithEffect(toolerr.EffectUnknown).WithCorrelationID("3XUH7OHDMHUOIQE5RZZJVFKYPF")
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
