package retry_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/retry/handoff"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// slow answers each call after a second, and counts the calls.
type slow struct {
	mu     sync.Mutex
	sent   int
	answer func(name string) (*mcp.CallToolResult, error) // nil means success
}

func (s *slow) CallTool(ctx context.Context, p *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	s.mu.Lock()
	s.sent++
	s.mu.Unlock()
	switch {
	case !sleepFor(ctx, time.Second):
		return nil, ctx.Err()
	case s.answer == nil:
		return result.OK("done"), nil
	}
	return s.answer(p.Name)
}

// TestGuard_WaitingContext checks that a call waits for an identical one until its own
// context ends, and is then not sent.
func TestGuard_WaitingContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, p := new(slow), guarded()
		go func() { _, _ = retry.CallTool(t.Context(), p, s, tool("refund")) }()
		synctest.Wait()
		for _, cause := range []error{context.Canceled, context.DeadlineExceeded} {
			start := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			if errors.Is(cause, context.Canceled) {
				ctx, cancel = context.WithCancel(t.Context())
				time.AfterFunc(100*time.Millisecond, cancel)
			}
			out, _ := retry.CallTool(ctx, p, s, tool("refund"))
			cancel()
			require.ErrorIs(t, out.AsError(), cause)
			assert.Equal(t, toolerr.EffectNone, out.Err.Effect)
			assert.Equal(t, 100*time.Millisecond, time.Since(start))
		}
		assert.Equal(t, 1, s.sent)
	})
}

// TestGuard_GivenUp checks that the next call is sent after a call without an answer,
// unless that may have taken effect.
func TestGuard_GivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, p := new(slow), guarded()
		over, cancel := context.WithCancel(t.Context())
		cancel()
		reason := func(ctx context.Context) retry.Reason {
			_, d := retry.CallTool(ctx, p, s, tool("refund"))
			return d.Reason
		}
		_ = reason(over)
		assert.Equal(t, retry.ReasonSucceeded, reason(t.Context()), "first call sent")

		var wg sync.WaitGroup
		var reasons [3]retry.Reason
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		for i := range 3 {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond) // in a synctest bubble
				reasons[i] = reason([]context.Context{ctx, t.Context(), t.Context()}[i])
			})
		}
		wg.Wait()
		assert.Equal(t, 2, s.sent)
		assert.Equal(t, []retry.Reason{retry.ReasonRepeatedCall, retry.ReasonRepeatedCall}, reasons[1:])
		_ = reason(over)
		assert.Equal(t, retry.ReasonRepeatedCall, reason(t.Context()), "after a call that was not sent")
	})
}

// TestGuard_NotSent checks that a call that was not sent changes nothing in the memory, and that
// a panic in a session does not block later calls.
func TestGuard_NotSent(t *testing.T) {
	t.Parallel()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	s, p := newCounter(), guarded()
	for range 3 {
		_, _ = retry.CallTool(t.Context(), p, s, tool("search"))
		_, _ = retry.CallTool(over, p, s, tool("search"))
	}
	assert.Len(t, s.calls, 2)
	for n := range 4 {
		out, _ := retry.CallTool(t.Context(), p, s, tool("down"))
		assert.Equal(t, n >= 2, strings.Contains(out.Err.Hint, "tell the user what you could not do"))
		_, _ = retry.CallTool(over, p, s, tool("down"))
	}
	bug := fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) { panic("a bug") })
	for range 2 {
		assert.Panics(t, func() { _, _ = retry.CallTool(t.Context(), p, bug, tool("refund")) })
	}
}

// TestGuard_EmptyAnswers checks that a repeated call gets the same empty answer.
func TestGuard_EmptyAnswers(t *testing.T) {
	t.Parallel()
	none := map[string]any{"orders": []any{}}
	for name, w := range map[string]*world{
		"ours":             newWorld(gives(result.Empty("No orders for ann!", none), result.Empty("No orders for ann!!", none))),
		"a list as a text": newWorld(gives(&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: `{"orders":[]}`}}})),
		"structured alone": newWorld(gives(&mcp.CallToolResult{Content: []mcp.Content{}, StructuredContent: none})),
	} {
		c, p := w.client(t), guarded()
		c.Policy = guarded()
		session := testutil.Connect(t, w.server, nil)
		for way, call := range map[string]func() (result.Outcome, retry.Decision){
			"client": func() (result.Outcome, retry.Decision) { return call(t, c, "read") },
			"call":   func() (result.Outcome, retry.Decision) { return retry.CallTool(t.Context(), p, session, tool("read")) },
		} {
			w.calls.Store(0)
			first, _ := call()
			require.Equal(t, result.KindEmpty, first.Kind, name)
			_, _ = call()
			for range 3 {
				out, d := call()
				assert.Equal(t, int64(2), w.calls.Load(), "%s, %s: calls", name, way)
				assert.Equal(t, retry.Decision{Action: retry.ActionAccept, Reason: retry.ReasonRepeatedCall, Tool: "read"}, d)
				assert.Equal(t, "empty "+first.Text(), out.Kind.String()+" "+out.Text(), "answer")
				found, err := result.Decode[map[string][]string](out)
				require.NoError(t, err, "%s, %s", name, way)
				assert.Equal(t, map[string][]string{"orders": {}}, found)
				assert.Equal(t, []string{"orders"}, handoff.Cover(map[string]result.Outcome{"orders": out}).Complete)
				out.Result.Content, out.Result.Meta["mine"] = nil, true // the SDK and callers may change it
				if object, ok := out.Result.StructuredContent.(map[string]any); ok {
					object["orders"] = "mine"
				}
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
