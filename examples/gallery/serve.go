package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serve is the MCP server's whole life, over stdio or HTTP. That it is
// interrupted is no error.
func serve(ctx context.Context, opts options, stderr io.Writer) error {
	// Logs go to stderr: stdout belongs to the protocol.
	g, err := newGallery(opts.date, slog.New(slog.NewTextHandler(stderr, nil)))
	if err != nil {
		return err
	}
	defer g.close()
	if opts.addr != "" {
		err = serveHTTP(ctx, opts.addr, g.Server, stderr)
	} else {
		err = g.Run(ctx, &mcp.StdioTransport{})
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// serveHTTP serves MCP over streamable HTTP at /mcp until ctx ends. Every request
// stands alone: there are no sessions. A client that hangs up cancels its call since
// the protocol's version 2026-07-28; of a client before that, the call goes on.
func serveHTTP(ctx context.Context, addr string, server *mcp.Server, stderr io.Writer) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err // without the address, which follows
		}
		return fmt.Errorf("cannot listen on %s: %w", addr, err)
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	mux := http.NewServeMux()
	// On loopback the SDK refuses requests under foreign host names. This refuses those
	// that the pages of other sites make in a browser on this machine.
	mux.Handle("/mcp", http.NewCrossOriginProtection().Handler(handler))
	front := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute}
	var unused sync.Map // the connections on which nothing came: Shutdown waits for them too
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
	if tcp, ok := listener.Addr().(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		addr = fmt.Sprintf("127.0.0.1:%d", tcp.Port) // no client can connect to 0.0.0.0
	} else {
		addr = listener.Addr().String()
	}
	_, _ = fmt.Fprintf(stderr, "gallery: serving http://%s/mcp\n", addr)
	served := make(chan error, 1)
	go func() { served <- front.Serve(listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("cannot serve any longer: %w", err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), handlerLimit) // calls get the time to finish
	defer cancel()
	if front.Shutdown(last) != nil {
		_ = front.Close()
	}
	return nil
}
