package main

import (
	"log/slog"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness/harnesstest"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// theDay is today's date in tests.
var theDay = time.Date(2025, time.July, 25, 0, 0, 0, 0, time.UTC)

// start starts a gallery in this process.
func start(t *testing.T) *gallery {
	t.Helper()
	g, err := patient.newGallery(func() time.Time { return theDay }, slog.New(slog.DiscardHandler))
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
		return testutil.ConnectTo(t, &mcp.CommandTransport{Command: exec.Command(os.Args[0], "-serve", "-today", theDay.Format(time.DateOnly))}, wire)
	},
	"http": func(t *testing.T, wire *testutil.Wire) *mcp.ClientSession {
		t.Helper()
		url, _, interrupt := harnesstest.Serve(t, patient.run, "-http", "127.0.0.1:0", "-today", theDay.Format(time.DateOnly))
		t.Cleanup(func() { assert.Zero(t, interrupt()) })
		return testutil.ConnectTo(t, &mcp.StreamableClientTransport{Endpoint: url}, wire)
	},
}

// alone connects to a server that has only what add adds.
func alone(t *testing.T, add func(*mcp.Server)) *mcp.ClientSession {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "alone", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
	add(server)
	return testutil.Connect(t, server, nil)
}
