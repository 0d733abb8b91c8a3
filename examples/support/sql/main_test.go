package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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

// serve starts a server with a payment gateway of its own, and returns a session with it.
func serve(t *testing.T, store string) *mcp.ClientSession {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], "-http", "127.0.0.1:0", "-store", store, "-timeout", "2m")
	stderr, err := command.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	line, err := bufio.NewReader(stderr).ReadString('\n')
	require.NoError(t, err)
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "support: serving ")
	require.True(t, ok, line)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "agent"}, nil).
		Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: address, DisableStandaloneSSE: true}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func refund(t *testing.T, session *mcp.ClientSession, amount float64) result.Outcome {
	t.Helper()
	return result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{
		Name: "process_refund", Arguments: map[string]any{"order_id": "ORD-7", "amount": amount, "idempotency_key": "refund-of-ORD-7"},
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
		paid := refund(t, first, 40)
		require.NoError(t, paid.AsError(), name)
		for _, session := range []*mcp.ClientSession{second, first, serve(t, store)} {
			again := refund(t, session, 40)
			require.NoError(t, again.AsError(), name)
			assert.Equal(t, paid.Text(), again.Text(), name)
			assert.Equal(t, toolerr.CodeConflict, refund(t, session, 41).Err.Code, name)
		}
	}
}

func TestStore_Unusable(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), os.Args[0], "-http", "127.0.0.1:0", "-store", "/nowhere/keys.db").CombinedOutput()
	require.Error(t, err)
	assert.Equal(t, "support: cannot use the database of -store: sqlstore: create table: unable to open database file (14)\n", string(out))
}
