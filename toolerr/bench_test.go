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

// A sample is an error to encode.
type sample struct {
	name string
	e    *toolerr.Error
}

func samples() []sample {
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
	return []sample{
		{"short", short},
		{"quote", short.WithMessage(`There is no city "Hanoy": the service knows "Hanoi" and "Hà Nội".`)},
		{"full", short.WithCustomerMessage("One moment, please.").WithField("address.city").
			WithSuggestions("Hanoi", "Hà Nội").
			WithDetails(map[string]any{"order": "ORD-7", "amount": 40.5, "lines": 3})},
		{"attempted", short.WithAttempted(attempts...)},
		{"partial", short.WithPartial(&toolerr.Partial{Processed: 15, Total: 50, ContinueFrom: 16, Results: results})},
	}
}

// BenchmarkCodec compares AppendJSON and UnmarshalJSON with encoding/json and a map, which
// neither sanitizes nor bounds its members.
func BenchmarkCodec(b *testing.B) {
	for _, s := range samples() {
		wire := s.e.AppendJSON(nil)
		var object map[string]any
		if err := json.Unmarshal(wire, &object); err != nil {
			b.Fatal(err)
		}
		measure(b, s.name+"/AppendJSON", func() { sink = s.e.AppendJSON(nil) })
		measure(b, s.name+"/json.Marshal", func() { sink, _ = json.Marshal(object) })
		measure(b, s.name+"/UnmarshalJSON", func() { sink = new(toolerr.Error).UnmarshalJSON(wire) })
		measure(b, s.name+"/json.Unmarshal", func() { sink = json.Unmarshal(wire, new(map[string]any)) })
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
