package faults

import (
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Serve starts an HTTP server on loopback that injects the faults in front of h. If h is nil, the
// server answers with an empty JSON object. It is closed when the test ends. Each request has its
// own connection, so that clients do not repeat requests on their own.
func (i *Injector) Serve(tb testing.TB, h http.Handler) *httptest.Server {
	tb.Helper()
	if h == nil {
		h = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "{}")
		})
	}
	ended := make(chan struct{})
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i.serve(w, r, h, ended)
	}))
	server.Config.SetKeepAlivesEnabled(false)
	server.Start()
	tb.Cleanup(func() {
		close(ended) // ends stalled requests, which Close would wait for
		server.Close()
	})
	return server
}

// serve answers one request as RoundTrip would.
func (i *Injector) serve(w http.ResponseWriter, r *http.Request, h http.Handler, ended <-chan struct{}) {
	fault := i.next()
	if fault == None {
		h.ServeHTTP(w, r)
		return
	}
	if fault == Stall {
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the client disconnects
	}
	resp, err := i.inject(fault, r, handlerTransport{h}, ended)
	if err != nil {
		hangUp(w, true)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	maps.Copy(w.Header(), resp.Header)
	w.WriteHeader(resp.StatusCode)
	if _, err := io.Copy(w, resp.Body); err != nil {
		_ = http.NewResponseController(w).Flush()
		hangUp(w, false)
	}
}

// A handlerTransport sends requests to a handler.
type handlerTransport struct{ http.Handler }

// RoundTrip implements [http.RoundTripper].
func (t handlerTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	recorder := httptest.NewRecorder()
	t.ServeHTTP(recorder, req)
	return recorder.Result(), nil
}

// hangUp closes the connection before or in the middle of the response. With reset, the peer sees a
// connection error instead of the end of the stream.
func hangUp(w http.ResponseWriter, reset bool) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // the server closes the connection
	}
	if tcp, ok := c.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}
