package faults

import (
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
)

// Serve starts a service on loopback that fails, and is h where it does not; if h
// is nil, it answers an empty JSON object. It is closed when the test ends. Each
// request has a connection of its own, so that the faults come in the order of
// the requests.
func (i *Injector) Serve(tb testing.TB, h http.Handler) *httptest.Server {
	tb.Helper()
	if h == nil {
		h = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "{}")
		})
	}
	s := &service{injector: i, handler: h, ended: make(chan struct{})}
	server := httptest.NewUnstartedServer(s)
	server.Listener = &listener{server.Listener, i}
	server.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, c)
	}
	server.Config.SetKeepAlivesEnabled(false)
	server.Start()
	tb.Cleanup(func() {
		close(s.ended) // ends what is stalled, which Close would wait for
		server.Close()
	})
	return server
}

// A listener draws the fault of each connection, so that it can break one before
// anything was read from it.
type listener struct {
	net.Listener

	injector *Injector
}

// Accept implements [net.Listener].
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		fault := l.injector.next()
		if fault != ResetBefore {
			return &conn{c, fault}, nil
		}
		breakOff(c)
	}
}

// A conn is a connection whose one request fails in some way.
type conn struct {
	net.Conn

	fault Fault
}

type connKey struct{}

// breakOff closes a connection so that the peer sees a reset rather than an end.
func breakOff(c net.Conn) {
	if own, ok := c.(*conn); ok {
		c = own.Conn
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// A service is a handler whose requests fail.
type service struct {
	injector *Injector
	handler  http.Handler
	ended    chan struct{} // closed when the test ends
}

// ServeHTTP implements [http.Handler].
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault := None
	if c, ok := r.Context().Value(connKey{}).(*conn); ok {
		fault = c.fault
	}
	switch fault {
	case None, ResetBefore:
		s.handler.ServeHTTP(w, r)
	case Stall:
		_, _ = io.Copy(io.Discard, r.Body) // else it is not seen that the caller has gone
		s.injector.stall(r.Context(), s.ended)
		hangUp(w, true)
	case ResetAfter:
		s.handler.ServeHTTP(httptest.NewRecorder(), r)
		_, _ = io.Copy(io.Discard, r.Body)
		hangUp(w, true)
	case HalfBody:
		whole := httptest.NewRecorder()
		s.handler.ServeHTTP(whole, r)
		body := atLeastTwo(whole.Body.Bytes())
		maps.Copy(w.Header(), whole.Header())
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(whole.Code)
		_, _ = w.Write(body[:len(body)/2])
		_ = http.NewResponseController(w).Flush()
		hangUp(w, false)
	case TooManyRequests, InternalError, Unavailable, Garbage:
		s.injector.reply(w, fault)
	default:
		http.Error(w, "no fault is called "+strconv.Quote(string(fault)), http.StatusNotImplemented)
	}
}

// hangUp ends the connection in mid-answer.
func hangUp(w http.ResponseWriter, reset bool) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // ends it too, by the server's hand
	}
	if reset {
		breakOff(c)
		return
	}
	_ = c.Close()
}
