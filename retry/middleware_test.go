package retry_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/session"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestMiddleware_Errors(t *testing.T) {
	t.Parallel()
	w := newWorld(gives(errRefused, "done"))
	session := w.plainSession(t, quick)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the user left")
	cancel(why)
	_, err := session.CallTool(ctx, tool("read"))
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, why)
	assert.Zero(t, w.calls.Load())
	_, err = session.CallTool(t.Context(), tool("no_such_tool"))
	require.ErrorContains(t, err, "no_such_tool")
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(gives("done"))
		lists := int64(0)
		w.onList(func(_ context.Context, n int64) (*mcp.ListToolsResult, error) {
			lists = n
			return nil, &jsonrpc.Error{Code: -32000, Data: errRefused.AppendJSON(nil)}
		})
		_, err := w.plainSession(t, retry.Policy{BaseDelay: -1}).CallTool(t.Context(), tool("charge"))
		require.Error(t, err)
		assert.EqualValues(t, 3, lists, "each attempt lists again, as it would call again")
	})
}

// TestMiddleware_ConnectionLost checks that a program that repeats connection errors does no
// work twice: a call that may have taken effect ends as a result. A later call on the ended
// session is an error, so that the program reconnects.
func TestMiddleware_ConnectionLost(t *testing.T) {
	t.Parallel()
	for name, isResult := range map[string]bool{"read": false, "write": true, "charge": true} {
		w := newWorld(nil)
		w.handle = w.cuts
		p, params := quick, tool(name)
		if name == "charge" {
			p.Guard = new(retry.Guard)
		}
		session := w.plainSession(t, p)
		res, err := session.CallTool(t.Context(), params)
		out := result.Parse(res, err)
		if assert.Equal(t, isResult, err == nil, name); isResult {
			assert.True(t, res.IsError, name)
			assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect, name)
			assert.Equal(t, keyOf(t, w, 1), out.Err.IdempotencyKey, name)
			if p.Guard != nil {
				params = tool(name, map[string]any{"idempotency_key": out.Err.IdempotencyKey})
			}
		} else {
			assert.True(t, errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed), "%v", err)
			assert.Equal(t, retry.ReasonSessionLost, given(t, err).Reason)
			assert.True(t, out.SessionLost)
		}
		assert.Len(t, out.Err.Attempted, 1, name)
		_ = session.Wait()
		_, err = session.CallTool(t.Context(), params)
		require.ErrorIs(t, err, mcp.ErrConnectionClosed, name)
		assert.Equal(t, p.Guard == nil, toolerr.From(err).Effect == toolerr.EffectNone, "a guard knows the call before")
		assert.Equal(t, int64(1), w.calls.Load(), name)
	}
	synctest.Test(t, func(t *testing.T) {
		lost := func(context.Context, string, mcp.Request) (mcp.Result, error) { return nil, io.EOF }
		session := newWorld(nil).plainSession(t, quick)
		req := &mcp.ClientRequest[*mcp.CallToolParams]{Session: session, Params: tool("write")}
		_, _ = retry.Middleware(quick, nil)(lost)(t.Context(), "tools/call", req)
		var none *mcp.CallToolResult
		var last retry.Decision
		p := quick
		p.OnDecision = func(_ result.Outcome, d retry.Decision) { last = d }
		list := new(mcp.ListToolsResult)
		for answer, want := range map[mcp.Result]string{list: "accept true", none: "verify false", nil: "verify false"} {
			next := func(context.Context, string, mcp.Request) (mcp.Result, error) { return answer, nil }
			p.Guard = new(retry.Guard)
			middleware := retry.Middleware(p, nil)
			for range 2 { // the guard may stop the second
				res, err := middleware(next)(t.Context(), "tools/call", req)
				require.NoError(t, err)
				assert.Equal(t, want, testutil.Words(last.Action, res == answer))
			}
		}
		failed := sent(errRefused)
		failed.Meta = mcp.Meta{"seats": 0}
		busy := func(context.Context, string, mcp.Request) (mcp.Result, error) { return failed, nil }
		res, err := retry.Middleware(quick, nil)(busy)(t.Context(), "tools/call", req)
		require.NoError(t, err)
		assert.Equal(t, map[string]any{"seats": 0}, res.GetMeta())
		busy = func(context.Context, string, mcp.Request) (mcp.Result, error) {
			_ = session.Close()
			synctest.Wait()
			return sent(errRefused), nil
		}
		_, err = retry.Middleware(quick, nil)(busy)(t.Context(), "tools/call", req)
		require.ErrorIs(t, err, mcp.ErrConnectionClosed, "it ended between two attempts")

		gone, err := newWorld(nil).connect(t.Context())
		require.NoError(t, err)
		require.NoError(t, gone.Close())
		_, unsent := gone.CallTool(t.Context(), tool("charge"))
		req.Session, req.Params = newWorld(nil).plainSession(t, quick), tool("charge", map[string]any{"cents": 1})
		p.Guard, p.Safety = nil, retry.SafetyKeyed
		keyed := retry.Middleware(p, nil)
		_, err = keyed(lost)(t.Context(), "tools/call", req)
		require.NoError(t, err, "a result says that it is in doubt")
		_, err = keyed(func(context.Context, string, mcp.Request) (mcp.Result, error) { return nil, unsent })(
			t.Context(), "tools/call", req)
		require.ErrorIs(t, err, mcp.ErrConnectionClosed, "a repeat of a call in doubt, on a session that has just ended")
	})
}

// TestMisuse checks that what cannot work says what to write.
func TestMisuse(t *testing.T) {
	t.Parallel()
	out, _ := new(retry.Client).CallTool(t.Context(), tool("t"))
	assert.Contains(t, out.Err.Message, "Client.Connect is nil")
	typed := func(context.Context) (retry.ClientSession, error) { return nil, (*toolerr.Error)(nil) }
	out, _ = (&retry.Client{Connect: typed}).CallTool(t.Context(), tool("t"))
	assert.Contains(t, out.Err.Message, "There is no session")
	short := map[string]retry.Policy{"AttemptTimeout is 30": {AttemptTimeout: 30}, "IdleTimeout is 10": {IdleTimeout: 10}}
	for name, p := range short {
		out, d := retry.CallTool(t.Context(), p, &script{}, tool("t"))
		want := "retry.Policy." + name + "ns: give it a unit, as in 30*time.Second. none propagate"
		assert.Equal(t, want, testutil.Words(out.Err.Message, out.Err.Effect, d.Action))
	}
	_, err := doing(t.Context(), retry.Policy{AttemptTimeout: 30}, nil)
	require.ErrorContains(t, err, "give it a unit")
	require.ErrorContains(t, new(retry.Client).AsSession().Ping(t.Context(), nil), "Client.Connect is nil")

	for name, install := range map[string]func(*mcp.Server, *mcp.Client, mcp.Middleware){
		"server, receiving": func(s *mcp.Server, _ *mcp.Client, m mcp.Middleware) { s.AddReceivingMiddleware(m) },
		"server, sending":   func(s *mcp.Server, _ *mcp.Client, m mcp.Middleware) { s.AddSendingMiddleware(m) },
		"client, receiving": func(_ *mcp.Server, c *mcp.Client, m mcp.Middleware) { c.AddReceivingMiddleware(m) },
		"":                  func(_ *mcp.Server, c *mcp.Client, m mcp.Middleware) { c.AddSendingMiddleware(m) },
	} {
		var log bytes.Buffer
		w := newWorld(func(_ int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return result.OK("done"), req.Session.Ping(t.Context(), nil)
		})
		client := newClient(nil)
		install(w.server, client, retry.Middleware(retry.Policy{Logger: logTo(&log)}, nil))
		session, err := w.dial(t.Context(), client, "2025-11-25")
		require.NoError(t, err)
		for range 2 {
			_, err = session.CallTool(t.Context(), tool("write"))
			require.NoError(t, err, name)
			require.NoError(t, session.Ping(t.Context(), nil), name)
		}
		_ = session.Close()
		warnings := strings.Count(log.String(), "client.AddSendingMiddleware")
		assert.Equal(t, strings.HasPrefix(name, "server"), warnings == 1, "%s: %s", name, log.String())
	}
}

// TestObserved_Forgets checks that what is known of a session is dropped with it.
func TestObserved_Forgets(t *testing.T) { //nolint:paralleltest // collects garbage
	var observed session.Observed
	w := newWorld(gives("done"))
	known := func() weak.Pointer[session.Observation] {
		on, err := w.dial(t.Context(), newClient(nil), "")
		require.NoError(t, err)
		defer func() { _ = on.Close() }()
		return weak.Make(observed.Of(on))
	}()
	assert.Eventually(t, func() bool {
		runtime.GC()
		return known.Value() == nil
	}, 2*time.Second, time.Millisecond)
	runtime.KeepAlive(&observed)
}
