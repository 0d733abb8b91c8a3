package retry_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

// A blocking transport connects to a peer that reads no tool call until it is released.
type blocking struct {
	mcp.Transport

	free <-chan struct{}
	sent *atomic.Int64 // number of calls to write
}

func (b *blocking) Connect(ctx context.Context) (mcp.Connection, error) {
	inner, err := b.Transport.Connect(ctx)
	return &blockingConnection{Connection: inner, blocking: b}, err
}

type blockingConnection struct {
	mcp.Connection
	*blocking
}

func (c *blockingConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Request); ok && r.Method == "tools/call" {
		c.sent.Add(1)
		<-c.free
		return context.Canceled
	}
	return c.Connection.Write(ctx, m)
}

// TestClient_AttemptKeepsSession checks that an attempt that is blocked in a write uses
// only its own session. Otherwise the race detector reports a later one.
func TestClient_AttemptKeepsSession(t *testing.T) {
	t.Parallel()
	synctest.Test(t, attemptKeepsSession)
}

func attemptKeepsSession(t *testing.T) {
	t.Helper()
	free := make(chan struct{})
	var blocked atomic.Int64
	w := newWorld(done)
	c := &retry.Client{Safety: retry.SafetyOf, Policy: retry.Policy{BaseDelay: time.Millisecond, AttemptTimeout: 200 * time.Millisecond}}
	var connects atomic.Int64
	c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		serverSide, clientSide := mcp.NewInMemoryTransports()
		if _, err := w.server.Connect(ctx, serverSide, nil); err != nil {
			return nil, err
		}
		var transport mcp.Transport = clientSide
		if connects.Add(1) == 1 {
			transport = &blocking{clientSide, free, &blocked}
		}
		return mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, nil).Connect(ctx, transport, nil)
	}
	_, _ = call(t, c, "read")
	assert.Positive(t, blocked.Load())
	close(free)
	assert.NoError(t, c.Close())
}

// TestClient_SlowServer checks that a slow server that responds to pings is not replaced.
func TestClient_SlowServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fakeSession{list: paged(1, new(atomic.Int64)), answer: func(ctx context.Context, _ *mcp.CallToolParams) (*mcp.CallToolResult, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		c := s.client()
		c.Policy.AttemptTimeout, c.Policy.Safety = time.Second, retry.SafetyReadOnly
		_, d := call(t, c, "read")
		assert.Equal(t, int64(1), s.connects.Load())
		assert.Equal(t, retry.ReasonNoAttemptsLeft, d.Reason)
		require.NoError(t, c.Close())
	})
}

// TestClient_SilentServer checks that a server that does not respond blocks no caller
// longer than its context.
func TestClient_SilentServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		waits := func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}
		var connects atomic.Int64
		c := &retry.Client{Policy: retry.Policy{AttemptTimeout: time.Second, Safety: retry.SafetyReadOnly}, Connect: func(context.Context) (retry.ClientSession, error) {
			connects.Add(1)
			return &fakeSession{over: make(chan struct{}), ping: waits, answer: func(ctx context.Context, _ *mcp.CallToolParams) (*mcp.CallToolResult, error) {
				return nil, waits(ctx)
			}}, nil
		}}
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		begun := time.Now()
		_, _ = c.CallTool(ctx, tool("read"))
		assert.Equal(t, 1500*time.Millisecond, time.Since(begun))
		begun = time.Now()
		_, d := call(t, c, "read")
		assert.Less(t, time.Since(begun), 20*time.Second)
		assert.NotEqual(t, retry.ActionAccept, d.Action)
		assert.GreaterOrEqual(t, connects.Load(), int64(2), "connects")
		require.NoError(t, c.Close())
	})
}
