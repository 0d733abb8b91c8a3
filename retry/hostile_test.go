package retry_test

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
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

// A faked session answers with a function.
type faked struct {
	answer func(*mcp.CallToolParams) (*mcp.CallToolResult, error)
}

func (f *faked) CallTool(_ context.Context, p *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	return f.answer(p)
}

func fake(answer func(*mcp.CallToolParams) (*mcp.CallToolResult, error)) retry.Session {
	return &faked{answer}
}

func fails(err error) (*mcp.CallToolResult, error) { return result.Failure(err), nil }

func done(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return result.OK("done"), nil }

func tool(name string, args ...any) *mcp.CallToolParams {
	p := &mcp.CallToolParams{Name: name}
	if args != nil {
		p.Arguments = args[0]
	}
	return p
}

// reasons calls the tools in order under one Guard, and returns the reasons.
func reasons(t *testing.T, s retry.Session, tools ...string) (got []retry.Reason) {
	t.Helper()
	p := retry.Policy{Guard: new(retry.Guard), BaseDelay: 1}
	for _, name := range tools {
		_, d := retry.CallTool(t.Context(), p, s, tool(name))
		got = append(got, d.Reason)
	}
	return got
}

func (w *world) onList(f func(context.Context) (*mcp.ListToolsResult, error)) {
	w.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "tools/list" {
				if r, err := f(ctx); r != nil || err != nil {
					return r, err
				}
			}
			return next(ctx, method, req)
		}
	})
}

func returns(f func()) bool {
	c := make(chan bool)
	go func() { f(); close(c) }()
	select {
	case <-c:
		return true
	case <-time.After(testutil.Patience):
		return false
	}
}

func silent(ctx context.Context) (*mcp.ListToolsResult, error) { <-ctx.Done(); return nil, ctx.Err() }

func TestGuard_KeptKey(t *testing.T) {
	t.Parallel()
	booked := map[any]bool{}
	s := fake(func(p *mcp.CallToolParams) (*mcp.CallToolResult, error) {
		arguments, _ := p.Arguments.(map[string]any)
		booked[arguments["idempotency_key"]] = true
		return nil, context.DeadlineExceeded // booked, but the reply is lost
	})
	p := retry.Policy{Safety: retry.SafetyKeyed, BaseDelay: 1, Guard: new(retry.Guard)}
	for range 2 {
		_, _ = retry.CallTool(t.Context(), p, s, tool("charge", map[string]any{"amount": 40}))
	}
	assert.Len(t, booked, 1)
}

func TestClient_KeyArgument(t *testing.T) {
	t.Parallel()
	w := newWorld(failOnce(errLost)) // charge has idempotency_key
	c := w.client(t)                 // Safety: SafetyOf
	c.Policy.KeyArgument = "request_id"
	_, _ = call(t, c, "charge")
	assert.Equal(t, int64(1), w.calls.Load(), "calls of a tool with another key argument")
}

func TestClient_ToolWithoutKey(t *testing.T) {
	t.Parallel()
	w := newWorld(failOnce(errLost))
	c := w.client(t)
	c.Policy.KeyArgument, c.Policy.Safety = "request_id", retry.SafetyKeyed // according to the doc of SafetyOf
	_, _ = call(t, c, "write")                                              // has no key argument
	assert.Equal(t, int64(1), w.calls.Load())
}

func TestCallTool_AppliedEffect(t *testing.T) {
	t.Parallel()
	n := 0
	s := fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) {
		if n++; n == 1 {
			return fails(toolerr.Transient("Booked, but no receipt.").WithEffect(toolerr.EffectApplied))
		}
		return fails(errRefused)
	})
	out, _ := retry.CallTool(t.Context(), retry.Policy{Safety: retry.SafetyKeyed, BaseDelay: 1}, s, tool("charge"))
	assert.NotEqual(t, toolerr.EffectNone, out.Err.Effect)
}

func TestDo_WrappedLayers(t *testing.T) {
	t.Parallel()
	p := retry.Policy{BaseDelay: 1}
	for name, wrap := range map[string]func(error) error{
		"cause":  func(err error) error { return toolerr.Transient("Upstream is down.").WithCause(err) },
		"join":   func(err error) error { return errors.Join(syscall.ECONNREFUSED, err) },
		"errorf": func(err error) error { return fmt.Errorf("%w: %w", syscall.ECONNREFUSED, err) },
	} {
		calls := 0
		_, _ = retry.Do(t.Context(), p, func(ctx context.Context) (int, error) {
			_, err := retry.Do(ctx, p, func(context.Context) (int, error) { calls++; return 0, errRefused })
			return 0, wrap(err)
		})
		assert.Equal(t, 3, calls, name)
	}
}

func TestClient_Elicit(t *testing.T) {
	t.Parallel()
	asked := 0
	w := newWorld(func(_ int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		_, _ = req.Session.Elicit(context.Background(), &mcp.ElicitParams{Message: "Pay 40?", RequestedSchema: map[string]any{"type": "object"}})
		return nil, errBusy
	})
	c := &retry.Client{Policy: quick}
	c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		a, b := mcp.NewInMemoryTransports()
		_, _ = w.server.Connect(ctx, a, nil)
		return mcp.NewClient(&mcp.Implementation{Name: "c"}, c.Options(&mcp.ClientOptions{
			ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				asked++
				return &mcp.ElicitResult{Action: "accept"}, nil
			},
		})).Connect(ctx, b, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	}
	defer func() { _ = c.Close() }()
	_, _ = call(t, c, "write")
	assert.Equal(t, 1, asked)
}

func TestClient_EndlessList(t *testing.T) {
	t.Parallel()
	for name, list := range map[string]func(context.Context) (*mcp.ListToolsResult, error){
		"silent": silent,
		"empty pages": func(context.Context) (*mcp.ListToolsResult, error) {
			return &mcp.ListToolsResult{Tools: []*mcp.Tool{}, NextCursor: fmt.Sprint(time.Now().UnixNano())}, nil
		},
	} {
		w := newWorld(done) // tools/call answers immediately
		w.onList(list)
		limited := retry.Policy{BaseDelay: time.Millisecond, AttemptTimeout: 300 * time.Millisecond}
		s := w.plainSession(t, limited)
		ctx, cancel := context.WithCancel(t.Context())
		assert.True(t, returns(func() { _, _ = s.CallTool(ctx, tool("write")) }), "middleware, %s", name)
		c := w.client(t)
		c.Policy = limited
		assert.True(t, returns(func() { _, _ = c.CallTool(ctx, tool("write")) }), "client, %s", name)
		assert.Zero(t, w.calls.Load(), "a tool that is not known is not called")
		cancel()
	}
}

func TestClient_CloseEndsCalls(t *testing.T) {
	t.Parallel()
	release := make(chan bool)
	w := newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { <-release; return result.OK(1), nil })
	c := &retry.Client{Connect: w.connect}
	go c.CallTool(context.Background(), tool("write"))
	for w.calls.Load() == 0 {
		time.Sleep(time.Millisecond) // the call goes through a real session
	}
	assert.True(t, returns(func() { _ = c.Close() }), "Close hangs")
	close(release)
}

// TestClient_CloseWaitsForDial checks that a server that is started during Close does not
// outlive it.
func TestClient_CloseWaitsForDial(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stopped := false
		c := &retry.Client{Connect: func(ctx context.Context) (retry.ClientSession, error) {
			<-ctx.Done()
			time.Sleep(time.Second) // a Connect that is slow to clean up
			stopped = true
			return nil, ctx.Err()
		}}
		go c.CallTool(t.Context(), tool("x"))
		synctest.Wait()
		require.NoError(t, c.Close())
		assert.True(t, stopped)
	})
}

func TestClient_SharedConnect(t *testing.T) {
	t.Parallel()
	c := &retry.Client{Connect: func(ctx context.Context) (retry.ClientSession, error) {
		return mcp.NewClient(&mcp.Implementation{Name: "c"}, nil).Connect(ctx, &mcp.CommandTransport{Command: exec.Command("sleep", "300")}, nil)
	}}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	at := time.Now()
	_, _ = c.CallTool(ctx, tool("x"))
	assert.Less(t, time.Since(at), testutil.Patience)

	c = &retry.Client{Connect: func(ctx context.Context) (retry.ClientSession, error) { <-ctx.Done(); return nil, ctx.Err() }}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	time.AfterFunc(50*time.Millisecond, func() { _ = c.Close() })
	assert.True(t, returns(func() { c.CallTool(ctx, tool("x")) }), "Close does not end a call that connects")

	synctest.Test(t, func(t *testing.T) {
		c := &retry.Client{Policy: retry.Policy{MaxAttempts: 1}, Connect: func(context.Context) (retry.ClientSession, error) {
			time.Sleep(200 * time.Millisecond) // in a bubble
			return nil, errRefused
		}}
		at := time.Now()
		var wg sync.WaitGroup
		for range 30 {
			wg.Go(func() { c.CallTool(t.Context(), tool("x")) })
		}
		wg.Wait()
		assert.Less(t, time.Since(at), 4*time.Second, "30 callers queue for 30 connects")
	})
}

func TestClient_CallerContext(t *testing.T) {
	t.Parallel()
	var lists atomic.Int64
	w := newWorld(failOnce(errLost))
	a, leave := testutil.Deadline(t.Context())
	w.onList(func(ctx context.Context) (*mcp.ListToolsResult, error) {
		if lists.Add(1) == 1 {
			leave()
			return silent(ctx)
		}
		return nil, nil
	})
	c := w.client(t)
	_, d := c.CallTool(a, tool("charge")) // the first caller leaves while the tools are listed
	assert.NotEqual(t, retry.ActionVerify, d.Action, "first caller, %d calls", w.calls.Load())
	_, d = call(t, c, "charge") // the second caller
	assert.NotEmpty(t, keyOf(t, w, 1), "key of the second caller")
	assert.Equal(t, retry.ActionAccept, d.Action, "B")
}

func TestGuard_LookupAfterUnknownEffect(t *testing.T) {
	t.Parallel()
	created := false
	s := fake(func(p *mcp.CallToolParams) (*mcp.CallToolResult, error) {
		if p.Name == "create" {
			created = true
			return nil, context.DeadlineExceeded // the effect is unknown
		}
		if created {
			return result.OK("order 7"), nil
		}
		return fails(errPath)
	})
	assert.NotEqual(t, retry.ReasonRepeatedCall, reasons(t, s, "get", "create", "get")[2])
}

func TestGuard_EmptyLookup(t *testing.T) {
	t.Parallel()
	s := fake(func(p *mcp.CallToolParams) (*mcp.CallToolResult, error) {
		if p.Name == "create" {
			return nil, context.DeadlineExceeded
		}
		return fails(errPath) // a definite no: the order was not created
	})
	p := retry.Policy{Guard: new(retry.Guard), BaseDelay: 1}
	order := map[string]any{"order": "ORD-7"}
	reason := func(name string, safety retry.Safety) retry.Reason {
		p.Safety = safety
		_, d := retry.CallTool(t.Context(), p, s, tool(name, order))
		return d.Reason
	}
	_ = reason("create", retry.SafetyUnknown)
	_ = reason("get", retry.SafetyUnknown)
	assert.Equal(t, retry.ReasonRepeatedCall, reason("create", retry.SafetyUnknown), "after a tool of unknown safety")
	_ = reason("find", retry.SafetyReadOnly)
	assert.NotEqual(t, retry.ReasonRepeatedCall, reason("create", retry.SafetyUnknown))
}
