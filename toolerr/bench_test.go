package toolerr_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

var sink any

// samples are errors to encode.
func samples() map[string]*toolerr.Error {
	short := toolerr.Transient("The payment gateway did not answer in time.").WithCode(toolerr.CodeTimeout).
		WithHint("Retry with the same key.").
		WithRetryAfter(2 * time.Second).WithEffect(toolerr.EffectUnknown).WithCorrelationID("274907315482066319")
	attempts := make([]toolerr.Attempt, 3)
	for i := range attempts {
		attempts[i] = toolerr.Attempt{
			Tool: "search", Arguments: map[string]any{"query": fmt.Sprintf("go %d", i), "limit": 20}, Attempts: 3,
			Elapsed:  1234 * time.Millisecond,
			Category: toolerr.CategoryTransient, Code: toolerr.CodeTimeout,
		}
	}
	results := json.RawMessage("[" + strings.Repeat(`{"id":7,"to":"c7@example.com","sent":true},`, 14) + "null]")
	return map[string]*toolerr.Error{
		"short": short,
		"quote": short.WithMessage(`There is no city "Hanoy": the service knows "Hanoi" and "Hà Nội".`),
		"full": short.WithCustomerMessage("One moment, please.").WithField("address.city").
			WithSuggestions("Hanoi", "Hà Nội").
			WithDetails(map[string]any{"order": "ORD-7", "amount": 40.5, "lines": 3}),
		"attempted": short.WithAttempted(attempts...),
		"partial":   short.WithPartial(&toolerr.Partial{Processed: 15, Total: 50, ContinueFrom: 16, Results: results}),
	}
}

// BenchmarkCodec compares AppendJSON and UnmarshalJSON with encoding/json and a map, which
// neither sanitizes nor bounds its members.
func BenchmarkCodec(b *testing.B) {
	for name, e := range samples() {
		wire := e.AppendJSON(nil)
		var object map[string]any
		if err := json.Unmarshal(wire, &object); err != nil {
			b.Fatal(err)
		}
		measure(b, name+"/AppendJSON", func() { sink = e.AppendJSON(nil) })
		measure(b, name+"/json.Marshal", func() { sink, _ = json.Marshal(object) })
		measure(b, name+"/UnmarshalJSON", func() { sink = new(toolerr.Error).UnmarshalJSON(wire) })
		measure(b, name+"/json.Unmarshal", func() { sink = json.Unmarshal(wire, new(map[string]any)) })
	}
}

func measure(b *testing.B, name string, work func()) {
	b.Helper()
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			work()
		}
	})
}
