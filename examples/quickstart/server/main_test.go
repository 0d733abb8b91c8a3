package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// openUpstream returns a service that ignores keys, and closes each connection after the second
// request on it, which it carries out and does not answer.
func openUpstream(t *testing.T) (address string, created *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	created = new(atomic.Int64)
	serve := func(conn net.Conn) {
		defer func() { _ = conn.Close() }()
		requests := bufio.NewReader(conn)
		for n := 1; ; n++ {
			req, err := http.ReadRequest(requests)
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, req.Body)
			if req.Method == http.MethodPost {
				created.Add(1)
			}
			if n == 2 {
				return
			}
			_, _ = io.WriteString(conn, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
		}
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serve(conn)
		}
	}()
	return "http://" + l.Addr().String(), created
}

// reuse leaves an idle connection to the address in the pool of the default client.
func reuse(t *testing.T, address string) {
	t.Helper()
	resp, err := http.Get(address) //nolint:noctx,gosec // loopback
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
}

// The refund is requested once, even if the reused connection is lost. Net/http would repeat a
// request that it can send again because of the header.
func TestProcessRefund_LostConnection(t *testing.T) {
	address, created := openUpstream(t)
	for _, body := range []io.Reader{http.NoBody, strings.NewReader("{}")} {
		reuse(t, address)
		created.Store(0)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, body)
		require.NoError(t, err)
		req.Header.Set("Idempotency-Key", "k")
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, int64(2), created.Load(), "what net/http does by itself")
		http.DefaultClient.CloseIdleConnections()
	}
	reuse(t, address)
	created.Store(0)
	gateway = address
	_, _, err := processRefund(t.Context(), nil, refund{OrderID: "ORD-7", Amount: 40, IdempotencyKey: "k"})
	assert.Equal(t, int64(1), created.Load())
	assert.Equal(t, toolerr.EffectUnknown, toolerr.From(err).Effect)
}
