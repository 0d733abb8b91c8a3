package retry_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const beServer = "RETRY_TEST_BE_A_SERVER_THAT_DIES_ONCE"

// TestMain lets the test binary be a server that exits during its first call, and answers
// after a restart. A file records that it exited.
func TestMain(m *testing.M) {
	died := os.Getenv(beServer)
	if play() {
		return
	}
	if died == "" {
		slog.SetDefault(slog.New(slog.DiscardHandler)) // to keep the output short
		os.Exit(m.Run())
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "mortal", Version: "v0"}, nil)
	mortal := func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		if _, err := os.Stat(died); err == nil {
			return result.OK("alive"), nil, nil
		}
		_ = os.WriteFile(died, nil, 0o600)
		os.Exit(3)
		return nil, nil, nil
	}
	mcp.AddTool(server, &mcp.Tool{Name: "read", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, mortal)
	mcp.AddTool(server, &mcp.Tool{Name: "write"}, mortal)
	_ = server.Run(context.Background(), &mcp.StdioTransport{})
}

// A world is a server in memory, whose tools end as the test defines, with a function to
// connect to it.
type world struct {
	server   *mcp.Server
	calls    atomic.Int64
	connects atomic.Int64
	refuse   atomic.Int64 // number of dials that fail first
	line     atomic.Pointer[net.Conn]
	params   sync.Map // *mcp.CallToolParamsRaw by number of the call
	handle   func(n int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error)
}

func newWorld(handle func(n int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error)) *world {
	w := &world{server: mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil), handle: handle}
	w.server.AddReceivingMiddleware(result.Middleware(nil))
	object := map[string]any{"type": "object"}
	keyed := map[string]any{"type": "object", "properties": map[string]any{"idempotency_key": map[string]any{"type": "string"}}}
	for _, tool := range []*mcp.Tool{
		{Name: "read", InputSchema: object, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		{Name: "write", InputSchema: object},
		{Name: "charge", InputSchema: keyed},
	} {
		w.server.AddTool(tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			n := w.calls.Add(1)
			w.params.Store(n, req.Params)
			return w.handle(n, req)
		})
	}
	return w
}

func (w *world) connect(ctx context.Context) (retry.ClientSession, error) {
	if w.connects.Add(1) <= w.refuse.Load() {
		return nil, errRefused
	}
	serverSide, clientSide := net.Pipe()
	if _, err := w.server.Connect(ctx, &mcp.IOTransport{Reader: serverSide, Writer: serverSide}, nil); err != nil {
		return nil, err
	}
	w.line.Store(&serverSide)
	options := &mcp.ClientOptions{MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}}
	return mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, options).Connect(ctx, &mcp.IOTransport{Reader: clientSide, Writer: clientSide}, nil)
}

// connectAs returns a connect function for a version of the protocol.
func (w *world) connectAs(c *retry.Client, version string) func(context.Context) (retry.ClientSession, error) {
	return func(ctx context.Context) (retry.ClientSession, error) {
		serverSide, clientSide := mcp.NewInMemoryTransports()
		if _, err := w.server.Connect(ctx, serverSide, nil); err != nil {
			return nil, err
		}
		return mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, c.Options(nil)).
			Connect(ctx, clientSide, &mcp.ClientSessionOptions{ProtocolVersion: version})
	}
}

// cut closes the last session abruptly.
func (w *world) cut() { _ = (*w.line.Load()).Close() }

func (w *world) client(t *testing.T) *retry.Client {
	t.Helper()
	c := &retry.Client{Connect: w.connect, Safety: retry.SafetyOf, Policy: retry.Policy{BaseDelay: time.Millisecond}}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func call(t *testing.T, c *retry.Client, tool string) (result.Outcome, retry.Decision) {
	t.Helper()
	return c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
}

// failOnce fails the first call with err.
func failOnce(err error) func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return func(n int64, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if n == 1 {
			return nil, err
		}
		return result.OK("done"), nil
	}
}

func TestClient_Safety(t *testing.T) {
	t.Parallel()
	for tool, want := range map[string]struct {
		calls  int64
		action retry.Action
	}{"read": {2, retry.ActionAccept}, "charge": {2, retry.ActionAccept}, "write": {1, retry.ActionVerify}} {
		w := newWorld(failOnce(errLost))
		out, d := call(t, w.client(t), tool)
		assert.Equal(t, want.action, d.Action, tool)
		assert.Equal(t, want.calls, w.calls.Load(), tool)
		if tool == "charge" {
			assert.Equal(t, keyOf(t, w, 1), keyOf(t, w, 2))
			assert.Len(t, keyOf(t, w, 1), 36)
		}
		if d.Action == retry.ActionVerify {
			assert.Equal(t, "write", out.Err.Attempted[0].Tool)
		}
		assert.Equal(t, int64(1), w.connects.Load())

		if tool == "read" {
			continue // its server states effect none for each failure
		}
		w = newWorld(failOnce(errLost))
		distrusting := w.client(t)
		distrusting.Safety = nil
		_, d = call(t, distrusting, tool)
		assert.Equal(t, retry.ActionVerify, d.Action, tool)
		assert.Equal(t, int64(1), w.calls.Load(), tool)
	}
}

func keyOf(t *testing.T, w *world, n int64) string {
	t.Helper()
	v, ok := w.params.Load(n)
	require.True(t, ok)
	params, ok := v.(*mcp.CallToolParamsRaw)
	require.True(t, ok)
	arguments, err := result.Decode[map[string]string](result.Outcome{Kind: result.KindData, Result: &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: string(params.Arguments)}},
	}})
	require.NoError(t, err)
	return arguments["idempotency_key"]
}

// TestClient_AttemptNumbers checks the number of the attempt in _meta.
func TestClient_AttemptNumbers(t *testing.T) {
	t.Parallel()
	w := newWorld(failOnce(errRefused))
	_, d := call(t, w.client(t), "write")
	assert.Equal(t, 2, d.Attempt)
	for n := int64(1); n <= 2; n++ {
		v, _ := w.params.Load(n)
		params, ok := v.(*mcp.CallToolParamsRaw)
		require.True(t, ok)
		assert.InDelta(t, float64(n), params.Meta["io.github.mcp-toolerr/attempt"], 0)
	}
}

func TestClient_NewSession(t *testing.T) {
	t.Parallel()
	for tool, action := range map[string]retry.Action{"read": retry.ActionAccept, "charge": retry.ActionAccept, "write": retry.ActionVerify} {
		w := newWorld(nil)
		w.handle = func(n int64, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if n == 1 {
				w.cut()
			}
			return result.OK("done"), nil
		}
		c := w.client(t)
		_, d := call(t, c, tool)
		assert.Equal(t, action, d.Action, tool)
		out, _ := call(t, c, tool)
		require.NoError(t, out.AsError(), "next call")
		assert.Equal(t, int64(2), w.connects.Load(), tool)
	}
	// The attempts are limited, so that a server that always exits is not dialed forever.
	w := newWorld(nil)
	w.handle = func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		w.cut()
		return result.OK("done"), nil
	}
	_, d := call(t, w.client(t), "read")
	assert.Equal(t, retry.ReasonNoAttemptsLeft, d.Reason)
	assert.Equal(t, 3, d.Attempt)
}

// TestClient_ConcurrentUse checks that callers share a session, and share the new one after
// it is lost.
func TestClient_ConcurrentUse(t *testing.T) {
	t.Parallel()
	const callers = 10 // the number of retries in the budget
	release := make(chan bool)
	w := newWorld(nil)
	w.handle = func(n int64, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		switch {
		case n < callers:
			<-release // all wait for the last call, which ends the session
		case n == callers:
			w.cut()
			close(release)
		}
		return result.OK("done"), nil
	}
	c := w.client(t)
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			out, _ := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "read"})
			assert.NoError(t, out.AsError())
		})
	}
	wg.Wait()
	assert.Equal(t, int64(2), w.connects.Load())
	assert.Equal(t, int64(2*callers), w.calls.Load())
}

func TestClient_Connect(t *testing.T) {
	t.Parallel()
	w := newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return result.OK("done"), nil })
	w.refuse.Store(2)
	out, d := call(t, w.client(t), "write")
	require.NoError(t, out.AsError())
	assert.Equal(t, 3, d.Attempt, "attempts")
	assert.Equal(t, int64(3), w.connects.Load())

	w.refuse.Store(100)
	out, _ = w.client(t).CallTool(t.Context(), &mcp.CallToolParams{Name: "charge", Arguments: map[string]any{"idempotency_key": "mine"}})
	assert.Equal(t, "mine", out.Err.IdempotencyKey, "key in the failure")
	out, d = call(t, w.client(t), "write")
	assert.Equal(t, "propagate unavailable none", d.Action.String()+" "+string(out.Err.Code)+" "+string(out.Err.Effect))

	for name, c := range map[string]*retry.Client{
		"none":    {},
		"nothing": {Connect: func(context.Context) (retry.ClientSession, error) { return nil, nil }},
		"unknown": {Connect: func(context.Context) (retry.ClientSession, error) { return nil, errors.New("odd") }},
	} {
		out, d = call(t, c, "read")
		assert.Equal(t, "internal none", string(out.Err.Code)+" "+string(out.Err.Effect), name)
		assert.Equal(t, 1, d.Attempt, name)
	}

	// A Connect that never returns blocks no caller longer than its context.
	hanging := &retry.Client{Connect: func(ctx context.Context) (retry.ClientSession, error) { <-ctx.Done(); return nil, ctx.Err() }}
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			out, _ := hanging.CallTool(ctx, &mcp.CallToolParams{Name: "read"})
			assert.ErrorIs(t, out.AsError(), context.DeadlineExceeded)
		})
	}
	wg.Wait()
}

// TestClient_KeyedCallWithoutList checks that a call is not sent without its key if the
// tool list cannot be read.
func TestClient_KeyedCallWithoutList(t *testing.T) {
	t.Parallel()
	w := newWorld(done)
	lists := 0
	w.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "tools/list" {
				if lists++; lists == 1 {
					w.cut()
				}
			}
			return next(ctx, method, req)
		}
	})
	_, d := call(t, w.client(t), "charge")
	assert.Equal(t, retry.ActionAccept, d.Action)
	assert.Equal(t, int64(1), w.calls.Load())
	assert.NotEmpty(t, keyOf(t, w, 1))
}

// TestClient_FirstCallerLeaves checks that the context of the call that connects does not
// end the session.
func TestClient_FirstCallerLeaves(t *testing.T) {
	t.Parallel()
	w := newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return result.OK("done"), nil })
	c := w.client(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, d := c.CallTool(ctx, &mcp.CallToolParams{Name: "read"})
	assert.Equal(t, retry.ActionAccept, d.Action)
	cancel()
	_, d = call(t, c, "read")
	assert.Equal(t, retry.ActionAccept, d.Action)
	assert.Equal(t, int64(1), w.connects.Load())

	require.NoError(t, c.Close())
	require.NoError(t, c.Close())
	out, _ := call(t, c, "read")
	assert.Equal(t, "The client is closed.", out.Err.Message)
}

// TestClient_ServerRestart checks that a child process that exits during a call is started
// again.
func TestClient_ServerRestart(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	require.NoError(t, err)
	for tool, action := range map[string]retry.Action{"read": retry.ActionAccept, "write": retry.ActionVerify} {
		died := filepath.Join(t.TempDir(), "died")
		c := &retry.Client{Safety: retry.SafetyOf, Policy: retry.Policy{BaseDelay: time.Millisecond}, Connect: func(ctx context.Context) (retry.ClientSession, error) {
			command := exec.Command(self)
			command.Env = append(os.Environ(), beServer+"="+died)
			command.Stderr = io.Discard
			client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, nil)
			return client.Connect(ctx, &mcp.CommandTransport{Command: command}, nil)
		}}
		_, d := call(t, c, tool)
		assert.Equal(t, action, d.Action, tool)
		out, _ := call(t, c, tool)
		assert.Equal(t, "alive", out.Text())
		require.NoError(t, c.Close())
	}
}

var errBusy = toolerr.Transient("busy").WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone)
