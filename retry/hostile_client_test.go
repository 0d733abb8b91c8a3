package retry_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestMiddleware_Successes(t *testing.T) {
	t.Parallel()
	w := newWorld(func(n int64, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if n == 1 {
			return nil, errRefused
		}
		return result.OK(map[string]any{"created": []any{"a", "b"}, "failed": []any{"c"}}), nil // not isError
	})
	res, _ := w.plainSession(t, quick).CallTool(t.Context(), tool("write"))
	assert.False(t, res.IsError, "batch: %v", res.StructuredContent)
	w = newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return result.OK(map[string]any{"status": "error", "message": "503 Service Unavailable"}), nil // of get_health
	})
	res, _ = w.plainSession(t, quick).CallTool(t.Context(), tool("read"))
	assert.False(t, res.IsError, "data: %v", res.StructuredContent)
	// the program answers the questions itself and has no request state
	w = newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return sheds("s"), nil })
	a, b := mcp.NewInMemoryTransports()
	_, _ = w.server.Connect(t.Context(), a, nil)
	client := mcp.NewClient(&mcp.Implementation{Name: "c"}, &mcp.ClientOptions{MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}})
	client.AddSendingMiddleware(retry.Middleware(quick, nil))
	s, _ := client.Connect(t.Context(), b, nil)
	res, _ = s.CallTool(t.Context(), tool("write"))
	assert.True(t, res.NeedsInput(), "state %q", res.RequestState)
}

func TestClient_SessionContext(t *testing.T) {
	t.Parallel()
	w := newWorld(done)
	srv := httptest.NewServer(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return w.server }, nil))
	defer srv.Close()
	c := &retry.Client{Policy: quick, Connect: func(ctx context.Context) (retry.ClientSession, error) {
		return mcp.NewClient(&mcp.Implementation{Name: "c"}, nil).Connect(ctx, &mcp.SSEClientTransport{Endpoint: srv.URL}, nil)
	}}
	a, cancel := context.WithCancel(t.Context())
	_, _ = c.CallTool(a, tool("write"))
	cancel()                          // the first caller leaves
	time.Sleep(50 * time.Millisecond) // sockets close in real time
	_, d := call(t, c, "write")       // the second caller
	assert.Equal(t, retry.ActionAccept, d.Action, d.Reason)
	c2 := &retry.Client{Policy: quick, Connect: c.Connect, Safety: retry.SafetyOf}
	defer func() { _, _ = c.Close(), c2.Close() }()
	c2.Policy.AttemptTimeout = testutil.Patience
	for range 3 {
		_, d = call(t, c2, "read")
		assert.Equal(t, retry.ActionAccept, d.Action, d.Reason)
	}
}

func TestClient_MissingServer(t *testing.T) {
	t.Parallel()
	c := &retry.Client{Connect: func(ctx context.Context) (retry.ClientSession, error) {
		return mcp.NewClient(&mcp.Implementation{Name: "c"}, nil).Connect(ctx, &mcp.CommandTransport{Command: exec.Command("no-such-server")}, nil)
	}}
	out, d := call(t, c, "x")
	assert.NotEqual(t, retry.ActionFixInput, d.Action, out.Text())
}

func TestClient_SessionDiesIdle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(done)
		c := w.client(t)
		_, _ = call(t, c, "write")
		w.cut()         // restarted while idle
		synctest.Wait() // and the session learns of it
		_, d := call(t, c, "write")
		assert.Equal(t, retry.ActionAccept, d.Action, "arrived: %d", w.calls.Load()-1)
	})
}

func TestSafetyOf_RefusedKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(done)
	for i, schema := range []map[string]any{{"type": "string", "pattern": "^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$"}, {"type": "integer"}, {"type": "string", "maxLength": 16}} {
		mcp.AddTool(w.server, &mcp.Tool{Name: fmt.Sprint("k", i), InputSchema: map[string]any{"type": "object", "properties": map[string]any{"idempotency_key": schema}}},
			func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
				return result.OK("ok"), nil, nil
			})
		res, _ := w.plainSession(t, quick).CallTool(t.Context(), tool(fmt.Sprint("k", i)))
		assert.False(t, res.IsError, "%v", res.Content)
	}
}

func TestCallTool_TypedNilSession(t *testing.T) {
	t.Parallel()
	var s *mcp.ClientSession
	assert.NotPanics(t, func() { retry.CallTool(t.Context(), retry.Policy{}, s, tool("x")) })
}

func TestBudget_AtCapacity(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		spend := func(b *retry.Budget) (n int) {
			for b.Withdraw() {
				n++
			}
			return n
		}
		b := new(retry.Budget)
		b.Withdraw()
		b.Withdraw()
		time.Sleep(time.Hour)              // in a synctest bubble
		b.Deposit(result.Outcome{}, false) // full again
		time.Sleep(time.Hour)              // in a synctest bubble
		assert.Equal(t, 10, spend(b))
		b = new(retry.Budget)
		b.Withdraw()
		time.Sleep(time.Hour) // full again
		assert.Equal(t, 10, spend(b))
		b = new(retry.Budget)
		for range 10 { // ten users cancel during the wait, before a retry
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			time.AfterFunc(time.Millisecond, cancel)
			_, _ = retry.Do(ctx, retry.Policy{Budget: b}, func(context.Context) (int, error) { return 0, errRefused.WithRetryAfter(time.Second) })
		}
		assert.True(t, b.Withdraw())
	})
}

func TestLog_NoServerText(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	p := retry.Policy{BaseDelay: 1, Logger: slog.New(slog.NewTextHandler(&log, nil))}
	s := fake(func(p *mcp.CallToolParams) (*mcp.CallToolResult, error) { // a server that quotes arguments
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("login with %q failed", p.Arguments)}}}, nil
	})
	_, _ = retry.CallTool(t.Context(), p, s, tool("login", map[string]any{"password": "hunter2"}))
	assert.NotContains(t, log.String(), "hunter2")
	_, _ = retry.CallTool(t.Context(), p, s, tool(strings.Repeat("x", 1<<20), map[string]any{}))
	assert.Less(t, log.Len(), 10_000)
}

func TestClient_ListFailsLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var lists atomic.Int64
		w := newWorld(done)
		w.onList(func(context.Context) (*mcp.ListToolsResult, error) {
			if lists.Add(1) > 1 {
				return nil, errors.New("down")
			}
			return nil, nil
		})
		c := w.client(t)
		_, _ = call(t, c, "charge")
		time.Sleep(6 * time.Minute) // in a synctest bubble
		for range 20 {
			_, _ = call(t, c, "charge")
		}
		assert.NotEmpty(t, keyOf(t, w, w.calls.Load()), "key after the list was forgotten")
		assert.Less(t, lists.Load(), int64(5))
		_ = c.Close()
	})
}

func TestResume_LongWait(t *testing.T) {
	t.Parallel()
	out := result.Parse(&mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{
		Text: `{"errorCategory":"transient","message":"m","retryAfterMs":99999999999999,"partial":{"processed":1,"continueFrom":"x"}}`,
	}}}, nil)
	d := retry.Policy{}.Decide(out, retry.State{})
	assert.NotEqual(t, retry.ActionFixInput, d.Action)
	assert.Equal(t, retry.ReasonRetryAfterTooLong, d.Reason)
	assert.Equal(t, 365*24*time.Hour, d.Delay, "for those who can wait that long")
}

// TestClient_SessionDiesBusy checks that a call on a session that ends still has the answer
// that it gets soon, and does not wait for one that does not come.
func TestClient_SessionDiesBusy(t *testing.T) {
	t.Parallel()
	for late, want := range map[time.Duration]toolerr.Code{time.Second: toolerr.CodeNotFound, time.Hour: toolerr.CodeUnavailable} {
		synctest.Test(t, func(t *testing.T) {
			s := &fakeSession{list: paged(1, new(atomic.Int64))}
			s.answer = func(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
				_ = s.Close()
				time.Sleep(late) // in a bubble
				return fails(toolerr.NotFound("order_id", "7"))
			}
			c := s.client()
			start := time.Now()
			out, _ := call(t, c, "write")
			assert.Equal(t, want, toolerr.CodeOf(out.AsError()))
			assert.LessOrEqual(t, time.Since(start), 5*time.Second)
			time.Sleep(late) // in a bubble, whose goroutines have to end
			require.NoError(t, c.Close())
		})
	}
}
