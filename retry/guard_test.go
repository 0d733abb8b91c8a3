package retry_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func newCounter() *script {
	return &script{answers: []any{"done"}, tools: map[string]any{
		"read":    result.Failure(errPath),
		"denied":  result.Failure(toolerr.Permission("No access to infra/.")),
		"limit":   result.Failure(toolerr.LimitExceeded("Over the limit.", "Please wait.")),
		"bug":     result.Failure(toolerr.Internal(nil)),
		"lost":    result.Failure(errLost.WithRetryable(false)),
		"given":   result.Failure(errLost.WithRetryable(false).WithIdempotencyKey("theirs")),
		"closed":  result.Failure(errRefused.WithRetryable(false)),
		"advised": result.Failure(errRefused.WithHint("Ask Ann.")),
		"gone":    context.DeadlineExceeded,
		"applied": result.Failure(toolerr.Transient("Booked; the receipt is lost.").WithRetryable(false).
			WithEffect(toolerr.EffectApplied)),
		"soon":   result.Failure(toolerr.FailedPrecondition("There is no plan yet.", "make_plan")),
		"search": result.Empty("Nothing found.", nil),
		"poll":   textFailure("Job job-4711 is still running."),
		"down":   result.Failure(errRefused.WithAttempted(toolerr.Attempt{Attempts: 3})),
	}}
}

// TestGuard_Repeats records what five identical calls get, as often as it changes.
func TestGuard_Repeats(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/repeats.txt", func(sample string) (answers string) {
		name, safety, _ := strings.Cut(sample, " ")
		s, p, last := newCounter(), retry.Policy{Guard: new(retry.Guard), MaxAttempts: 1}, ""
		require.NoError(t, p.Safety.UnmarshalText([]byte(safety)), sample)
		for n := range 5 {
			out, d := retry.CallTool(t.Context(), p, s, tool(name, map[string]any{"path": "sesion.ts"}))
			got := testutil.Words(d.Action, d.Reason, d.Attempt, randoms.ReplaceAllString(out.Text(), ""))
			if got != last {
				answers += fmt.Sprintf("%d: %s\n", n+1, got)
			}
			last = got
		}
		return fmt.Sprintf("%d of 5 sent\n%s", len(s.calls), answers)
	})
}

// TestGuard_Panic checks that a panic in a session does not block later calls.
func TestGuard_Panic(t *testing.T) {
	t.Parallel()
	p := guarded()
	bug := new(fakeSession)
	bug.answer = func(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) { panic("a bug") }
	for range 2 {
		assert.Panics(t, func() { _, _ = retry.CallTool(t.Context(), p, bug, tool("refund")) })
	}
}

// TestGuard_ParallelCalls makes ten identical calls concurrently, by every entry point. If the reply is lost, one is
// sent, or all have one key. Successes are sent one after the other.
func TestGuard_ParallelCalls(t *testing.T) {
	t.Parallel()
	for way, start := range programs {
		for _, test := range []struct {
			tool    string
			answer  any
			stopped int
		}{
			{"write", result.Failure(errLost), 9},
			{"write", textFailure("Issued. No mail: 503 Service Unavailable"), 9},
			{"write", result.Failure(toolerr.Business("No receipt.").WithEffect(toolerr.EffectApplied)), 9},
			{"charge", result.Failure(errLost), 0},
			{"write", "done", 0},
		} {
			var running, most, stopped atomic.Int64
			w := newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				most.Store(max(most.Load(), running.Add(1)))
				defer running.Add(-1)
				time.Sleep(time.Millisecond) // so that concurrent calls overlap
				return answered(test.answer)
			})
			call := start(t, w, guarded())
			var all sync.WaitGroup
			for range 10 {
				all.Go(func() {
					out := call(t.Context(), tool(test.tool, order))
					assert.Equal(t, test.answer == "done", out.AsError() == nil, "%s, %s", way, test.tool)
					if e := out.Err; e != nil {
						assert.False(t, e.Retryable || e.Effect == toolerr.EffectNone, "%s, %s: %s", way, test.tool, out.Text())
					}
					if strings.Contains(out.Text(), "was not sent again") {
						stopped.Add(1)
					}
				})
			}
			all.Wait()
			keys := map[string]bool{}
			for n := range w.calls.Load() {
				keys[keyOf(t, w, n+1)] = true
			}
			assert.EqualValues(t, test.stopped, stopped.Load(), "%s, %s: stopped", way, test.tool)
			assert.Equal(t, test.stopped > 0, w.calls.Load() == 1, "%s, %s: sent", way, test.tool)
			assert.Len(t, keys, 1, "%s, %s", way, test.tool)
			assert.True(t, test.tool == "charge" || most.Load() == 1, "%s: calls at a time", way)
		}
	}
}

// TestGuard_EmptyAnswers checks that a repeated call gets the same empty answer.
func TestGuard_EmptyAnswers(t *testing.T) {
	t.Parallel()
	none := map[string]any{"orders": []any{}}
	for name, w := range map[string]*world{
		"ours": newWorld(gives(result.Empty("No orders for ann!", none), result.Empty("No orders for ann!!", none))),
		"a list as a text": newWorld(gives(
			&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: `{"orders":[]}`}}})),
		"structured alone": newWorld(gives(&mcp.CallToolResult{Content: []mcp.Content{}, StructuredContent: none})),
	} {
		c := w.client(t)
		c.Policy = guarded()
		first, _ := call(t, c, "read")
		require.Equal(t, result.KindEmpty, first.Kind, name)
		_, _ = call(t, c, "read")
		for range 3 {
			out, d := call(t, c, "read")
			assert.Equal(t, int64(2), w.calls.Load(), name)
			assert.Equal(t, retry.Decision{Action: retry.ActionAccept, Reason: retry.ReasonRepeatedCall, Tool: "read"}, d)
			assert.Equal(t, "empty "+first.Text(), out.Kind.String()+" "+out.Text(), "answer")
			found, err := result.Decode[map[string][]string](out)
			require.NoError(t, err, name)
			assert.Equal(t, map[string][]string{"orders": {}}, found)
			out.Result.Content, out.Result.Meta["mine"] = nil, true // the SDK and callers may change it
			if object, ok := out.Result.StructuredContent.(map[string]any); ok {
				object["orders"] = "mine"
			}
		}
	}
}

// TestGuard_Allocations checks that a success does not search the remembered calls.
func TestGuard_Allocations(t *testing.T) {
	p := retry.Policy{Guard: new(retry.Guard), Safety: retry.SafetyReadOnly, Logger: quiet}
	s, fail := new(fakeSession), &script{answers: []any{toolerr.Validation("no")}}
	ask := func() {
		_, d := retry.CallTool(t.Context(), p, s, tool("orders", map[string]any{"order_id": "ORD-none", "limit": 20}))
		assert.Equal(t, retry.ActionAccept, d.Action)
	}
	pay := func(n int) retry.Reason {
		_, d := retry.CallTool(t.Context(), p, fail, tool("pay", map[string]any{"order_id": fmt.Sprint("ORD-", n)}))
		return d.Reason
	}
	allocs.AtMost(t, 80, ask, "no call remembered")
	for n := range 1000 {
		_ = pay(n)
	}
	allocs.AtMost(t, 80, ask, "1,000 calls remembered")
	assert.Equal(t, retry.ReasonRepeatedCall, pay(999))
}
