// Package testutil connects real clients and servers for tests, and records
// what goes over the wire between them.
package testutil

import (
	"bytes"
	"context"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// Connect connects a client to server in memory, and closes both when the test
// ends. The wire, if not nil, records what the client sends and gets.
func Connect(t testing.TB, server *mcp.Server, wire *Wire) *mcp.ClientSession {
	t.Helper()
	serverSide, clientSide := mcp.NewInMemoryTransports()
	ss, err := server.Connect(context.Background(), serverSide, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = ss.Close() })
	return ConnectTo(t, clientSide, wire)
}

// ConnectTo connects a client over transport, and closes the session when the
// test ends.
func ConnectTo(t testing.TB, transport mcp.Transport, wire *Wire) *mcp.ClientSession {
	t.Helper()
	if wire != nil {
		transport = &mcp.LoggingTransport{Transport: transport, Writer: wire}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v0"}, nil)
	session, err := client.Connect(context.Background(), transport, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
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

// Last returns the last message that was read from the peer, as JSON.
func (w *Wire) Last() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(w.buf.Bytes()), []byte("\n"))
	for i := len(lines) - 1; i >= 0; i-- {
		if message, ok := bytes.CutPrefix(lines[i], []byte("read: ")); ok {
			return bytes.Clone(message)
		}
	}
	return nil
}
