package main

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// theDay is today's date in tests.
var theDay = time.Date(2025, time.July, 25, 0, 0, 0, 0, time.UTC)

// start starts a gallery in this process.
func start(t *testing.T) *gallery {
	t.Helper()
	g, err := newGallery(func() time.Time { return theDay }, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(g.close)
	return g
}

// connections connect to a server of their own each.
var connections = map[string]func(t *testing.T, wire *testutil.Wire) *mcp.ClientSession{
	"memory": func(t *testing.T, wire *testutil.Wire) *mcp.ClientSession {
		t.Helper()
		return testutil.Connect(t, start(t).Server, wire)
	},
	"stdio": func(t *testing.T, wire *testutil.Wire) *mcp.ClientSession {
		t.Helper()
		self, err := os.Executable()
		require.NoError(t, err)
		return testutil.ConnectTo(t, &mcp.CommandTransport{Command: exec.Command(self, "-serve", "-today", theDay.Format(time.DateOnly))}, wire)
	},
	"http": func(t *testing.T, wire *testutil.Wire) *mcp.ClientSession {
		t.Helper()
		url, interrupt := serving(t)
		t.Cleanup(func() { assert.Zero(t, interrupt()) })
		return testutil.ConnectTo(t, &mcp.StreamableClientTransport{Endpoint: url}, wire)
	},
}

// serving runs the program in this process, as a server over HTTP, and returns its
// URL and the function that interrupts it.
func serving(t *testing.T) (url string, interrupt func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, []string{"-http", "127.0.0.1:0", "-today", theDay.Format(time.DateOnly)}, io.Discard, w)
		_ = w.Close()
	}()
	log := bufio.NewReader(r)
	first, err := log.ReadString('\n')
	require.NoError(t, err)
	url, ok := strings.CutPrefix(strings.TrimSpace(first), "gallery: serving ")
	require.True(t, ok, "%q", first)
	go func() { _, _ = io.Copy(io.Discard, log) }()
	return url, func() int {
		cancel()
		select {
		case s := <-status:
			return s
		case <-time.After(10 * time.Second): // of a server that gets stuck: it may take handlerLimit
			return -1
		}
	}
}

// alone connects to a server that has only what add adds.
func alone(t *testing.T, add func(*mcp.Server)) *mcp.ClientSession {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "alone", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
	add(server)
	return testutil.Connect(t, server, nil)
}

// TestAConnectionThatIsNotUsed is what a browser opens on a guess.
func TestAConnectionThatIsNotUsed(t *testing.T) {
	t.Parallel()
	url, interrupt := serving(t)
	addr := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp")
	unused, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	defer func() { _ = unused.Close() }()
	resp, err := http.Get(url) // which is accepted after it
	require.NoError(t, err)
	_ = resp.Body.Close()
	begun := time.Now()
	assert.Zero(t, interrupt())
	assert.Less(t, time.Since(begun), handlerLimit/2)
}
