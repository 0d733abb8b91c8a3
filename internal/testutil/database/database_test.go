//go:build unix

package database_test

import (
	"context"
	"errors"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/database"
)

func TestServer(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(context.Context, ...string) (*database.Server, error){
		"PostgreSQL": database.PostgreSQL, "Redis": database.Redis,
		"MariaDB": func(ctx context.Context, _ ...string) (*database.Server, error) { return database.MariaDB(ctx) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, err := start(t.Context())
			if errors.Is(err, database.ErrMissing) {
				// Packages that need the database report that themselves.
				t.Skip(err)
			}
			require.NoError(t, err)
			defer server.Stop()
			require.NoError(t, server.Restart(t.Context(), 0))
			conn, err := net.Dial("tcp", server.Addr)
			require.NoError(t, err)
			require.NoError(t, conn.Close())
		})
	}
}
