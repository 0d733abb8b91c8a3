package retry_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
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
	w := newWorld(nil)
	w.handle = func(n int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if req.Params.Name == "write" {
			return w.cuts(n, req)
		}
		return result.OK("fine"), nil
	}
	client := w.client(t)
	session := client.AsSession()
	assert.Nil(t, session.InitializeResult())
	list, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	assert.Len(t, list.Tools, 4)
	assert.Equal(t, "s", session.InitializeResult().ServerInfo.Name)
	for range 2 {
		res, err := session.CallTool(t.Context(), tool("write", nil))
		require.NoError(t, err)
		assert.True(t, res.IsError)
		e := result.Parse(res, nil).Err
		assert.Equal(t, "unknown false", testutil.Words(e.Effect, e.Retryable))
		res, err = session.CallTool(t.Context(), tool("read", nil))
		require.NoError(t, err)
		assert.False(t, res.IsError)
	}
	assert.Equal(t, int64(3), w.connects.Load())
	res, err := session.CallTool(t.Context(), tool("invented", nil))
	require.NoError(t, err)
	assert.Equal(t, toolerr.CodeNotFound, result.Parse(res, nil).Err.Code)
	require.NoError(t, session.Ping(t.Context(), nil))
	for range 2 {
		w.cut()
		list, err = client.ListTools(t.Context(), nil)
		require.NoError(t, err, "on a new session")
		assert.Len(t, list.Tools, 4)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = session.CallTool(ctx, tool("read", nil))
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, session.Close())
	require.NoError(t, session.Wait())
	_, err = client.ListTools(t.Context(), nil)
	require.Error(t, err)
}

// TestClient_ListTools checks that a list is asked for once, and once more on a new session.
func TestClient_ListTools(t *testing.T) {
	t.Parallel()
	for losses, want := range []string{"1 true", "2 true", "2 false"} {
		var c *retry.Client
		asked := 0
		c = clientOf(t, func(int) *fakeSession {
			return &fakeSession{list: func(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
				_, _ = call(t, c, "x") // a session with an answer is replaced without a pause
				if asked++; asked <= losses {
					return nil, io.EOF
				}
				return new(mcp.ListToolsResult), nil
			}}
		})
		c.Safety = nil
		_, err := c.ListTools(t.Context(), nil)
		assert.Equal(t, want, testutil.Words(asked, err == nil), losses)
	}
	synctest.Test(t, func(t *testing.T) {
		c, start := clientOf(t, nil), time.Now()
		time.AfterFunc(time.Hour, func() { _ = c.Close() })
		require.NoError(t, c.AsSession().Wait())
		assert.Equal(t, time.Hour, time.Since(start))
	})
}

// TestClient_SessionDies checks that a session that is lost between calls is replaced before the next one, and that a
// call on a session that ends still has the answer that it gets soon, and does not wait for one that does not come.
func TestClient_SessionDies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(gives("done"))
		c := w.client(t)
		_, _ = call(t, c, "write")
		w.cut()         // restarted while idle
		synctest.Wait() // and the session learns of it
		_, d := call(t, c, "write")
		assert.Equal(t, retry.ActionAccept, d.Action, "arrived: %d", w.calls.Load()-1)

		for late, want := range map[time.Duration]toolerr.Code{time.Second: "not_found", time.Hour: "unavailable"} {
			s := &fakeSession{list: lists()}
			s.answer = func(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
				_ = s.Close()
				time.Sleep(late) // in a bubble
				return fails(toolerr.NotFound("order_id", "7"))
			}
			c := clientOf(t, func(int) *fakeSession { return s })
			start := time.Now()
			out, _ := call(t, c, "write")
			assert.Equal(t, want, toolerr.CodeOf(out.AsError()))
			assert.LessOrEqual(t, time.Since(start), 5*time.Second)
			time.Sleep(late) // in a bubble, whose goroutines have to end
		}
	})
}

// losing returns a client whose sessions are lost during the first calls, and a function that
// returns the number of calls.
func losing(t *testing.T, losses int, p retry.Policy) (*retry.Client, func() int) {
	t.Helper()
	calls := 0
	c := clientOf(t, func(int) *fakeSession {
		return &fakeSession{
			server: "fake v1",
			list: lists(keyedTool("charge"), &mcp.Tool{Name: "write"}, &mcp.Tool{Name: "read", Annotations: readOnly},
				&mcp.Tool{Name: "set", Annotations: &mcp.ToolAnnotations{IdempotentHint: true}}),
			answer: func(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
				if calls++; calls <= losses {
					return nil, io.EOF
				}
				return result.OK("done"), nil
			},
		}
	})
	c.Policy = p
	return c, func() int { return calls }
}

// TestClient_ManyLosses checks that a call that is safe to repeat survives as many lost
// sessions as the attempts allow, although each new session answers nothing before it is lost.
func TestClient_ManyLosses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const accepted, inDoubt = "accept succeeded 11", "verify transient unavailable effect=unknown may_have_taken_effect "
		for name, wants := range map[string][2]string{ // with an attempt more than losses, and with as many
			"charge": {accepted, inDoubt + "10"},
			"set":    {accepted, inDoubt + "10"},
			"read":   {accepted, "propagate transient unavailable effect=none no_attempts_left 10"},
			"write":  {inDoubt + "1", inDoubt + "1"},
		} {
			for n, want := range wants {
				c, calls := losing(t, 10, retry.Policy{MaxAttempts: 11 - n, MaxWait: time.Hour, Budget: &retry.Budget{Size: -1}})
				out, d := call(t, c, name)
				assert.Equal(t, want, testutil.Words(ending(out, d), d.Reason, calls()), name)
				assert.Equal(t, d.Attempt, calls(), "%s: every attempt is sent", name)
			}
		}
		// Only the first repeat after a loss is free.
		for losses, want := range map[int]string{1: "accept 2", 2: "verify 2"} {
			c, calls := losing(t, losses, retry.Policy{Budget: &retry.Budget{Size: 1}}) // no retry
			_, d := call(t, c, "charge")
			assert.Equal(t, want, testutil.Words(d.Action, calls()), losses)
		}
	})
}

// age is the member of _meta with the time since the first attempt of a call in doubt.
const age = "io.github.mcp-toolerr/unknownForMs"

// TestClient_AnotherServer checks that a key that was sent to one server is not sent to
// another, which would do the work again. A repeat on the same server carries the age of the first
// attempt, so that a restarted server knows that it may have forgotten it.
func TestClient_AnotherServer(t *testing.T) {
	t.Parallel()
	for second, want := range map[string]string{"bank v2": "accept 2", "shop v1": "verify 1"} {
		synctest.Test(t, func(t *testing.T) {
			var told []any
			c := clientOf(t, func(n int) *fakeSession {
				s := &fakeSession{server: []string{"bank v1", second}[n-1], list: lists(keyedTool("pay"))}
				s.answer = func(_ context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
					if told = append(told, params.Meta[age]); n == 1 {
						time.Sleep(3 * time.Second) // in a bubble
						return nil, io.EOF
					}
					return result.OK("paid"), nil
				}
				return s
			})
			_, d := call(t, c, "pay")
			assert.Equal(t, want, testutil.Words(d.Action, len(told)))
			assert.Nil(t, told[0])
			if len(told) == 2 {
				assert.GreaterOrEqual(t, told[1], int64(3000))
			}
		})
	}
}

// TestClient_DoubtfulKey checks that new calls with a key that may have taken effect carry the age of
// the first attempt until one is answered, even after a refused dial, without trust, and by Middleware.
func TestClient_DoubtfulKey(t *testing.T) {
	t.Parallel()
	params := tool("charge", map[string]any{"idempotency_key": "mine"})
	cutFirst := func() *world {
		w := newWorld(nil)
		w.handle = func(n int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			time.Sleep(2 * time.Millisecond) // in a bubble
			if n == 1 {
				return w.cuts(n, req)
			}
			return answered("done")
		}
		return w
	}
	synctest.Test(t, func(t *testing.T) {
		for name, safety := range map[string]func(*mcp.Tool) retry.Safety{"trusted": retry.SafetyOf, "untrusted": nil} {
			w := cutFirst()
			c := w.client(t)
			c.Safety, c.Policy.MaxAttempts = safety, -1
			_, d := c.CallTool(t.Context(), params)
			assert.Equal(t, retry.ActionVerify, d.Action, name)
			c.Policy.MaxAttempts = 0
			w.refuse.Store(w.connects.Load() + 1)
			for n, want := range []bool{true, false} {
				_, d = c.CallTool(t.Context(), params)
				assert.Equal(t, retry.ActionAccept, d.Action, name)
				assert.Equal(t, want, w.got(t, int64(n)+2).Meta[age] != nil, name)
			}
		}
		w, client := cutFirst(), newClient(nil)
		client.AddSendingMiddleware(retry.Middleware(retry.Policy{MaxAttempts: -1}, retry.SafetyOf))
		for range 2 {
			session, err := w.dial(t.Context(), client, "")
			require.NoError(t, err)
			_, _ = session.CallTool(t.Context(), params)
			_ = session.Close()
		}
		assert.NotNil(t, w.got(t, 2).Meta[age])
	})
}

// TestClient_SilentServer checks that a server that does not respond blocks no caller
// longer than its context, and that a slow one, which responds to pings, is not replaced. The context of a silent one's
// session, and with it its process, ends after the ping.
func TestClient_SilentServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		waits := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		takes := func(d time.Duration, err error) answerer { // beyond its context
			return func(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
				time.Sleep(d) // in a bubble
				return result.OK("late"), err
			}
		}
		answers := func(ctx context.Context, _ *mcp.CallToolParams) (*mcp.CallToolResult, error) {
			return result.OK("late"), waits(ctx)
		}
		slow := takes(1500*time.Millisecond, nil)
		limited := retry.Policy{AttemptTimeout: time.Second, Safety: retry.SafetyReadOnly}
		connects, both := 0, sync.WaitGroup{}
		var pings, called atomic.Int64
		pong := func(context.Context) error {
			pings.Add(1)
			time.Sleep(100 * time.Millisecond) // in a bubble
			return errors.New("there is no such method")
		}
		half := func(ctx context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
			if called.Add(1) == 1 {
				return slow(ctx, params)
			}
			return answers(ctx, params)
		}
		refused := takes(time.Second/4, &jsonrpc.Error{Code: jsonrpc.CodeInternalError})
		for name, test := range map[string]struct {
			answer answerer
			after  time.Duration // when the caller leaves
			want   string        // sessions, pings and codes of two calls at once
		}{
			"slow":                   {slow, time.Hour, "1 1 timeout timeout"},
			"canceled":               {answers, time.Second / 2, "1 0 canceled canceled"},
			"canceled, does not end": {slow, time.Second / 2, "1 1 canceled canceled"},
			"one does not end":       {half, time.Second / 2, "1 1 canceled canceled"},
			"odd":                    {takes(time.Second/4, errors.New("odd")), time.Hour, "1 1 internal internal"},
			"a protocol error":       {refused, time.Hour, "1 0 internal internal"},
		} {
			pings.Store(0)
			c := clientOf(t, func(n int) *fakeSession {
				connects = n
				return &fakeSession{server: "fake v1", ping: pong, answer: test.answer}
			})
			c.Safety, c.Policy = nil, limited
			c.Policy.MaxAttempts = -1
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(test.after, cancel)
			var codes [2]toolerr.Code
			begun := time.Now()
			for n := range codes {
				both.Go(func() {
					out, _ := c.CallTool(ctx, tool("read"))
					codes[n] = out.Err.Code
					assert.False(t, out.SessionLost, "%s: the session, which answers pings, is lost after %v", name, time.Since(begun))
				})
			}
			both.Wait()
			time.Sleep(time.Second) // in a bubble
			assert.Equal(t, test.want, testutil.Words(connects, pings.Load(), codes[0], codes[1]), name)
			assert.NotNil(t, c.AsSession().InitializeResult(), "%s: the session is kept", name)
		}
		c := clientOf(t, func(n int) *fakeSession { connects = n; return &fakeSession{ping: waits, answer: answers} })
		c.Safety, c.Policy = nil, limited
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		begun := time.Now()
		_, _ = c.CallTool(ctx, tool("read"))
		assert.Equal(t, 1500*time.Millisecond, time.Since(begun))
		begun = time.Now()
		_, d := call(t, c, "read")
		assert.Less(t, time.Since(begun), 20*time.Second)
		assert.NotEqual(t, retry.ActionAccept, d.Action)
		assert.GreaterOrEqual(t, connects, 2, "connects")
		time.Sleep(time.Minute) // in a bubble, until the pause is over
		c.Policy.MaxAttempts = -1
		out, _ := call(t, c, "read")
		assert.True(t, out.SessionLost)

		var ended time.Time
		c = &retry.Client{Policy: retry.Policy{AttemptTimeout: 200 * time.Millisecond}}
		c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
			context.AfterFunc(ctx, func() { ended = time.Now() })
			answer := func(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) { return nil, waits(ctx) }
			return &fakeSession{ping: waits, answer: answer, killed: ctx.Done()}, nil
		}
		begun = time.Now()
		_, _ = call(t, c, "read")
		synctest.Wait()
		assert.InDelta(t, 2.3, ended.Sub(begun).Seconds(), 0.2, "attempt, grace and ping")
		require.NoError(t, c.Close())
	})
}

// TestClient_IdleTimeout checks that progress prolongs an attempt, up to a limit.
func TestClient_IdleTimeout(t *testing.T) {
	t.Parallel()
	const each = 3 * time.Second
	idle := func(attempt time.Duration) retry.Policy {
		return retry.Policy{IdleTimeout: 5 * time.Second, AttemptTimeout: attempt}
	}
	for name, test := range map[string]struct {
		policy  retry.Policy
		options bool // the client receives notifications
		steps   int  // number of notifications, one every 3 s
		token   any  // the caller's own token
		took    time.Duration
		answers bool
	}{
		"no IdleTimeout":             {retry.Policy{}, true, 20, nil, 20 * each, true},
		"progress":                   {idle(2 * time.Minute), true, 20, nil, 20 * each, true},
		"the caller's own token":     {idle(2 * time.Minute), true, 20, 7, 20 * each, true},
		"none":                       {idle(2 * time.Minute), true, 0, nil, 5 * time.Second, false},
		"progress stops":             {idle(2 * time.Minute), true, 5, nil, 5*each + 5*time.Second, false},
		"endless progress":           {idle(20 * time.Second), true, 1000, nil, 20 * time.Second, false},
		"endless, no AttemptTimeout": {idle(0), true, 1000, nil, 50 * time.Second, false},
		"no notifications":           {idle(0), false, 20, nil, 5 * time.Second, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			var asked atomic.Bool
			w := newWorld(nil)
			w.on("tools/call", slowly(each, test.steps, test.answers, &asked))
			c := w.client(t)
			c.Safety, c.Policy = nil, test.policy
			c.Policy.MaxAttempts = -1
			if test.options {
				c.Connect = w.connectWith(c, nil, "")
			}
			params := tool("read")
			if test.token != nil {
				params.Meta = mcp.Meta{"progressToken": test.token}
			}
			begun := time.Now()
			out, d := c.CallTool(t.Context(), params)
			assert.Equal(t, test.took, time.Since(begun).Round(time.Second), name)
			want := map[bool]string{true: "accept", false: "verify transient timeout effect=unknown"}[test.answers]
			assert.Equal(t, want, ending(out, d), name)
			assert.Equal(t, test.policy.IdleTimeout > 0, asked.Load(), name)
		})
	}
	w := newWorld(gives("done"))
	c := w.client(t)
	c.Policy.IdleTimeout = time.Hour
	for n := range int64(2) {
		_, _ = call(t, c, "read")
		assert.Equal(t, fmt.Sprint("retry-", n+1), w.got(t, n+1).Meta["progressToken"])
	}
	another := &mcp.ProgressNotificationParams{ProgressToken: "another's"}
	c.Options(nil).ProgressNotificationHandler(t.Context(), &mcp.ProgressNotificationClientRequest{Params: another})
}

// slowly returns a call that makes progress in steps, and reports each step on request. It
// answers at the end, or never.
func slowly(each time.Duration, steps int, answers bool, asked *atomic.Bool) receiver {
	return func(ctx context.Context, req mcp.Request) (mcp.Result, error) {
		params, _ := req.GetParams().(*mcp.CallToolParamsRaw)
		session, _ := req.GetSession().(*mcp.ServerSession)
		token := params.GetProgressToken()
		asked.Store(token != nil)
		for step := range steps {
			select {
			case <-time.After(each):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			if asked.Load() {
				_ = session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(step)})
			}
		}
		if !answers {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return result.OK("done"), nil
	}
}
