package retry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"runtime"
	"sync"
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

func TestClient_Connect(t *testing.T) {
	t.Parallel()
	w := newWorld(gives("done"))
	w.refuse.Store(2)
	out, d := call(t, w.client(t), "write")
	require.NoError(t, out.AsError())
	assert.Equal(t, 3, d.Attempt, "attempts")
	assert.Equal(t, int64(3), w.connects.Load())

	w.refuse.Store(100)
	out, _ = w.client(t).CallTool(t.Context(), tool("charge", map[string]any{"idempotency_key": "mine"}))
	assert.Equal(t, "mine", out.Err.IdempotencyKey, "key in the failure")
	out, d = call(t, w.client(t), "write")
	assert.Equal(t, "propagate unavailable none", testutil.Words(d.Action, out.Err.Code, out.Err.Effect))
	out, _ = call(t, newRetryClient(t, noSession(io.EOF)), "read")
	assert.False(t, out.SessionLost, "there was none")

	program := func(ctx context.Context) (retry.ClientSession, error) {
		return newClient(nil).Connect(ctx, &mcp.CommandTransport{Command: exec.Command("no-such-server")}, nil)
	}
	panics := func(context.Context) (retry.ClientSession, error) { panic("odd") }
	goexits := func(context.Context) (retry.ClientSession, error) { runtime.Goexit(); return nil, nil }
	for name, test := range map[string]struct {
		connect dialer
		cause   string // in the log
		want    string
	}{
		"none":              {nil, "", "internal none propagate 1"},
		"a missing program": {program, "no-such-server", "unavailable none propagate 1"},
		"nothing":           {noSession(nil), "", "internal none propagate 1"},
		"unknown":           {noSession(errors.New("odd")), "odd", "unavailable none propagate 1"},
		"a panic":           {panics, "a request panicked: odd", "unavailable none propagate 1"},
		"FailNow of a test": {goexits, "Connect ended its goroutine", "unavailable none propagate 1"},
	} {
		var log bytes.Buffer
		out, d = call(t, &retry.Client{Connect: test.connect, Policy: retry.Policy{Logger: logTo(&log)}}, "read")
		if test.cause != "" {
			assert.Equal(t, "The connection to the server could not be made.", out.Err.Message, name)
			assert.Regexp(t, "toolerr.cause=.*"+test.cause, log.String(), "the cause of %s", name)
		}
		assert.Equal(t, test.want, testutil.Words(out.Err.Code, out.Err.Effect, d.Action, d.Attempt), name)
	}

	c := w.client(t)
	w.refuse.Store(0)
	c.Safety, c.Policy.MaxAttempts = nil, 1
	c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		session, err := w.connectWith(c, nil, "")(ctx)
		require.NoError(t, err)
		defer func() { _ = session.Close() }()
		return session, nil
	}
	out, _ = call(t, c, "write")
	assert.Contains(t, out.Err.Message, "without defer session.Close()")
}

// noSession returns a dialer that has an error, or nothing.
func noSession(err error) dialer {
	return func(context.Context) (retry.ClientSession, error) { return nil, err }
}

// TestClient_ConnectHangs checks that a Connect that never returns blocks no caller longer than
// its context, and none after Close, which waits for a Connect that is slow to clean up, so that
// no server outlives it. Callers share a Connect.
func TestClient_ConnectHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var stopped atomic.Int32
		var left time.Time
		hanging := &retry.Client{Connect: func(ctx context.Context) (retry.ClientSession, error) {
			<-ctx.Done()
			left = time.Now()
			time.Sleep(time.Second) // in a bubble
			stopped.Add(1)
			return nil, ctx.Err()
		}}
		var wg sync.WaitGroup
		for i := range 5 { // each leaves alone
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(10+10*i)*time.Millisecond)
				defer cancel()
				out, _ := hanging.CallTool(ctx, tool("read"))
				assert.ErrorIs(t, out.AsError(), context.DeadlineExceeded)
			})
		}
		begun := time.Now()
		wg.Wait()
		synctest.Wait()
		assert.Equal(t, "50ms 50ms", testutil.Words(time.Since(begun), left.Sub(begun)))
		wg.Go(func() { hanging.CallTool(t.Context(), tool("x")) })
		synctest.Wait()
		require.NoError(t, hanging.Close())
		wg.Wait()
		assert.EqualValues(t, 2, stopped.Load())
		var dialed context.Context
		slow := newRetryClient(t, func(ctx context.Context) (retry.ClientSession, error) {
			dialed = ctx
			time.Sleep(200 * time.Millisecond) // in a bubble
			return nil, errRefused
		})
		slow.Policy = retry.Policy{MaxAttempts: 1}
		begun = time.Now()
		for range 30 {
			wg.Go(func() { slow.CallTool(t.Context(), tool("x")) })
		}
		wg.Wait()
		assert.Equal(t, 200*time.Millisecond, time.Since(begun), "30 callers queue for 30 connects")
		require.Error(t, dialed.Err())
		_, refused := slow.ListTools(t.Context(), nil) // after the pause
		require.ErrorIs(t, refused, errRefused)
		// nobody waits for the first, and the client is closed before the second
		late := make(chan *fakeSession, 2)
		c := &retry.Client{Connect: func(ctx context.Context) (retry.ClientSession, error) {
			<-ctx.Done()
			time.Sleep(time.Second) // in a bubble
			s := new(fakeSession)
			late <- s
			return s, nil
		}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		_, err := c.ListTools(ctx, nil)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		wg.Go(func() { _, err = c.ListTools(t.Context(), nil) })
		synctest.Wait()
		require.NoError(t, c.Close())
		wg.Wait()
		require.ErrorContains(t, err, "The client is closed.")
		for range 2 {
			<-(<-late).ended()
		}
	})
}

// TestClient_FirstCallerLeaves checks that the context of the call that connects does not end the session, even if the
// stream of its transport has that context.
func TestClient_FirstCallerLeaves(t *testing.T) {
	t.Parallel()
	w := newWorld(gives("done"))
	srv := httptest.NewServer(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return w.server }, nil))
	defer srv.Close()
	c := newRetryClient(t, func(ctx context.Context) (retry.ClientSession, error) {
		w.connects.Add(1)
		return newClient(nil).Connect(ctx, &mcp.SSEClientTransport{Endpoint: srv.URL}, nil)
	})
	c.Policy.AttemptTimeout = testutil.Patience
	ctx, cancel := context.WithCancel(t.Context())
	_, d := c.CallTool(ctx, tool("read"))
	assert.Equal(t, retry.ActionAccept, d.Action)
	cancel()
	time.Sleep(50 * time.Millisecond) // sockets close in real time
	for range 2 {
		_, d = call(t, c, "write")
		assert.Equal(t, retry.ActionAccept, d.Action, d.Reason)
	}
	assert.Equal(t, int64(1), w.connects.Load())
	require.NoError(t, c.Close())
	require.NoError(t, c.Close())
	out, _ := c.CallTool(t.Context(), nil)
	assert.Equal(t, "The client is closed.", out.Err.Message)
}

func TestClient_CloseEndsCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release, ended := make(chan bool), make(chan result.Outcome, 1)
		w := newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			<-release
			return result.OK(1), nil
		})
		c := w.client(t)
		go func() { ended <- first(c.CallTool(context.Background(), tool("write"))) }()
		synctest.Wait()
		_ = c.Close()
		require.ErrorContains(t, (<-ended).Err.Unwrap(), "The client is closed.")
		close(release)

		life, kill := context.WithCancel(t.Context())
		c = clientOf(t, func(int) *fakeSession { return &fakeSession{killed: life.Done()} })
		_, _ = call(t, c, "read")
		begun := time.Now()
		require.ErrorContains(t, c.Close(), "the session did not end in time")
		assert.Equal(t, 12*time.Second, time.Since(begun))
		kill()

		for took, hangs := range map[time.Duration]bool{0: false, 5 * time.Second: true} { // till its context ends
			var life context.Context
			c = &retry.Client{Connect: func(ctx context.Context) (retry.ClientSession, error) {
				life = ctx
				return &fakeSession{killed: map[bool]<-chan struct{}{true: ctx.Done()}[hangs]}, nil
			}}
			_, _ = call(t, c, "read")
			begun = time.Now()
			require.NoError(t, c.Close())
			assert.Equal(t, took, time.Since(begun))
			require.Error(t, life.Err())
		}
	})
}

// TestClient_Options checks that the program's options and handlers are kept.
func TestClient_Options(t *testing.T) {
	t.Parallel()
	var told []string
	type progress = mcp.ProgressNotificationClientRequest
	with := new(retry.Client).Options(&mcp.ClientOptions{
		KeepAlive:                   time.Hour,
		ToolListChangedHandler:      func(context.Context, *mcp.ToolListChangedRequest) { told = append(told, "list") },
		ProgressNotificationHandler: func(context.Context, *progress) { told = append(told, "progress") },
	})
	with.ToolListChangedHandler(t.Context(), nil)
	with.ProgressNotificationHandler(t.Context(), &progress{Params: new(mcp.ProgressNotificationParams)})
	assert.Equal(t, "[list progress] 1h0m0s true", testutil.Words(told, with.KeepAlive, with.MultiRoundTrip.Disabled))
}

// A call in doubt is not repeated on a server of another name, which does not know its key, and a guard holds it.
func TestClient_OtherServer(t *testing.T) {
	t.Parallel()
	c := clientOf(t, func(n int) *fakeSession {
		return &fakeSession{server: fmt.Sprintf("refunds-%d v1", n), list: lists(keyedTool("charge")), exits: n == 1}
	})
	p := retry.Policy{Guard: new(retry.Guard)}
	for _, want := range []string{
		"verify may_have_taken_effect : Find out first whether it took effect, or ask the user.",
		"verify repeated_call : Before calling again, check whether it took effect: look it up with another tool, by the " +
			"same number or name, or ask the user.",
	} {
		out, d := retry.CallTool(t.Context(), p, c.AsSession(), tool("charge", map[string]any{"order": "ORD-1"}))
		assert.Equal(t, want, testutil.Words(d.Action, d.Reason, out.Err.IdempotencyKey+":", out.Err.Hint))
	}
}

// TestClient_PausesBetweenDials checks that callers share the pauses after failed dials and
// after sessions without an answer, and that calls succeed soon after the server is back.
func TestClient_PausesBetweenDials(t *testing.T) {
	t.Parallel()
	exits := func(context.Context) (retry.ClientSession, error) { return &fakeSession{exits: true}, nil }
	for name, connect := range map[string]dialer{
		"refused": noSession(errRefused), "unknown": noSession(errors.New("odd")), "exits immediately": exits,
		"throttled": noSession(toolerr.RateLimited("busy", 0)),
	} {
		synctest.Test(t, func(t *testing.T) {
			var dials atomic.Int64
			var back atomic.Bool
			c := newRetryClient(t, func(ctx context.Context) (retry.ClientSession, error) {
				if back.Load() {
					return new(fakeSession), nil
				}
				dials.Add(1)
				return connect(ctx)
			})
			c.Policy = retry.Policy{Safety: retry.SafetyReadOnly, ThrottledDelay: -1}
			c.Safety = nil
			begun := time.Now()
			var callers sync.WaitGroup
			for range 20 {
				callers.Go(func() {
					for time.Since(begun) < 2*time.Minute {
						out, d := call(t, c, "read")
						assert.NotEqual(t, retry.ActionAccept, d.Action)
						assert.NotEmpty(t, out.Err.Message, name)
						time.Sleep(10 * time.Millisecond) // in a bubble
					}
				})
			}
			callers.Wait()
			assert.LessOrEqual(t, dials.Load(), int64(20), "in two minutes, with pauses of up to 20 s")
			assert.GreaterOrEqual(t, dials.Load(), int64(10), name)
			back.Store(true)
			at := time.Now()
			for accepted := false; !accepted; {
				_, d := call(t, c, "read")
				accepted = d.Action == retry.ActionAccept
			}
			assert.LessOrEqual(t, time.Since(at), 21*time.Second)
			_ = c.Close()
		})
	}
	// the fourth session lists its tools, which is no answer, and the sixth answers a call
	synctest.Test(t, func(t *testing.T) {
		var at []time.Time
		var last *fakeSession
		c := clientOf(t, func(n int) *fakeSession {
			at = append(at, time.Now())
			s := &fakeSession{list: lists(keyedTool("charge")), exits: n == 4 || n == 7}
			last = s
			if n < 4 || n == 5 {
				s.list = func(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error) { return nil, io.EOF }
			}
			return s
		})
		c.Policy = retry.Policy{MaxAttempts: 20, BaseDelay: -1}
		_, d := call(t, c, "charge")
		assert.Equal(t, "accept 6", testutil.Words(d.Action, len(at)))
		assert.GreaterOrEqual(t, at[3].Sub(at[2]), time.Second, "the third pause")
		assert.GreaterOrEqual(t, at[4].Sub(at[3]), 2*time.Second, "the fourth pause")
		last.exits = true
		_, d = call(t, c, "charge")
		assert.Equal(t, "accept 8", testutil.Words(d.Action, len(at)))
		assert.Zero(t, at[6].Sub(at[5]))
		assert.LessOrEqual(t, at[7].Sub(at[6]), time.Second/2, "the first pause again")
	})
}
