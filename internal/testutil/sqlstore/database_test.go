package sqlstore_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/postgres"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency/sqlstore"
)

// server is the PostgreSQL server of all tests but those that restart one, or nil.
var server *postgres.Server

func TestMain(m *testing.M) {
	if runChild() {
		return
	}
	flag.Parse()
	var err error
	server, err = postgres.Start(context.Background())
	if err != nil && !errors.Is(err, postgres.ErrMissing) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	if server != nil {
		server.Stop()
	}
	os.Exit(status)
}

// A database is a kind of database with a connection to it.
type database struct {
	dialect      sqlstore.Dialect
	driver, name string
}

// databases returns all kinds, each with a database that no other test uses.
func databases(tb testing.TB) map[string]database {
	tb.Helper()
	dir := tb.TempDir()
	all := map[string]database{
		"SQLite":             {sqlstore.SQLite, "sqlite", "file:" + filepath.Join(dir, "wal.db") + "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)"},
		"SQLite, not set up": {sqlstore.SQLite, "sqlite", filepath.Join(dir, "plain.db")},
	}
	if server != nil {
		all["PostgreSQL"] = newPostgres(tb, server.Addr)
	}
	return all
}

// newPostgres returns a database at an address, with a schema that no other test uses.
func newPostgres(tb testing.TB, addr string) database {
	tb.Helper()
	schema := "of_" + strings.ToLower(rand.Text())
	d := database{sqlstore.PostgreSQL, "pgx", postgres.DSN(addr)}
	_, err := d.open(tb, "").DB.ExecContext(tb.Context(), "CREATE SCHEMA "+schema)
	require.NoError(tb, err)
	d.name += "&search_path=" + schema
	return d
}

// each runs a test with each kind of database.
func each(t *testing.T, test func(t *testing.T, d database)) {
	t.Helper()
	for name, d := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, d)
		})
	}
}

// open returns a store with its own connections, like that of another process.
func (d database) open(tb testing.TB, table string) *sqlstore.Store {
	tb.Helper()
	db, err := sql.Open(d.driver, d.name)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = db.Close() })
	return &sqlstore.Store{DB: db, Dialect: d.dialect, Table: table}
}

// store returns an open store whose table exists.
func (d database) store(tb testing.TB, table string) *sqlstore.Store {
	tb.Helper()
	s := d.open(tb, table)
	require.NoError(tb, s.CreateTable(tb.Context()))
	return s
}
