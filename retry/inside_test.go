package retry_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
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

// TestDo_InsideTool retries inside a tool, with a limit for attempts and time. The agent
// does not see failures that the tool recovers from. Other failures list the attempts, and
// the agent does not repeat them.
func TestDo_InsideTool(t *testing.T) {
	t.Parallel()
	synctest.Test(t, retryInsideTool)
}

// An upstream answers without a socket, so that it idles in a bubble.
type upstream struct{ requests, failures int }

func (u *upstream) RoundTrip(req *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	if u.requests++; u.requests <= u.failures {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	resp := w.Result()
	resp.Request = req
	return resp, nil
}

func retryInsideTool(t *testing.T) {
	t.Helper()
	service := new(upstream)
	client := &http.Client{Transport: service}
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
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://weather.test/", http.NoBody)
				if err != nil {
					return "", err
				}
				resp, err := client.Do(req)
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
	call := func(p retry.Policy, fail int) (result.Outcome, retry.Decision) {
		policy = p
		*service = upstream{failures: fail}
		return retry.CallTool(t.Context(), retry.Policy{Safety: retry.SafetyReadOnly}, session, &mcp.CallToolParams{Name: "weather"})
	}
	fast := retry.Policy{BaseDelay: time.Millisecond}

	out, d := call(fast, 2)
	require.NoError(t, out.AsError(), "recovered failure")
	assert.Equal(t, 3, service.requests)
	assert.Equal(t, 1, d.Attempt)

	out, d = call(fast, 100)
	assert.Equal(t, 3, service.requests)
	assert.Equal(t, 1, d.Attempt, "attempts of the agent")
	assert.Equal(t, retry.ReasonAlreadyRetried, d.Reason)
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
	assert.GreaterOrEqual(t, service.requests, 5, "waits of up to 60 ms in 300 ms")
	require.Len(t, out.Err.Attempted, 1)
	assert.Equal(t, service.requests, out.Err.Attempted[0].Attempts)
	assert.LessOrEqual(t, out.Err.Attempted[0].Elapsed, 300*time.Millisecond)
}
