package idempotency_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
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
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

var cuts = flag.Uint64("cuts", 100, "how many connections TestHandler_Cuts breaks")

const (
	cutCall  = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"charge","arguments":{"cents":471147114,"idempotency_key":"planted"}}}` + "\n"
	cutHello = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"v0"}}}` +
		"\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
)

// One is a listener with a single connection.
type one chan net.Conn

func (l one) Accept() (net.Conn, error) {
	if conn, ok := <-l; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}
func (l one) Close() error   { return nil }
func (l one) Addr() net.Addr { return new(net.TCPAddr) }

// wires connect a raw client, and return its end of the connection and the complete request.
var wires = []func(t *testing.T, server *mcp.Server) (conn net.Conn, request string){
	func(t *testing.T, server *mcp.Server) (net.Conn, string) {
		t.Helper()
		near, far := net.Pipe()
		_, err := server.Connect(t.Context(), &mcp.IOTransport{Reader: far, Writer: far}, nil)
		require.NoError(t, err)
		return near, cutHello + cutCall
	},
	func(t *testing.T, server *mcp.Server) (net.Conn, string) {
		t.Helper()
		near, far := net.Pipe()
		l := make(one, 1)
		l <- far
		close(l)
		handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
		go func() { _ = (&http.Server{Handler: handler}).Serve(l) }() //nolint:gosec // the only client is the test
		return near, fmt.Sprintf("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
			"Accept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s", len(cutCall), cutCall)
	},
}

// outcomes are those of a charge that takes a second. Each has its own idea of contexts.
var outcomes = []func(ctx context.Context, run int64) error{
	func(context.Context, int64) error { time.Sleep(time.Second); return nil },      // in a bubble
	func(context.Context, int64) error { time.Sleep(40 * time.Second); return nil }, // in a bubble, for longer than lease and grace
	func(ctx context.Context, _ int64) error {
		select {
		case <-time.After(time.Second):
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	},
	func(_ context.Context, run int64) error {
		if run > 1 {
			return nil
		}
		time.Sleep(time.Second) // in a bubble
		return toolerr.Transient("Busy.").WithEffect(toolerr.EffectNone)
	},
	func(context.Context, int64) error { time.Sleep(time.Second); return io.EOF }, // in a bubble
	func(context.Context, int64) error { time.Sleep(time.Second); panic("bug") },  // in a bubble
}

// TestHandler_Cuts cuts connections at a random byte of the request or of the answer, cancels
// the call at random moments with ids of all kinds, and repeats it meanwhile and later, also in
// parallel and by callers that leave. The work is done at most once, repeats agree, a connection
// that lives gets one answer, nothing of the request is logged, and no goroutine stays.
func TestHandler_Cuts(t *testing.T) {
	t.Parallel()
	for seed := range *cuts {
		synctest.Test(t, func(t *testing.T) { cut(t, rand.New(rand.NewPCG(seed, 0)), fmt.Sprintf("seed %d", seed)) }) //nolint:gosec // the same in every run
	}
}

func cut(t *testing.T, r *rand.Rand, seed string) {
	t.Helper()
	moment := func() time.Duration {
		return []time.Duration{0, 0, 1, time.Second / 2, time.Second, 2 * time.Second}[r.IntN(6)]
	}
	outcome := outcomes[r.IntN(len(outcomes))]
	var worked atomic.Int64
	c := &till{ends: func(ctx context.Context, run int64) error {
		worked.Add(1)
		err := outcome(ctx, run)
		if e := toolerr.From(err); e != nil && e.Effect == toolerr.EffectNone {
			worked.Add(-1)
		}
		return err
	}}
	var log bytes.Buffer
	server := c.server(logged(&log), &idempotency.Options{Grace: []time.Duration{0, -1}[r.IntN(2)]})
	wire, cancels := r.IntN(len(wires)), r.IntN(4)
	conn, request := wires[wire](t, server)
	sent, read := min(r.IntN(2*len(request)), len(request)), int64(r.IntN(800))
	isCut := sent < len(request) || r.IntN(2) == 0 || wire == 1 && cancels > 0 // which are no HTTP
	if !isCut {
		read = 1 << 20
	}

	var group sync.WaitGroup
	var answers []byte
	var texts sync.Map
	hold, writes := moment(), make(chan string, 1+cancels) // one writer, because a bubble's time stops at the lock of a pipe
	group.Go(func() {
		for range 1 + cancels {
			_, _ = io.WriteString(conn, <-writes)
		}
	})
	group.Go(func() {
		answers, _ = io.ReadAll(io.LimitReader(conn, read))
		_ = conn.Close()
	})
	group.Go(func() {
		writes <- request[:sent]
		if sent < len(request) {
			time.Sleep(hold) // in a bubble
			_ = conn.Close()
		}
	})
	for range cancels {
		at, id := moment(), []string{"1", "1", `"1"`, "2", "1.0", "null", "[]", `{"planted":471147114}`}[r.IntN(8)]
		group.Go(func() {
			time.Sleep(at) // in a bubble
			writes <- `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"planted"}}` + "\n"
		})
	}
	for range r.IntN(4) { // repeats meanwhile, some of whose callers leave
		session, at, stays, isClosed := testutil.Connect(t, server, nil), moment(), moment(), r.IntN(2) == 0
		group.Go(func() {
			time.Sleep(at) // in a bubble
			ctx, cancel := context.WithCancel(t.Context())
			defer time.AfterFunc(stays, func() {
				if cancel(); isClosed {
					_ = session.Close()
				}
			}).Stop()
			if out := chargeWith(ctx, session, "charge", 471147114, "planted", nil); out.Kind == result.KindData {
				texts.Store(out.Text(), true)
			}
		})
	}
	time.Sleep(2 * time.Minute) // in a bubble
	_ = conn.Close()
	group.Wait()
	for n := range 3 {
		out := charge(t, testutil.Connect(t, server, nil), "charge", 471147114, "planted")
		switch {
		case out.Kind == result.KindData:
			texts.Store(out.Text(), true)
			continue
		case n == 0 && out.Err.Effect == toolerr.EffectNone: // it was the first that arrived
			continue
		}
		assert.Equal(t, "unknown false", fmt.Sprint(out.Err.Effect, " ", out.Err.Retryable), seed)
		texts.Store(out.Err.Message, true)
	}
	assert.Len(t, maps.Collect(texts.Range), 1, seed)
	assert.LessOrEqual(t, worked.Load(), int64(1), seed)
	assert.LessOrEqual(t, bytes.Count(answers, []byte(`"id":1,`)), 1, seed)
	if !isCut {
		assert.Contains(t, string(answers), `"id":1,`, seed)
	}
	for _, secret := range []string{"planted", "471147114"} {
		assert.NotContains(t, log.String(), secret, seed)
	}
}
