package postgres_test

import (
	"errors"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/postgres"
)

func TestServer(t *testing.T) {
	t.Parallel()
	server, err := postgres.Start(t.Context())
	if errors.Is(err, postgres.ErrMissing) {
		// Packages that need PostgreSQL report that themselves.
		t.Skip(err)
	}
	require.NoError(t, err)
	defer server.Stop()
	require.NoError(t, server.Restart(t.Context()))
	conn, err := net.Dial("tcp", server.Addr)
	require.NoError(t, err)
	require.NoError(t, conn.Close())
}
