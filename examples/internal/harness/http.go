package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// HTTPOptions are the options of a server over HTTP.
type HTTPOptions struct {
	Program string                  // begins the line that says at which URL MCP is served
	Stderr  io.Writer               // where that line goes
	Longest time.Duration           // how long a call may take
	Others  map[string]http.Handler // what is served besides /mcp, by pattern
	Body    time.Duration           // how long the body of a request may take to arrive; zero is five seconds
}

// answering is how long writing the answers may take at shutdown, on top of the longest call. Most
// answers need less than a millisecond, but Docker kills a container 10 s after asking it to stop.
const answering = 4 * time.Second

// serveHTTP serves MCP over streamable HTTP at /mcp until ctx ends.
func serveHTTP(ctx context.Context, server *mcp.Server, addr string, opts HTTPOptions) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	var op *net.OpError
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil
	case errors.As(err, &op):
		return fmt.Errorf("cannot listen on %s: %w", addr, op.Err) // which does not name the address
	default:
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", newHandler(server))
	for pattern, handler := range opts.Others {
		mux.Handle(pattern, handler)
	}
	// Silent clients are cut off, and so are those whose request body does not arrive. Answers have
	// no limit, because an answer may be an event stream that stays open.
	front := &http.Server{
		Handler:           ownPages(limitBodies(mux, cmp.Or(opts.Body, bodyLimit))),
		ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute,
	}
	closeUnused(front)
	endStreams(front)
	_, _ = fmt.Fprintf(opts.Stderr, "%s: serving http://%s/mcp\n", opts.Program, reachable(listener.Addr()))
	served := make(chan error, 1)
	go func() { served <- front.Serve(listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("cannot serve any longer: %w", err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), opts.Longest+answering)
	defer cancel()
	if front.Shutdown(last) != nil {
		_ = front.Close()
	}
	return nil
}

// newHandler returns the HTTP handler of server. Since protocol version 2026-07-28, each request is
// independent, and a client cancels a call by disconnecting. In earlier versions, a client has a
// session and cancels with a message. An SDK handler supports only one of these ways, so newHandler
// combines two handlers.
func newHandler(server *mcp.Server) http.Handler {
	get := func(*http.Request) *mcp.Server { return server }
	requests := mcp.NewStreamableHTTPHandler(get,
		&mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	sessions := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{SessionTimeout: 10 * time.Minute})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= "2026-07-28" {
			requests.ServeHTTP(w, r)
		} else {
			sessions.ServeHTTP(w, r)
		}
	})
}

// closeUnused makes Shutdown close unused connections, which browsers open in advance, instead of
// waiting for them.
func closeUnused(front *http.Server) {
	var unused sync.Map
	front.ConnState = func(conn net.Conn, state http.ConnState) {
		unused.Delete(conn)
		if state == http.StateNew {
			unused.Store(conn, nil)
		}
	}
	front.RegisterOnShutdown(func() {
		for conn := range unused.Range {
			if c, ok := conn.(io.Closer); ok {
				_ = c.Close()
			}
		}
	})
}

// endStreams makes Shutdown end the sessions' event streams (GET requests) once no call is running,
// instead of waiting. Closing the sessions would lose the replies to their calls.
func endStreams(front *http.Server) {
	var calls sync.RWMutex // read-locked by running calls
	streams, end := context.WithCancel(context.Background())
	front.RegisterOnShutdown(func() {
		calls.Lock()
		defer calls.Unlock()
		end()
	})
	next := front.Handler
	front.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			calls.RLock()
			defer calls.RUnlock()
			next.ServeHTTP(w, r)
			return
		}
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(streams, cancel)()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// reachable returns an address that a client can connect to, unlike 0.0.0.0.
func reachable(addr net.Addr) string {
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("127.0.0.1:%d", tcp.Port)
	}
	return addr.String()
}
