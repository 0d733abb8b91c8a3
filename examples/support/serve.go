package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// serve is the MCP server's whole life, over stdio or HTTP. That it is
// interrupted is no error.
func serve(ctx context.Context, opts options, stderr io.Writer) error {
	if opts.orders == "" {
		up, err := startUpstreams()
		if err != nil {
			return err
		}
		defer up.close()
		opts.orders, opts.payments = up.orders.URL, up.payments.URL
	}
	// Logs go to stderr: stdout belongs to the protocol.
	logger := slog.New(slog.NewTextHandler(stderr, nil))
	counts := new(result.Counts)
	server := newServer(opts.orders, opts.payments, opts.faults.transport(), opts.timeout, &result.MiddlewareOptions{Logger: logger, Counts: counts})
	defer func() {
		if counts.Snapshot().Calls > 0 {
			logger.Info("tool calls", "counts", counts)
		}
	}()

	var err error
	if opts.addr != "" {
		err = serveHTTP(ctx, opts, server, counts, stderr)
	} else {
		err = server.Run(ctx, &mcp.StdioTransport{})
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// serveHTTP serves MCP over streamable HTTP at /mcp until ctx ends, and at /counts
// how many calls of which tool have failed in which way so far.
func serveHTTP(ctx context.Context, opts options, server *mcp.Server, counts *result.Counts, stderr io.Writer) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", opts.addr)
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err // without the address, which follows
		}
		return fmt.Errorf("cannot listen on %s: %w", opts.addr, err)
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", newHandler(server))
	mux.HandleFunc("GET /counts", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, counts.String())
	})
	front := &http.Server{
		Handler: mux,
		// A client that says nothing is cut off. There is no limit on a whole request
		// or its answer, because an answer may be a stream of events that stays open.
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
	}
	_, _ = fmt.Fprintf(stderr, "support: serving http://%s/mcp\n", reachable(listener.Addr()))
	served := make(chan error, 1)
	go func() { served <- front.Serve(listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("cannot serve any longer: %w", err)
	case <-ctx.Done():
	}
	// Calls get the time to finish. A session's stream of events would never end, and
	// to close the session would lose the replies of its calls.
	last, cancel := context.WithTimeout(context.Background(), 2*opts.timeout)
	defer cancel()
	if front.Shutdown(last) != nil {
		_ = front.Close()
	}
	return nil
}

// newHandler returns the HTTP side of server. Since the protocol's version
// 2026-07-28 each request stands alone, and a client cancels a call by hanging
// up. In the versions before, a client has a session, in which it sends a
// message to cancel a call. A handler of the SDK does the one or the other, so
// that it takes two for the timeout of every client to end the work for it.
func newHandler(server *mcp.Server) http.Handler {
	get := func(*http.Request) *mcp.Server { return server }
	requests := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	sessions := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{SessionTimeout: 10 * time.Minute})
	both := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= "2026-07-28" {
			requests.ServeHTTP(w, r)
		} else {
			sessions.ServeHTTP(w, r)
		}
	})
	// On loopback the SDK refuses requests under foreign host names. This refuses those
	// that the pages of other sites make in a browser on this machine.
	return http.NewCrossOriginProtection().Handler(both)
}

// reachable returns an address that can be called: no client can connect to
// 0.0.0.0.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return fmt.Sprintf("127.0.0.1:%d", tcp.Port)
}
