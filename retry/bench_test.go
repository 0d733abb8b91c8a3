package retry_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// BenchmarkGuard measures a successful read-only call with a guard that remembers nothing,
// failures, or calls that may have taken effect.
func BenchmarkGuard(b *testing.B) {
	for _, before := range []struct {
		name  string
		err   *toolerr.Error
		calls int
	}{
		{"none", nil, 0},
		{"failures", toolerr.Validation("The order does not exist."), 1000},
		{"unresolved", toolerr.Transient("The gateway does not answer.").WithEffect(toolerr.EffectUnknown), 5000},
	} {
		b.Run(before.name, func(b *testing.B) {
			policy := retry.Policy{Guard: new(retry.Guard)}
			s := &fakeSession{answer: func(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
				return result.Failure(before.err), nil
			}}
			for i := range before.calls {
				retry.CallTool(b.Context(), policy, s, tool("pay", map[string]any{"order_id": fmt.Sprint("ORD-", i), "amount": 40}))
			}
			s.answer, policy.Safety = nil, retry.SafetyReadOnly
			ask := tool("orders", map[string]any{"order_id": "ORD-none", "limit": 20})
			b.ReportAllocs()
			for b.Loop() {
				if _, d := retry.CallTool(b.Context(), policy, s, ask); d.Action != retry.ActionAccept {
					b.Fatal(d)
				}
			}
		})
	}
}

// BenchmarkResume measures the cost of a part for different numbers of parts.
func BenchmarkResume(b *testing.B) {
	for _, shape := range []struct {
		name string
		all  bool // each part repeats all earlier ones
	}{{"parts alone", false}, {"all so far", true}} {
		for _, parts := range []int{10, 100, 1000} {
			b.Run(fmt.Sprintf("%s/%d", shape.name, parts), func(b *testing.B) {
				answers := partsOf(b, parts, shape.all)
				b.ReportAllocs()
				for b.Loop() {
					n := 0
					call := func(context.Context, *mcp.CallToolParams) (result.Outcome, retry.Decision) {
						n++
						return answers[n-1], retry.Decision{Action: retry.ActionFixInput}
					}
					out, d := retry.Resume(b.Context(), call, tool("orders"), "continue_from")
					if out.Kind != result.KindData || n != parts {
						b.Fatal(out, d)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*parts), "ns/part")
			})
		}
	}
}

// partsOf returns the outcomes of an answer in n parts of one item.
func partsOf(b *testing.B, n int, all bool) []result.Outcome {
	b.Helper()
	var items []map[string]any
	outs := make([]result.Outcome, 0, n)
	for i := range n {
		if !all {
			items = nil
		}
		items = append(items, map[string]any{"id": i, "name": "An order"})
		raw, err := json.Marshal(items)
		require.NoError(b, err)
		p := &toolerr.Partial{Processed: i + 1, Total: n, ContinueFrom: i + 1, Results: raw}
		outs = append(outs, result.Parse(result.Failure(toolerr.Transient("More to come.").WithPartial(p)), nil))
	}
	var last any
	require.NoError(b, json.Unmarshal(outs[n-1].Err.Partial.Results, &last))
	outs[n-1] = result.Parse(result.OK(last), nil)
	return outs
}
