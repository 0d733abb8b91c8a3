package retry_test

import (
	"context"
	"errors"
	"io"
	"net"
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

var quick = retry.Policy{BaseDelay: time.Millisecond}

// plainSession returns the session of a program that uses this package only through
// Middleware.
func (w *world) plainSession(t *testing.T, p retry.Policy) *mcp.ClientSession {
	t.Helper()
	serverSide, clientSide := net.Pipe()
	_, err := w.server.Connect(t.Context(), &mcp.IOTransport{Reader: serverSide, Writer: serverSide}, nil)
	require.NoError(t, err)
	w.line.Store(&serverSide)
	client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, nil)
	client.AddSendingMiddleware(retry.Middleware(p, retry.SafetyOf))
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: clientSide, Writer: clientSide}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func TestMiddleware_Retries(t *testing.T) {
	t.Parallel()
	for tool, calls := range map[string]int64{"read": 2, "charge": 2, "write": 1} {
		w := newWorld(failOnce(errLost))
		session := w.plainSession(t, quick)
		params := &mcp.CallToolParams{Name: tool}
		res, err := session.CallTool(t.Context(), params)
		require.NoError(t, err, tool)
		assert.Equal(t, calls, w.calls.Load(), tool)
		assert.Equal(t, calls == 1, res.IsError, tool)
		assert.NotContains(t, params.Meta, "io.github.mcp-toolerr/attempt", "the program's params")
		assert.NotContains(t, params.Arguments, "idempotency_key")
		if tool == "charge" {
			assert.Equal(t, keyOf(t, w, 1), keyOf(t, w, 2))
			assert.Len(t, keyOf(t, w, 1), 36)
		}
	}
}

// TestMiddleware_RetryableNotRetried checks that the flag is false even if nothing was
// retried, because the program would repeat the call without its key.
func TestMiddleware_RetryableNotRetried(t *testing.T) {
	t.Parallel()
	w := newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, errLost.WithRetryAfter(time.Minute)
	})
	res, err := w.plainSession(t, quick).CallTool(t.Context(), &mcp.CallToolParams{Name: "charge"})
	require.NoError(t, err)
	assert.Equal(t, int64(1), w.calls.Load())
	out := result.Parse(res, nil)
	assert.False(t, out.Err.Retryable, out.Text())
	assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect)
	assert.Equal(t, keyOf(t, w, 1), out.Err.IdempotencyKey)
	assert.Len(t, out.Err.Attempted, 1)
}

// TestMiddleware_GivesUp checks that a final failure is a result, which the model sees.
func TestMiddleware_GivesUp(t *testing.T) {
	t.Parallel()
	w := newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, errRefused })
	session := w.plainSession(t, quick)
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "write"})
	require.NoError(t, err)
	assert.True(t, res.IsError)
	out := result.Parse(res, nil)
	require.Len(t, out.Err.Attempted, 1)
	assert.Equal(t, 3, out.Err.Attempted[0].Attempts)
	assert.Equal(t, int64(3), w.calls.Load())

	// A failure that was not retried is returned unchanged.
	w = newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "a"}, &mcp.TextContent{Text: "b"}}}, nil
	})
	w.server.RemoveTools("write")
	w.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "tools/call" {
				return w.handle(1, nil)
			}
			return next(ctx, method, req)
		}
	})
	res, err = w.plainSession(t, quick).CallTool(t.Context(), &mcp.CallToolParams{Name: "write"})
	require.NoError(t, err)
	assert.Len(t, res.Content, 2)
}

func TestMiddleware_Errors(t *testing.T) {
	t.Parallel()
	w := newWorld(nil)
	w.handle = func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { w.cut(); return result.OK(1), nil }
	session := w.plainSession(t, quick)
	_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "read"})
	var given *retry.Error
	require.ErrorAs(t, err, &given)
	assert.Equal(t, retry.ReasonSessionLost, given.Decision.Reason)
	out := result.Parse(nil, err)
	assert.True(t, out.SessionLost)
	assert.NotEmpty(t, out.Err.Attempted)

	w = newWorld(failOnce(errRefused))
	session = w.plainSession(t, quick)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the user left")
	cancel(why)
	_, err = session.CallTool(ctx, &mcp.CallToolParams{Name: "read"})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, why)
	assert.Zero(t, w.calls.Load())

	_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "no_such_tool"})
	var wire interface{ Error() string }
	require.ErrorAs(t, err, &wire)
	assert.Contains(t, err.Error(), "no_such_tool")
}

// TestMiddleware_ConnectionLost checks that a program that repeats connection errors does no
// work twice: a call that may have taken effect ends as a result. A later call on the ended
// session is an error, so that the program reconnects.
func TestMiddleware_ConnectionLost(t *testing.T) {
	t.Parallel()
	for tool, isResult := range map[string]bool{"read": false, "write": true, "charge": true} {
		w := newWorld(nil)
		w.handle = func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { w.cut(); return result.OK(1), nil }
		session := w.plainSession(t, quick)
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
		if assert.Equal(t, isResult, err == nil, tool); isResult {
			out := result.Parse(res, nil)
			assert.True(t, res.IsError, tool)
			assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect, tool)
			assert.Len(t, out.Err.Attempted, 1, tool)
			if tool == "charge" {
				assert.Equal(t, keyOf(t, w, 1), out.Err.IdempotencyKey)
			}
		} else {
			assert.True(t, errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed), "%v", err)
		}
		_ = session.Wait()
		assert.Eventually(t, func() bool {
			_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
			return errors.Is(err, mcp.ErrConnectionClosed)
		}, testutil.Patience, time.Millisecond, tool)
		assert.Equal(t, toolerr.EffectNone, toolerr.From(err).Effect, tool)
		assert.Equal(t, int64(1), w.calls.Load(), tool)
	}
}

// TestMiddleware_Layers checks that several layers together make three attempts.
func TestMiddleware_Layers(t *testing.T) {
	t.Parallel()
	always := func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, errRefused }
	params := func() *mcp.CallToolParams { return &mcp.CallToolParams{Name: "read"} }

	w := newWorld(always)
	session := w.plainSession(t, quick)
	out, d := retry.CallTool(t.Context(), quick, session, params())
	assert.Equal(t, int64(3), w.calls.Load(), "Middleware under CallTool")
	assert.Equal(t, retry.ReasonNoAttemptsLeft, d.Reason)
	assert.Equal(t, 3, out.Err.Attempted[0].Attempts)

	w = newWorld(always)
	session = w.plainSession(t, quick)
	_, err := retry.Do(t.Context(), quick, func(ctx context.Context) (string, error) {
		out := result.Parse(session.CallTool(ctx, params()))
		return out.Text(), out.AsError()
	})
	require.Error(t, err)
	assert.Equal(t, int64(3), w.calls.Load(), "Middleware under Do")

	w = newWorld(always)
	c := w.client(t)
	_, err = retry.Do(t.Context(), quick, func(ctx context.Context) (string, error) {
		out, _ := c.CallTool(ctx, params())
		return out.Text(), out.AsError()
	})
	require.Error(t, err)
	assert.Equal(t, int64(3), w.calls.Load(), "Client under Do")
	assert.Equal(t, toolerr.CodeUnavailable, toolerr.CodeOf(err))

	calls := 0
	_, err = retry.Do(t.Context(), quick, func(ctx context.Context) (string, error) {
		return retry.Do(ctx, quick, func(context.Context) (string, error) { calls++; return "", errRefused })
	})
	require.Error(t, err)
	assert.Equal(t, 3, calls, "Do under Do")

	calls = 0
	_, err = retry.Do(t.Context(), quick, func(ctx context.Context) (string, error) {
		return retry.Do(ctx, quick, func(ctx context.Context) (string, error) {
			_, err := retry.Do(ctx, quick, func(context.Context) (string, error) { calls++; return "", errRefused })
			return "", toolerr.Transient("The archive is down.").WithEffect(toolerr.EffectNone).WithCause(err)
		})
	})
	require.Error(t, err)
	assert.Equal(t, 3, calls, "a cause that was retried")
	assert.Equal(t, 3, toolerr.From(err).Attempted[0].Attempts)
}

// TestMiddleware_Waits checks that the longest wait doubles with each attempt. The wait
// itself is random.
func TestMiddleware_Waits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var at []time.Time // times of the attempts at the server
		w := newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			at = append(at, time.Now())
			return nil, errRefused
		})
		session, err := w.connect(t.Context())
		require.NoError(t, err)
		defer func() { _ = session.Close() }()
		longest := make([]time.Duration, 4)
		for range 200 {
			at = nil
			_, d := retry.CallTool(t.Context(), retry.Policy{MaxAttempts: 5}, session, &mcp.CallToolParams{Name: "write"})
			assert.Equal(t, retry.ActionPropagate, d.Action)
			require.Len(t, at, 5)
			for i := range longest {
				longest[i] = max(longest[i], at[i+1].Sub(at[i]))
			}
		}
		for i, window := range []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second} {
			assert.LessOrEqual(t, longest[i], window)
			assert.Greater(t, longest[i], window*9/10)
		}
	})
}
