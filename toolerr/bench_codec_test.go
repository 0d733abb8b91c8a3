package toolerr_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// plain is a struct for the envelope without this package.
type plain struct {
	IsError         bool           `json:"isError"`
	Category        string         `json:"errorCategory"`
	Retryable       bool           `json:"isRetryable"`
	Code            string         `json:"code,omitempty"`
	Message         string         `json:"message"`
	Hint            string         `json:"hint,omitempty"`
	CustomerMessage string         `json:"customerMessage,omitempty"`
	RetryAfterMs    int64          `json:"retryAfterMs,omitempty"`
	Field           string         `json:"field,omitempty"`
	Suggestions     []string       `json:"suggestions,omitempty"`
	Effect          string         `json:"effect,omitempty"`
	CorrelationID   string         `json:"correlationId,omitempty"`
	Details         map[string]any `json:"details,omitempty"`
	Attempted       []plainAttempt `json:"attempted,omitempty"`
	Partial         *plainPartial  `json:"partial,omitempty"`
}

type plainAttempt struct {
	Tool      string         `json:"tool,omitempty"`
	Arguments map[string]any `json:"arguments,omitempty"`
	Attempts  int            `json:"attempts,omitempty"`
	ElapsedMs int64          `json:"elapsedMs,omitempty"`
	Category  string         `json:"errorCategory,omitempty"`
	Code      string         `json:"code,omitempty"`
}

type plainPartial struct {
	Processed    int             `json:"processed"`
	Total        int             `json:"total,omitempty"`
	ContinueFrom any             `json:"continueFrom,omitempty"`
	Results      json.RawMessage `json:"results,omitempty"`
}

// A sample is an error to encode.
type sample struct {
	name string
	e    *toolerr.Error
}

func samples() []sample {
	short := toolerr.Transient("The payment gateway did not answer in time.").WithCode(toolerr.CodeTimeout).
		WithHint("Retry with the same key.").WithRetryAfter(2 * time.Second).WithEffect(toolerr.EffectUnknown).
		WithCorrelationID("274907315482066319")
	attempts := make([]toolerr.Attempt, 3)
	for i := range attempts {
		attempts[i] = toolerr.Attempt{
			Tool: "search", Arguments: map[string]any{"query": fmt.Sprintf("go %d", i), "limit": 20}, Attempts: 3, Elapsed: 1234 * time.Millisecond,
			Category: toolerr.CategoryTransient, Code: toolerr.CodeTimeout,
		}
	}
	var results []string
	for i := range 15 {
		results = append(results, fmt.Sprintf(`{"id":%d,"to":"c%d@example.com","sent":true}`, i, i))
	}
	return []sample{
		{"short", short},
		{"quote", short.WithMessage(`There is no city "Hanoy": the service knows "Hanoi" and "Hà Nội".`)},
		{"full", short.WithCustomerMessage("One moment, please.").WithField("address.city").WithSuggestions("Hanoi", "Hà Nội").
			WithDetails(map[string]any{"order": "ORD-7", "amount": 40.5, "lines": 3})},
		{"attempted", short.WithAttempted(attempts...)},
		{"partial", short.WithPartial(&toolerr.Partial{
			Processed: 15, Total: 50, ContinueFrom: 16, Results: json.RawMessage("[" + strings.Join(results, ",") + "]"),
		})},
	}
}

// plainOf returns the plain struct of e.
func plainOf(e *toolerr.Error) *plain {
	p := &plain{
		true, string(e.Category), e.Retryable, string(e.Code), e.Message, e.Hint, e.CustomerMessage,
		e.RetryAfter.Milliseconds(), e.Field, e.Suggestions, string(e.Effect), e.CorrelationID, e.Details, nil, nil,
	}
	for _, a := range e.Attempted {
		p.Attempted = append(p.Attempted, plainAttempt{a.Tool, a.Arguments, a.Attempts, a.Elapsed.Milliseconds(), string(a.Category), string(a.Code)})
	}
	if e.Partial != nil {
		p.Partial = &plainPartial{e.Partial.Processed, e.Partial.Total, e.Partial.ContinueFrom, e.Partial.Results}
	}
	return p
}

// otherOrder returns an envelope with sorted members, as other programs may write it.
func otherOrder(wire []byte) []byte {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(wire, &m); err != nil {
		panic(err)
	}
	var members []string
	for name, raw := range m {
		members = append(members, fmt.Sprintf("%q: %s", name, raw))
	}
	slices.Sort(members)
	return []byte("{" + strings.Join(members, ", ") + "}")
}

// BenchmarkEncode compares AppendJSON with json.Marshal of the plain struct.
func BenchmarkEncode(b *testing.B) {
	for _, s := range samples() {
		p := plainOf(s.e)
		b.Run(s.name+"/AppendJSON", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = s.e.AppendJSON(nil)
			}
		})
		b.Run(s.name+"/json.Marshal", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := json.Marshal(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDecode compares UnmarshalJSON with json.Unmarshal into the plain struct, which
// neither sanitizes nor bounds its members.
func BenchmarkDecode(b *testing.B) {
	wires := map[string][]byte{}
	var names []string
	for _, s := range samples() {
		wires[s.name] = s.e.AppendJSON(nil)
		names = append(names, s.name)
	}
	wires["other order"] = otherOrder(wires["full"])
	for _, name := range append(names, "other order") {
		wire := wires[name]
		b.Run(name+"/Error", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var got toolerr.Error
				if err := got.UnmarshalJSON(wire); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/json.Unmarshal", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var got plain
				if err := json.Unmarshal(wire, &got); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
