//go:build unix

package retry_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

var endurance = flag.Duration("endurance", 3*time.Second, "duration of each run of TestClient_Endurance")

const enduranceCallers = 100

// TestClient_Endurance lets a hundred callers share one client of a server that crashes,
// hangs, throttles and is replaced by another version, behind a gateway that answers 502,
// 504 and pages; and then do the same with a session of the SDK and a loop around it.
//
//	go test ./retry -run Endurance -endurance 10m -timeout 30m -v
func TestClient_Endurance(t *testing.T) { //nolint:paralleltest // it counts goroutines and memory
	ours, byHand := endure(t, "retry.Client", newEnduringClient), endure(t, "a session with a loop around it", newLoopedSession)
	assert.Zero(t, ours.doubled, "orders that are booked twice")
	assert.Zero(t, ours.untrue, "orders with a wrong answer")
	if *endurance >= time.Minute { // shorter runs are too noisy
		assert.GreaterOrEqual(t, ours.share(), 0.95)
	}
	assert.Positive(t, byHand.calls)
	assert.LessOrEqual(t, ours.goroutines, 5, "more goroutines at the end than at the start")
	assert.LessOrEqual(t, ours.heap, 8<<20, "more bytes at the end than at the start")
}

// A runResult holds the results of the calls of a run.
type runResult struct {
	calls, well, doubled, untrue int
	reasons                      map[string]int
	goroutines, heap             int // increase from start to end
}

func (a runResult) share() float64 { return float64(a.well) / float64(a.calls) }

// An orderClient makes calls. It reports whether a call was done, and whether it was not, if
// that is known.
type orderClient interface {
	call(ctx context.Context, order string) (done, notDone bool, reason string)
	Close() error
}

func endure(t *testing.T, name string, newClient func(url string) orderClient) runResult {
	t.Helper()
	w := newFaultyServer(t)
	measure := func() (goroutines, heap int) {
		http.DefaultClient.CloseIdleConnections()
		heap = allocs.Heap()
		return runtime.NumGoroutine(), heap
	}
	s := newClient(w.gateway.URL)
	goroutines, heap := measure()
	ctx, cancel := context.WithTimeout(context.Background(), *endurance)
	defer cancel()
	over := make(chan struct{})
	go func() { w.make(ctx); close(over) }()
	got := runResult{reasons: map[string]int{}}
	var mu sync.Mutex
	var callers sync.WaitGroup
	for caller := range enduranceCallers {
		callers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				order := ""
				if n%2 == 0 {
					order = fmt.Sprint(caller, "-", n)
				}
				done, notDone, reason := s.call(context.Background(), order)
				booked := w.booked(order)
				mu.Lock()
				got.calls++
				got.reasons[reason]++
				switch {
				case order != "" && booked > 1:
					got.doubled++
				case order != "" && (done && booked == 0 || notDone && booked > 0):
					got.untrue++
				case done:
					got.well++
				}
				mu.Unlock()
				time.Sleep(100 * time.Millisecond) // the servers are processes of their own
			}
		})
	}
	callers.Wait()
	<-over
	require.NoError(t, s.Close())
	w.end()
	for range 100 { // goroutines end asynchronously
		after, now := measure()
		got.goroutines, got.heap = after-goroutines, now-heap
		if got.goroutines <= 0 {
			break
		}
		time.Sleep(50 * time.Millisecond) // of real sockets
	}
	t.Logf("%s: %d calls in %v, %.2f %% succeeded, %d booked twice, %d wrong answers; %+d goroutines, %+d KB",
		name, got.calls, *endurance, 100*got.share(), got.doubled, got.untrue, got.goroutines, got.heap>>10)
	for _, reason := range slices.Sorted(maps.Keys(got.reasons)) {
		t.Logf("  %6d %s", got.reasons[reason], reason)
	}
	t.Logf("  troubles: %v", w.troubles)
	return got
}

// newEnduringClient returns the client of the documentation.
func newEnduringClient(url string) orderClient {
	p := retry.AgentPolicy()
	p.BaseDelay, p.ThrottledDelay = time.Second, time.Second // on average as long as the loop's
	p.AttemptTimeout, p.Budget.Size = 2*time.Second, -1      // like the loop
	c := &retry.Client{Safety: retry.SafetyOf, Policy: p}
	h := &http.Client{Transport: result.RoundTripper(&http.Transport{MaxIdleConnsPerHost: enduranceCallers})}
	c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		return mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, c.Options(nil)).
			Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: h}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	}
	return enduring{c, h}
}

type enduring struct {
	*retry.Client

	h *http.Client
}

func (e enduring) call(ctx context.Context, order string) (done, notDone bool, reason string) {
	params := tool("read", map[string]any{})
	if order != "" {
		params = tool("charge", map[string]any{"order": order})
	}
	out, d := e.CallTool(ctx, params)
	return d.Action == retry.ActionAccept, out.Err != nil && out.Err.Effect == "none", d.Action.String() + " " + string(d.Reason)
}

func (e enduring) Close() error {
	defer e.h.CloseIdleConnections()
	return e.Client.Close()
}

// A looped session is a handwritten loop: four attempts with waits of 0.5, 1 and 2 s, and a
// new session after an error that is not a tool error.
type looped struct {
	url string
	h   *http.Client

	mu      sync.Mutex
	session *mcp.ClientSession
}

func newLoopedSession(url string) orderClient {
	return &looped{url: url, h: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: enduranceCallers}}}
}

func (l *looped) current(ctx context.Context) (*mcp.ClientSession, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.session != nil {
		return l.session, nil
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, nil).
		Connect(ctx, &mcp.StreamableClientTransport{Endpoint: l.url, HTTPClient: l.h}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err == nil {
		l.session = session
	}
	return session, err
}

func (l *looped) call(ctx context.Context, order string) (done, notDone bool, reason string) {
	for i := range 4 {
		if i > 0 {
			time.Sleep(500 * time.Millisecond << (i - 1)) // the handwritten wait
		}
		err := l.once(ctx, order)
		if err == nil {
			return true, false, "done"
		}
		reason = "failed"
	}
	return false, false, reason
}

func (l *looped) once(ctx context.Context, order string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	session, err := l.current(ctx)
	if err != nil {
		return err
	}
	params := tool("read", map[string]any{})
	if order != "" {
		params = tool("charge", map[string]any{"order": order})
	}
	res, err := session.CallTool(ctx, params)
	if err != nil {
		l.mu.Lock()
		if l.session == session && !errors.Is(err, context.DeadlineExceeded) {
			l.session = nil
			go func() { _ = session.Close() }()
		}
		l.mu.Unlock()
		return err
	}
	if res.IsError {
		return errors.New("tool error")
	}
	return nil
}

func (l *looped) Close() error {
	defer l.h.CloseIdleConnections()
	if l.session != nil {
		_ = l.session.Close()
	}
	return nil
}

// A faultyServer is a server that fails in several ways, behind a gateway, with the book in
// which it books.
type faultyServer struct {
	gateway, book *httptest.Server
	transport     *http.Transport
	child         atomic.Pointer[enduredChild]
	requests      atomic.Int64
	troubles      map[string]int

	mu       sync.Mutex
	bookings map[string]int
	keys     map[string]bool
}

func newFaultyServer(t *testing.T) *faultyServer {
	t.Helper()
	w := &faultyServer{troubles: map[string]int{}, bookings: map[string]int{}, keys: map[string]bool{}}
	w.book = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		defer w.mu.Unlock()
		key := r.FormValue("key")
		if key != "" && w.keys[key] {
			return
		}
		w.keys[key] = true
		w.bookings[r.FormValue("order")]++
	}))
	child, err := startEndured(w.book.URL, "v1")
	require.NoError(t, err)
	w.child.Store(child)
	w.transport = &http.Transport{ResponseHeaderTimeout: time.Second, MaxIdleConnsPerHost: enduranceCallers}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = "http", w.child.Load().host
		},
		Transport: w.transport, FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0),
		ErrorHandler: func(rw http.ResponseWriter, _ *http.Request, err error) {
			var late interface{ Timeout() bool }
			if errors.As(err, &late) && late.Timeout() {
				plain(rw, "504")
				return
			}
			plain(rw, "502")
		},
	}
	w.gateway = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if r.Method == http.MethodPost && bytes.Contains(body, []byte(`"tools/call"`)) {
			switch w.requests.Add(1) % 200 {
			case 20:
				plain(rw, "502")
				return
			case 60: // after the booking
				proxy.ServeHTTP(httptest.NewRecorder(), r)
				plain(rw, "504")
				return
			case 140:
				plain(rw, "200")
				return
			}
		}
		proxy.ServeHTTP(rw, r)
	}))
	return w
}

// make causes failures until the context ends.
func (w *faultyServer) make(ctx context.Context) {
	version, period := "v1", min(max(*endurance/8, 400*time.Millisecond), 5*time.Second)
	for n := 0; ; n++ {
		if !sleepFor(ctx, period) {
			return
		}
		kind := []string{"crash", "hang", "another version", "crash", "away"}[n%5]
		w.troubles[kind]++
		old := w.child.Load()
		switch kind {
		case "hang": // until it is replaced
			_ = old.command.Process.Signal(syscall.SIGSTOP)
			sleepFor(ctx, period/2)
		case "another version":
			version = map[string]string{"v1": "v2", "v2": "v1"}[version]
		case "away": // no server for a while
			old.kill()
			sleepFor(ctx, period/5)
		}
		next, err := startEndured(w.book.URL, version)
		if err != nil {
			panic(err)
		}
		w.child.Store(next)
		old.kill()
	}
}

func (w *faultyServer) booked(order string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.bookings[order]
}

func (w *faultyServer) end() {
	w.gateway.CloseClientConnections()
	w.gateway.Close()
	w.transport.CloseIdleConnections()
	w.child.Load().kill()
	w.book.CloseClientConnections()
	w.book.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bookings, w.keys = nil, nil // not part of the client's memory
}
