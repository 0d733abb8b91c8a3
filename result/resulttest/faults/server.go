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

// Serve starts a service on loopback that fails, and is h if it does not; if h is
// nil, it answers an empty JSON object. It is closed when the test ends. Each
// request has a connection of its own, so that no client repeats one by itself.
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
		close(ended) // ends what is stalled, which Close would wait for
		server.Close()
	})
	return server
}

// serve answers one request of a service whose handler is h.
func (i *Injector) serve(w http.ResponseWriter, r *http.Request, h http.Handler, ended <-chan struct{}) {
	switch fault := i.next(); fault {
	case None:
		h.ServeHTTP(w, r)
	case Stall:
		_, _ = io.Copy(io.Discard, r.Body) // else it is not seen that the caller has gone
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
		http.Error(w, "no fault is called "+strconv.Quote(string(fault)), http.StatusNotImplemented)
	}
}

// hangUp ends the connection in mid-answer. After a reset the peer sees an error of
// the connection rather than its end.
func hangUp(w http.ResponseWriter, reset bool) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // ends it too, by the server's hand
	}
	if tcp, ok := c.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}
