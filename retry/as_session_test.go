package retry_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
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

// TestClient_AsSession checks that an agent that keeps a session gets failures as results,
// and outlives the sessions with the server.
func TestClient_AsSession(t *testing.T) {
	t.Parallel()
	var w *world
	w = newWorld(func(_ int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if req.Params.Name == "write" {
			w.cut()
		}
		return result.OK("fine"), nil
	})
	client := w.client(t)
	session := client.AsSession()
	assert.Nil(t, session.InitializeResult())
	list, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	assert.Len(t, list.Tools, 3)
	assert.Equal(t, "s", session.InitializeResult().ServerInfo.Name)
	for range 2 {
		res, err := session.CallTool(t.Context(), tool("write", nil))
		require.NoError(t, err)
		assert.True(t, res.IsError)
		e := result.Parse(res, nil).Err
		assert.Equal(t, "unknown false", fmt.Sprint(e.Effect, " ", e.Retryable))
		res, err = session.CallTool(t.Context(), tool("read", nil))
		require.NoError(t, err)
		assert.False(t, res.IsError)
	}
	assert.Equal(t, int64(3), w.connects.Load())
	res, err := session.CallTool(t.Context(), tool("invented", nil))
	require.NoError(t, err)
	assert.Equal(t, toolerr.CodeNotFound, result.Parse(res, nil).Err.Code)
	require.NoError(t, session.Ping(t.Context(), nil))
	w.cut()
	list, err = client.ListTools(t.Context(), nil)
	require.NoError(t, err, "on a new session")
	assert.Len(t, list.Tools, 3)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = session.CallTool(ctx, tool("read", nil))
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, session.Close())
	require.NoError(t, session.Wait())
	_, err = client.ListTools(t.Context(), nil)
	require.Error(t, err)
}

// TestMisuse checks that what cannot work says what to write.
func TestMisuse(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil), nil)
	quiet := slog.New(slog.DiscardHandler)
	out, _ := (&retry.Client{Policy: retry.Policy{Logger: quiet}}).CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})
	assert.Contains(t, out.Err.Message, "Client.Connect is nil")
	for name, p := range map[string]retry.Policy{"AttemptTimeout": {AttemptTimeout: 30, Logger: quiet}, "IdleTimeout": {IdleTimeout: 10, Logger: quiet}} {
		out, d := retry.CallTool(t.Context(), p, session, &mcp.CallToolParams{Name: "t"})
		assert.Equal(t, "retry.Policy."+name+" is "+time.Duration(max(p.AttemptTimeout, p.IdleTimeout)).String()+": give it a unit, as in 30*time.Second.", out.Err.Message)
		assert.Equal(t, toolerr.EffectNone, out.Err.Effect)
		assert.Equal(t, retry.ActionPropagate, d.Action)
	}
	_, err := retry.Do(t.Context(), retry.Policy{AttemptTimeout: 30, Logger: quiet}, func(context.Context) (int, error) { return 1, nil })
	require.ErrorContains(t, err, "give it a unit")

	for name, install := range map[string]func(*mcp.Server, *mcp.Client, mcp.Middleware){
		"server, receiving": func(s *mcp.Server, _ *mcp.Client, m mcp.Middleware) { s.AddReceivingMiddleware(m) },
		"server, sending":   func(s *mcp.Server, _ *mcp.Client, m mcp.Middleware) { s.AddSendingMiddleware(m) },
		"client, receiving": func(_ *mcp.Server, c *mcp.Client, m mcp.Middleware) { c.AddReceivingMiddleware(m) },
		"":                  func(_ *mcp.Server, c *mcp.Client, m mcp.Middleware) { c.AddSendingMiddleware(m) },
	} {
		var log bytes.Buffer
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, &mcp.ClientOptions{
			ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "decline"}, nil
			},
		})
		install(server, client, retry.Middleware(retry.Policy{Logger: slog.New(slog.NewTextHandler(&log, nil))}, nil))
		mcp.AddTool(server, &mcp.Tool{Name: "t"}, func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			_, _ = req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "?"})
			return nil, nil, nil
		})
		inside, outside := mcp.NewInMemoryTransports()
		serving, err := server.Connect(t.Context(), inside, nil)
		require.NoError(t, err)
		session, err := client.Connect(t.Context(), outside, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
		require.NoError(t, err)
		for range 2 {
			_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})
			require.NoError(t, err, name)
		}
		_ = session.Close()
		_ = serving.Close()
		assert.Equal(t, name != "", strings.Count(log.String(), "client.AddSendingMiddleware") == 1, "%s: %s", name, log.String())
	}
}

// TestText_RoundTrip checks that actions and safeties read back what they write.
func TestText_RoundTrip(t *testing.T) {
	t.Parallel()
	for a := retry.ActionPropagate; a <= retry.ActionProvideInput; a++ {
		var got retry.Action
		text, _ := a.MarshalText()
		require.NoError(t, got.UnmarshalText(text))
		assert.Equal(t, a, got)
	}
	for s := retry.SafetyUnknown; s <= retry.SafetyKeyed; s++ {
		var got retry.Safety
		text, _ := s.MarshalText()
		require.NoError(t, got.UnmarshalText(text))
		assert.Equal(t, s, got)
	}
	require.ErrorContains(t, new(retry.Action).UnmarshalText([]byte("repeat")), `retry: "repeat" is none of propagate, accept`)
	require.Error(t, new(retry.Safety).UnmarshalText(nil))
}
