package idempotency_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type refund struct {
	Order  string  `json:"order"`
	Amount float64 `json:"amount"`
	Key    string  `json:"idempotency_key,omitempty"`
}

type refunded struct {
	ID    string   `json:"id"`
	Notes []string `json:"notes"`
}

// A keyedCall calls a handler with the key of a number.
type keyedCall func(tb testing.TB, number int)

// keyedCalls returns calls of a tool that succeeds or fails: of its handler alone, and of the
// wrapped handler, which stores them.
func keyedCalls(failure error) (bare, wrapped keyedCall) {
	handler := func(context.Context, *mcp.CallToolRequest, refund) (*mcp.CallToolResult, refunded, error) {
		return nil, refunded{ID: "R-1", Notes: []string{"sent"}}, failure
	}
	call := func(h mcp.ToolHandlerFor[refund, refunded]) keyedCall {
		return func(tb testing.TB, number int) {
			tb.Helper()
			key := fmt.Sprintf("4f0c2a9e-0d8b-4a3e-9f5d-%012d", number)
			raw := fmt.Appendf(nil, `{"order":"ORD-7714","amount":40,"idempotency_key":"%s"}`, key)
			req := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "refund", Arguments: json.RawMessage(raw)}}
			_, out, err := h(context.Background(), req, refund{Order: "ORD-7714", Amount: 40, Key: key})
			if (err != nil) != (failure != nil) || err == nil && out.ID != "R-1" {
				tb.Fatal(out, err)
			}
		}
	}
	return call(handler), call(idempotency.Handler(&idempotency.Options{Store: &idempotency.MemoryStore{MaxSize: -1}}, handler))
}

// errRefund is the error of the benchmarked tool.
var errRefund = toolerr.Business("The refund is over the limit of 500 EUR.").WithCode(toolerr.CodeLimitExceeded)

// BenchmarkHandler compares the first call with a key, and its repeat, with the handler alone.
func BenchmarkHandler(b *testing.B) {
	for name, failure := range map[string]error{"success": nil, "failure": errRefund.WithEffect(toolerr.EffectUnknown)} {
		bare, wrapped := keyedCalls(failure)
		number := 0
		for _, bench := range []struct {
			name  string
			call  keyedCall
			isNew bool
		}{{"bare", bare, true}, {"first call", wrapped, true}, {"replay", wrapped, false}} {
			b.Run(name+"/"+bench.name, func(b *testing.B) {
				b.ReportAllocs()
				bench.call(b, number)
				for b.Loop() {
					if bench.isNew {
						number++
					}
					bench.call(b, number)
				}
			})
		}
	}
}

// BenchmarkHandler_Middleware is the same from the client's request to its answer, inside the
// middleware and in memory.
func BenchmarkHandler_Middleware(b *testing.B) {
	handler := func(context.Context, *mcp.CallToolRequest, refund) (*mcp.CallToolResult, refunded, error) {
		return nil, refunded{ID: "R-1", Notes: []string{"sent"}}, nil
	}
	logger := slog.New(slog.NewJSONHandler(io.Discard, nil))
	sessions := map[bool]*mcp.ClientSession{}
	for _, keyed := range []bool{false, true} {
		server := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "v0"}, nil)
		if keyed {
			server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: logger}))
			idempotency.AddTool(server, &mcp.Tool{Name: "refund"}, &idempotency.Options{Store: &idempotency.MemoryStore{MaxSize: -1}}, handler)
		} else {
			mcp.AddTool(server, &mcp.Tool{Name: "refund"}, handler)
		}
		sessions[keyed] = testutil.Connect(b, server, nil)
	}
	number := 0
	for _, bench := range []struct {
		name         string
		keyed, isNew bool
	}{{"sdk", false, true}, {"first call", true, true}, {"replay", true, false}} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if bench.isNew {
					number++
				}
				res, err := sessions[bench.keyed].CallTool(b.Context(), &mcp.CallToolParams{Name: "refund", Arguments: map[string]any{
					"order": "ORD-7714", "amount": 40, "idempotency_key": fmt.Sprintf("4f0c2a9e-0d8b-4a3e-9f5d-%012d", number),
				}})
				if err != nil || res.IsError {
					b.Fatal(res, err)
				}
			}
		})
	}
}

// A call with a key has at most this many allocations in addition to its handler's.
func TestHandler_Allocations(t *testing.T) { //nolint:paralleltest // it counts allocations
	bare, wrapped := keyedCalls(nil)
	number := 0
	alone := allocs.Fewest(func() { number++; bare(t, number) })
	first := allocs.Fewest(func() { number++; wrapped(t, number) })
	replay := allocs.Fewest(func() { wrapped(t, number) })
	require.Positive(t, alone)
	t.Logf("the handler alone %v, the first call %v, its repeat %v", alone, first, replay)
	assert.LessOrEqual(t, first-alone, 102, "the first call") // one by the race detector's build
	assert.LessOrEqual(t, replay-alone, 82, "its repeat")
}
