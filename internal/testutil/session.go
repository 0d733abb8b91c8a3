// Package testutil connects real clients and servers for tests, and records their messages.
package testutil

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// Connect connects a client to server in memory, and closes both when the test ends. The wire, if
// not nil, records what the client sends and receives.
func Connect(tb testing.TB, server *mcp.Server, wire *Wire) *mcp.ClientSession {
	tb.Helper()
	return ConnectTo(tb, clientSide(tb, server), wire)
}

// ConnectClient connects client to server in memory, and closes both when the test ends.
func ConnectClient(tb testing.TB, server *mcp.Server, client *mcp.Client) *mcp.ClientSession {
	tb.Helper()
	session, err := client.Connect(context.Background(), clientSide(tb, server), nil)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = session.Close() })
	return session
}

// clientSide returns the client's end of a connection to server.
func clientSide(tb testing.TB, server *mcp.Server) mcp.Transport {
	tb.Helper()
	serverSide, clientSide := mcp.NewInMemoryTransports()
	session, err := server.Connect(context.Background(), serverSide, nil)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = session.Close() })
	return clientSide
}

// ConnectTo connects a client over transport, and closes the session when the test ends.
func ConnectTo(tb testing.TB, transport mcp.Transport, wire *Wire) *mcp.ClientSession {
	tb.Helper()
	if wire != nil {
		transport = &mcp.LoggingTransport{Transport: transport, Writer: wire}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v0"}, nil)
	session, err := client.Connect(context.Background(), transport, nil)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = session.Close() })
	return session
}

// Wire records the messages of a session. It is safe for concurrent use.
type Wire struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write implements [io.Writer].
func (w *Wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.Write(p)
}

// Last returns the last message from the peer, as JSON, or nil if there is none.
func (w *Wire) Last() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(w.buf.Bytes()), []byte("\n"))
	for _, line := range slices.Backward(lines) {
		if message, ok := bytes.CutPrefix(line, []byte("read: ")); ok {
			return bytes.Clone(message)
		}
	}
	return nil
}
