package main

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest/faults"
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
