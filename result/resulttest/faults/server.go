package faults

import (
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
)

// Serve starts an HTTP server on loopback that injects the faults in front of h. If h is nil,
// it answers with an empty JSON object. The server is closed when the test ends. Each request
// has its own connection, so that clients do not repeat requests on their own.
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

// serve answers one request.
func (i *Injector) serve(w http.ResponseWriter, r *http.Request, h http.Handler, ended <-chan struct{}) {
	switch fault := i.next(); fault {
	case None:
		h.ServeHTTP(w, r)
	case Stall:
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the client disconnects
		i.stall(r.Context(), ended)
		hangUp(w, true)
	case ResetBefore:
		hangUp(w, true)
	case ResetAfter:
		h.ServeHTTP(httptest.NewRecorder(), r)
		_, _ = io.Copy(io.Discard, r.Body)
		hangUp(w, true)
	case HalfBody:
		whole := httptest.NewRecorder()
		h.ServeHTTP(whole, r)
		body := atLeastTwo(whole.Body.Bytes())
		maps.Copy(w.Header(), whole.Header())
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(whole.Code)
		_, _ = w.Write(body[:len(body)/2])
		_ = http.NewResponseController(w).Flush()
		hangUp(w, false)
	case TooManyRequests, InternalError, Unavailable, Garbage:
		i.reply(w, fault)
	default:
		http.Error(w, "unknown fault "+strconv.Quote(string(fault)), http.StatusNotImplemented)
	}
}

// hangUp closes the connection during the answer. With reset, the peer sees a connection
// error instead of the end of the stream.
func hangUp(w http.ResponseWriter, reset bool) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // the server closes it
	}
	if tcp, ok := c.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}
