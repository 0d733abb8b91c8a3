package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/database"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestMain lets the test binary be the server, as the program is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-http" {
		main()
	}
	os.Exit(m.Run())
}

// serve starts a server with a payment gateway of its own, unless a flag has another, and
// returns a session with it.
func serve(t *testing.T, store string) *mcp.ClientSession {
	t.Helper()
	session, _ := start(t, "", "-store", store)
	return session
}

// start starts a server, and connects with a version of the protocol, or the newest.
func start(t *testing.T, version string, flags ...string) (*mcp.ClientSession, *exec.Cmd) {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0],
		append([]string{"-http", "127.0.0.1:0", "-timeout", "2m"}, flags...)...)
	stderr, err := command.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	log := bufio.NewReader(stderr)
	line, err := log.ReadString('\n')
	require.NoError(t, err)
	go func() { _, _ = io.Copy(io.Discard, log) }()
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "support: serving ")
	require.True(t, ok, line)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "agent"}, nil).
		Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: address, DisableStandaloneSSE: true},
			&mcp.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session, command
}

func refund(ctx context.Context, session *mcp.ClientSession, amount float64) result.Outcome {
	return result.Parse(session.CallTool(ctx, &mcp.CallToolParams{
		Name: "process_refund", Arguments: map[string]any{
			"order_id": "ORD-7", "amount": amount,
			"idempotency_key": "refund-of-ORD-7",
		},
	}))
}

// Two servers that share a database give the same answer, and so does a server that is
// started later.
func TestStore_Shared(t *testing.T) {
	t.Parallel()
	stores := map[string]string{"SQLite": filepath.Join(t.TempDir(), "keys.db")}
	server, err := database.PostgreSQL(context.Background())
	if !errors.Is(err, database.ErrMissing) {
		require.NoError(t, err)
		t.Cleanup(server.Stop)
		stores["PostgreSQL"] = database.PostgreSQLURL(server.Addr)
	}
	for name, store := range stores {
		first, second := serve(t, store), serve(t, store)
		paid := refund(t.Context(), first, 40)
		require.NoError(t, paid.AsError(), name)
		for _, session := range []*mcp.ClientSession{second, first, serve(t, store)} {
			again := refund(t.Context(), session, 40)
			require.NoError(t, again.AsError(), name)
			assert.Equal(t, paid.Text(), again.Text(), name)
			assert.Equal(t, toolerr.CodeConflict, refund(t.Context(), session, 41).Err.Code, name)
		}
	}
}

// A server that gets SIGTERM while it makes a refund for a caller who has left stores the
// answer before it ends, and the next server gives it to the repeat.
func TestShutdown(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			var made atomic.Int64
			reached, release := make(chan bool, 1), make(chan bool)
			gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				n := made.Add(1)
				reached <- true
				<-release
				_, _ = fmt.Fprintf(w, `{"refund_id":"REF-%d","order_id":"ORD-7","amount":40}`, n)
			}))
			t.Cleanup(gateway.Close)
			flags := []string{"-store", filepath.Join(t.TempDir(), "keys.db"), "-orders", gateway.URL, "-payments", gateway.URL}
			session, server := start(t, version, flags...)
			ctx, leave := context.WithCancel(t.Context())
			left := make(chan error, 1)
			go func() { left <- refund(ctx, session, 40).AsError() }()
			<-reached
			leave()
			require.ErrorIs(t, <-left, context.Canceled)
			time.AfterFunc(300*time.Millisecond, func() { close(release) })
			require.NoError(t, server.Process.Signal(syscall.SIGTERM))
			require.NoError(t, server.Wait())
			next, _ := start(t, version, flags...)
			out := refund(t.Context(), next, 40)
			require.NoError(t, out.AsError())
			assert.Contains(t, out.Text(), "REF-1")
			assert.Equal(t, int64(1), made.Load())
		})
	}
}

func TestStore_Unusable(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), os.Args[0], "-http", "127.0.0.1:0", "-store", "/nowhere/keys.db").
		CombinedOutput()
	require.Error(t, err)
	assert.Equal(t, "support: cannot use the database of -store: sqlstore: create table: unable to open database file "+
		"(14)\n", string(out))
}
