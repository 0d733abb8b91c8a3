package main

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness/harnesstest"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest/faults"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// patient is the program without time limits that a slow machine exceeds.
var patient = program{patiently, 2 * testutil.Patience}

// patiently starts a service whose callers wait until it answers. The deadline of a request that
// the weather service does not answer passes immediately.
func patiently(name string, _ time.Duration, handler http.Handler) (*service, error) {
	var waiting waiters
	if w, ok := handler.(*weatherService); ok {
		gone := w.hold
		w.hold = func(r *http.Request) {
			waiting.end(r)
			gone(r)
		}
	}
	s, err := startService(name, testutil.Patience, handler)
	if err == nil {
		waiting.base, s.client.Transport = s.client.Transport, &waiting
	}
	return s, err
}

// serviceOf starts a service with [patiently] until the test ends.
func serviceOf(t *testing.T, name string, handler http.Handler) *service {
	t.Helper()
	s, err := patiently(name, 0, handler)
	require.NoError(t, err)
	t.Cleanup(s.close)
	return s
}

// waiters are the requests that wait for a service.
type waiters struct {
	base http.RoundTripper
	ends sync.Map // by the request's header
}

const waiter = "X-Waiter"

func (w *waiters) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, end := context.WithCancelCause(req.Context())
	req = req.Clone(ctx)
	req.Header.Set(waiter, rand.Text())
	w.ends.Store(req.Header.Get(waiter), end)
	resp, err := w.base.RoundTrip(req) //nolint:bodyclose // the caller closes it
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return resp, err
}

// end lets the deadline of a request pass.
func (w *waiters) end(r *http.Request) {
	value, _ := w.ends.Load(r.Header.Get(waiter))
	if end, ok := value.(context.CancelCauseFunc); ok {
		end(context.DeadlineExceeded)
	}
}

// A stalling transport injects faults. The deadline of a request that stalls passes immediately.
type stalling struct{ *faults.Injector }

func (s stalling) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, pass := testutil.Deadline(req.Context())
	if n := len(s.Drawn()); n < len(s.Script) && s.Script[n] == faults.Stall {
		pass()
	}
	return s.Injector.RoundTrip(req.WithContext(ctx))
}

// A direct transport calls a handler without a socket, so that it idles in a bubble.
type direct struct{ http.Handler }

func (d direct) RoundTrip(req *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	d.ServeHTTP(w, req)
	resp := w.Result()
	resp.Request = req
	return resp, nil
}

// theDay is today's date in tests.
var theDay = time.Date(2025, time.July, 25, 0, 0, 0, 0, time.UTC)

// start starts a gallery in this process.
func start(t *testing.T) *gallery {
	t.Helper()
	g, err := patient.newGallery(func() time.Time { return theDay }, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(g.close)
	return g
}

// connect connects to a server of its own by a transport.
func connect(t *testing.T, transport string, wire *testutil.Wire) *mcp.ClientSession {
	t.Helper()
	day := theDay.Format(time.DateOnly)
	switch transport {
	case "stdio":
		return testutil.ConnectTo(t, &mcp.CommandTransport{Command: exec.Command(os.Args[0], "-serve", "-today", day)}, wire)
	case "http":
		url, _, interrupt := harnesstest.Serve(t, patient.run, "-http", "127.0.0.1:0", "-today", day)
		t.Cleanup(func() { assert.Zero(t, interrupt()) })
		return testutil.ConnectTo(t, &mcp.StreamableClientTransport{Endpoint: url}, wire)
	}
	return testutil.Connect(t, start(t).Server, wire)
}

// alone connects to a server that has only what add adds.
func alone(t *testing.T, add func(*mcp.Server)) *mcp.ClientSession {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "alone", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
	add(server)
	return testutil.Connect(t, server, nil)
}

// ask calls a tool once.
func ask(ctx context.Context, session *mcp.ClientSession, tool string, args any) result.Outcome {
	return result.Parse(session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args}))
}

// resume calls process_batch with retries, part for part.
func resume(t *testing.T, session *mcp.ClientSession, args any) batchOut {
	t.Helper()
	policy := impatient(retry.SafetyIdempotent)
	call := func(ctx context.Context, params *mcp.CallToolParams) (result.Outcome, retry.Decision) {
		return retry.CallTool(ctx, policy, session, params)
	}
	out, d := retry.Resume(t.Context(), call, &mcp.CallToolParams{Name: "process_batch", Arguments: args}, "continue_from")
	assert.Equal(t, retry.ActionAccept, d.Action, "%s", out.Text())
	whole, err := result.Decode[batchOut](out)
	assert.NoError(t, err)
	return whole
}

// impatient is a policy with short waits.
func impatient(safety retry.Safety) retry.Policy {
	return retry.Policy{
		Safety: safety, MaxAttempts: 20, BaseDelay: 20 * time.Millisecond,
		ThrottledDelay: 20 * time.Millisecond, Logger: slog.New(slog.DiscardHandler),
	}
}
