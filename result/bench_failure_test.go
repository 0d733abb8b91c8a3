//go:build unix

package result_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A failingWay is one way of handling the errors of tools.
type failingWay struct {
	name    string
	receive mcp.Middleware // nil for none
}

// failingWays are the SDK alone, which logs nothing; the SDK with a log record for each failure;
// and the middleware. The records are encoded and discarded.
func failingWays() []failingWay {
	logger := slog.New(slog.NewJSONHandler(io.Discard, nil))
	byHand := func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			start := time.Now()
			res, err := next(ctx, method, req)
			if call, ok := req.(*mcp.CallToolRequest); ok {
				if r, ok := res.(*mcp.CallToolResult); ok && r.IsError {
					logger.LogAttrs(ctx, slog.LevelError, "tool call failed", slog.String("tool", call.Params.Name),
						slog.Duration("duration", time.Since(start)), slog.Any("error", r.GetError()))
				}
			}
			return res, err
		}
	}
	return []failingWay{
		{"sdk", nil}, {"sdk-log", byHand}, {"middleware", result.Middleware(&result.MiddlewareOptions{Logger: logger})},
	}
}

// failures are the errors of the benchmarked tools.
func failures() map[string]error {
	prose := "ledger write for the batch of the third shift did not go through, and the worker that held it has no more to say; "
	long := strings.Repeat(prose, 40)
	return map[string]error{
		"unclassified 60 B": errors.New(long[:60]),
		"unclassified 1 KB": errors.New(long[:1<<10]),
		"unclassified 4 KB": errors.New(long[:4<<10]),
		"authored": toolerr.Business("The refund is over the limit of 500 EUR.").WithCode(toolerr.CodeLimitExceeded).
			WithHint("Hand over to a person.").WithCustomerMessage("A colleague will look at it."),
	}
}

// BenchmarkFailedCall measures a failed call from the client's request to its answer in memory,
// including the log record: each way separately for allocations, and interleaved for the
// ratios of the process's CPU time.
func BenchmarkFailedCall(b *testing.B) {
	for name, failure := range failures() {
		b.Run(name, func(b *testing.B) { benchmarkFailure(b, failure) })
	}
}

func benchmarkFailure(b *testing.B, failure error) {
	b.Helper()
	type in struct {
		Order  string  `json:"order"`
		Amount float64 `json:"amount"`
	}
	type out struct {
		ID string `json:"id"`
	}
	ways := failingWays()
	sessions := make([]*mcp.ClientSession, len(ways))
	for i, way := range ways {
		server := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "v0"}, nil)
		result.AddTool(server, &mcp.Tool{Name: "refund"}, func(context.Context, *mcp.CallToolRequest, in) (*mcp.CallToolResult, out, error) {
			return nil, out{}, failure
		})
		if way.receive != nil {
			server.AddReceivingMiddleware(way.receive)
		}
		sessions[i] = testutil.Connect(b, server, nil)
	}
	call := func(i int) {
		res, err := sessions[i].CallTool(b.Context(), &mcp.CallToolParams{Name: "refund", Arguments: map[string]any{"order": "ORD-7714", "amount": 650}})
		if err != nil || !res.IsError {
			b.Fatal(res, err)
		}
	}
	for i, way := range ways {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				call(i)
			}
		})
	}
	b.Run("in turns", func(b *testing.B) { // -benchtime 30x
		took := inTurns(b, len(ways), call)
		for i := 1; i < len(ways); i++ {
			b.ReportMetric(ratio(took[i], took[0]), ways[i].name+"/sdk")
		}
		b.ReportMetric(ratio(took[2], took[1]), "middleware/sdk-log")
		b.ReportMetric(median(took[0])/1e3, "sdk-cpu-us")
	})
}

// BenchmarkFailedHandler measures the handlers without a session. The difference from "sdk" is
// the cost of each way.
func BenchmarkFailedHandler(b *testing.B) {
	for name, failure := range failures() {
		for _, way := range failingWays() {
			call := failingHandler(b, way, failure)
			b.Run(name+"/"+way.name, func(b *testing.B) {
				b.ReportAllocs()
				start := cpuTime(b)
				for b.Loop() {
					call()
				}
				b.ReportMetric(float64(cpuTime(b)-start)/float64(b.N), "cpu-ns/op")
			})
		}
	}
}

// failingHandler returns a call of a handler that fails, without a session.
func failingHandler(tb testing.TB, way failingWay, failure error) (call func()) {
	tb.Helper()
	list := &mcp.ListToolsResult{Tools: []*mcp.Tool{{Name: "refund", InputSchema: json.RawMessage(
		`{"type":"object","properties":{"order":{"type":"string"},"amount":{"type":"number"}},"required":["order"],"additionalProperties":false}`)}}}
	req := &mcp.CallToolRequest{Session: new(mcp.ServerSession), Params: &mcp.CallToolParamsRaw{Name: "refund", Arguments: json.RawMessage(`{"order":"ORD-7714","amount":650}`)}}
	h := mcp.MethodHandler(func(_ context.Context, method string, _ mcp.Request) (mcp.Result, error) {
		if method == "tools/list" {
			return list, nil
		}
		r := new(mcp.CallToolResult)
		r.SetError(failure)
		return r, nil
	})
	if way.receive != nil {
		h = way.receive(h)
	}
	return func() {
		if _, err := h(context.Background(), "tools/call", req); err != nil {
			tb.Fatal(err)
		}
	}
}

// Three of the allocations are the handler's, and two are only in programs built with -race.
func TestMiddleware_FailureAllocations(t *testing.T) { //nolint:paralleltest // it counts allocations
	limits := map[string]int{"authored": 19, "unclassified 60 B": 22, "unclassified 1 KB": 22, "unclassified 4 KB": 26} // one of each by the race detector's build
	way := failingWays()[2]
	for name, failure := range failures() {
		call := failingHandler(t, way, failure)
		assert.LessOrEqual(t, allocs.Fewest(call), limits[name], name)
	}
}

// inTurns interleaves runs of calls in each way, and returns the process's CPU time for each
// call in nanoseconds.
func inTurns(b *testing.B, ways int, call func(way int)) (took [][]float64) {
	b.Helper()
	const run = 400 // calls: long enough that each way pays for its own garbage
	took = make([][]float64, ways)
	for b.Loop() {
		for i := range ways {
			start := cpuTime(b)
			for range run {
				call(i)
			}
			took[i] = append(took[i], float64(cpuTime(b)-start)/run)
		}
	}
	b.ReportMetric(0, "ns/op") // the sum of all ways is meaningless
	return took
}

// ratio returns the median of the ratios between two ways.
func ratio(way, beside []float64) float64 {
	ratios := make([]float64, len(way))
	for i := range way {
		ratios[i] = way[i] / beside[i]
	}
	return median(ratios)
}

func median(values []float64) float64 { return slices.Sorted(slices.Values(values))[len(values)/2] }

// cpuTime returns the process's CPU time.
func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var used syscall.Rusage
	require.NoError(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
