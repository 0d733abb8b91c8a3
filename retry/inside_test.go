package retry_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestDo_InsideTool retries inside a tool, with a limit for attempts and time. The agent
// does not see failures that the tool recovers from. Other failures list the attempts, and
// the agent does not repeat them.
func TestDo_InsideTool(t *testing.T) {
	t.Parallel()
	var requests, failures atomic.Int64
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if requests.Add(1) <= failures.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer upstream.Close()
	var policy retry.Policy
	opts := &result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			return result.Middleware(opts)(next)(ctx, method, req)
		}
	})
	result.AddTool(server, &mcp.Tool{Name: "weather", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			status, err := retry.Do(ctx, policy, func(ctx context.Context) (string, error) {
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, upstream.URL, http.NoBody)
				if err != nil {
					return "", err
				}
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					return "", err
				}
				if e := toolerr.FromResponse(resp); e != nil {
					return "", e
				}
				return resp.Status, resp.Body.Close()
			})
			return nil, map[string]string{"status": status}, err
		})
	session := testutil.Connect(t, server, nil)
	call := func(p retry.Policy, fail int64) (result.Outcome, retry.Decision) {
		policy = p
		requests.Store(0)
		failures.Store(fail)
		return retry.CallTool(t.Context(), retry.Policy{Safety: retry.SafetyReadOnly}, session, &mcp.CallToolParams{Name: "weather"})
	}
	fast := retry.Policy{BaseDelay: time.Millisecond}

	out, d := call(fast, 2)
	require.NoError(t, out.AsError(), "recovered failure")
	assert.Equal(t, int64(3), requests.Load())
	assert.Equal(t, 1, d.Attempt)

	out, d = call(fast, 100)
	assert.Equal(t, int64(3), requests.Load())
	assert.Equal(t, 1, d.Attempt, "attempts of the agent")
	assert.Equal(t, retry.ReasonAttempted, d.Reason)
	assert.Equal(t, retry.ActionPropagate, d.Action)
	require.Len(t, out.Err.Attempted, 1)
	a := out.Err.Attempted[0]
	assert.Equal(t, "3 transient unavailable", fmt.Sprint(a.Attempts, " ", a.Category, " ", a.Code))
	assert.Contains(t, out.Text(), `"attempted":[{"attempts":3,`)

	// The time limit of the handler is the budget of time: the next attempt would
	// start past it.
	opts = &result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler), Timeout: 300 * time.Millisecond}
	out, d = call(retry.Policy{MaxAttempts: 100, BaseDelay: 60 * time.Millisecond, MaxDelay: 60 * time.Millisecond}, 100)
	assert.Equal(t, 1, d.Attempt)
	assert.Less(t, requests.Load(), int64(50))
	require.Len(t, out.Err.Attempted, 1)
	assert.GreaterOrEqual(t, out.Err.Attempted[0].Attempts, int(requests.Load()), "the last may have been cut short on its way")
	assert.Less(t, out.Err.Attempted[0].Elapsed, testutil.Patience)
}
