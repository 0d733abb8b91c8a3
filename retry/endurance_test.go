package retry_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A faultyServer is a server that fails in several ways, with the book in which it books.
type faultyServer struct {
	current atomic.Pointer[backend]
	proxied http.Transport

	mu     sync.Mutex
	booked map[string]int  // by order
	keys   map[string]bool // that were used
}

// A backend is a version of the server until it crashes.
type backend struct {
	*pipeListener
	*world
	hung atomic.Bool
}

// replace crashes the current backend, if there is one, and starts one of a version, if it has one.
func (f *faultyServer) replace(version string) {
	if old := f.current.Load(); old != nil {
		old.end()
		f.proxied.CloseIdleConnections()
		for session := range old.world.server.Sessions() {
			go func() { _ = session.Close() }()
		}
	}
	if version != "" {
		b := &backend{world: newWorldOf(version, true, f.book)}
		handler := httpHandler(b.world.server)
		b.pipeListener = serveInMemory(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if b.hung.Load() {
				<-b.closed
				return
			}
			handler.ServeHTTP(rw, r)
		}))
		f.current.Store(b)
	}
}

// fail causes failures until the context ends.
func (f *faultyServer) fail(ctx context.Context, period time.Duration) {
	for n := 0; sleepFor(ctx, period); n++ {
		switch n % 3 {
		case 1: // it hangs
			f.current.Load().hung.Store(true)
			sleepFor(ctx, period/2)
		case 2: // it is away
			f.replace("")
			sleepFor(ctx, period/5)
		}
		f.replace([]string{"v1", "v1", "v2", "v2"}[n%4])
	}
}

// book carries out a call, once for each key, and throttles.
func (f *faultyServer) book(n int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in struct {
		Order string `json:"order"`
		Key   string `json:"idempotency_key"`
	}
	if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
		return nil, err
	}
	if n%50 == 0 {
		return nil, toolerr.RateLimited("Too many.", 100*time.Millisecond).WithEffect(toolerr.EffectNone)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if req.Params.Name == "charge" && (in.Key == "" || !f.keys[in.Key]) {
		f.keys[in.Key] = true
		f.booked[in.Order]++
	}
	return result.OK(map[string]any{"receipt": in.Order}), nil
}

var endurance = flag.Duration("endurance", 10*time.Second, "duration of TestClient_Endurance, in its bubble")

// TestClient_Endurance lets callers share one client of a server that crashes, hangs, throttles
// and is replaced by another version, behind a gateway that answers 502, 504 and pages.
//
//	go test ./retry -run Endurance -endurance 10m -v
func TestClient_Endurance(t *testing.T) { //nolint:paralleltest // it measures memory
	heap := allocs.Heap()
	synctest.Test(t, func(t *testing.T) {
		f := &faultyServer{booked: map[string]int{}, keys: map[string]bool{}}
		f.replace("v1")
		f.proxied.ResponseHeaderTimeout = time.Second
		f.proxied.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			return f.current.Load().pipeListener.dial(ctx, network, address)
		}
		proxy := newProxy(&f.proxied, func() string { return "in.memory" })
		var requests, calls, well, doubled, untrue atomic.Int64
		gateway := serveInMemory(intercept(proxy, func(rw http.ResponseWriter, r *http.Request) bool {
			n := requests.Add(1) % 200
			if n == 60 { // after the booking
				proxy.ServeHTTP(httptest.NewRecorder(), r)
			}
			status := map[int64]string{20: "502", 60: "504", 140: "200"}[n]
			if status != "" {
				plain(rw, status)
			}
			return status != ""
		}))
		p := retry.AgentPolicy()
		p.AttemptTimeout, p.Budget.Size = 2*time.Second, -1
		transport := &http.Transport{DialContext: gateway.dial, MaxIdleConnsPerHost: 20}
		c := httpClient("http://in.memory/", versions[1], result.RoundTripper(transport), p)
		ctx, cancel := context.WithTimeout(t.Context(), *endurance)
		defer cancel()
		var all sync.WaitGroup
		all.Go(func() { f.fail(ctx, min(*endurance/8, 5*time.Second)) })
		for caller := range 20 {
			all.Go(func() {
				for n := 0; sleepFor(ctx, 100*time.Millisecond); n++ {
					order, name := fmt.Sprint(caller, "-", n), []string{"charge", "read"}[n%2]
					out, d := c.CallTool(context.Background(), tool(name, map[string]any{"order": order}))
					f.mu.Lock()
					booked := f.booked[order]
					f.mu.Unlock()
					done, notDone := d.Action == retry.ActionAccept, out.Err != nil && out.Err.Effect == "none"
					calls.Add(1)
					switch {
					case booked > 1:
						doubled.Add(1)
					case name == "charge" && (done && booked == 0 || notDone && booked > 0):
						untrue.Add(1)
					case done:
						well.Add(1)
					}
				}
			})
		}
		all.Wait()
		require.NoError(t, c.Close())
		transport.CloseIdleConnections()
		gateway.end()
		f.replace("")
		share := float64(well.Load()) / float64(calls.Load())
		t.Logf("%d calls in %v, %.2f %% succeeded", calls.Load(), *endurance, 100*share)
		assert.Zero(t, doubled.Load(), "orders that are booked twice")
		assert.Zero(t, untrue.Load(), "orders with a wrong answer")
		assert.GreaterOrEqual(t, share, 0.95)
	})
	assert.LessOrEqual(t, allocs.Heap()-heap, 8<<20, "more bytes at the end than at the start")
}
