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

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/database"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency/sqlstore"
)

// The servers of all tests but those that restart one, or nil: PostgreSQL and MariaDB.
var server, maria *database.Server

func TestMain(m *testing.M) {
	if runChild() {
		return
	}
	flag.Parse()
	server, maria = started(database.PostgreSQL(context.Background())), started(database.MariaDB(context.Background()))
	status := m.Run()
	for _, s := range []*database.Server{server, maria} {
		if s != nil {
			s.Stop()
		}
	}
	os.Exit(status)
}

// started returns the server, or nil if its program is missing.
func started(s *database.Server, err error) *database.Server {
	if err != nil && !errors.Is(err, database.ErrMissing) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return s
}

// A place is a kind of database with a connection to it.
type place struct {
	dialect      sqlstore.Dialect
	driver, name string
}

// databases returns all kinds, each with a database that no other test uses.
func databases(tb testing.TB) map[string]place {
	tb.Helper()
	dir := tb.TempDir()
	all := map[string]place{
		"SQLite": {
			sqlstore.SQLite, "sqlite",
			"file:" + filepath.Join(dir, "wal.db") + "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)",
		},
		"SQLite, not set up": {sqlstore.SQLite, "sqlite", filepath.Join(dir, "plain.db")},
	}
	if server != nil {
		all["PostgreSQL"] = newPostgres(tb, server.Addr)
	}
	if maria != nil {
		all["MariaDB"] = newMaria(tb, maria.Addr)
	}
	return all
}

// newPostgres returns a database at an address, with a schema that no other test uses.
func newPostgres(tb testing.TB, addr string) place {
	tb.Helper()
	schema := "of_" + strings.ToLower(rand.Text())
	d := place{sqlstore.PostgreSQL, "pgx", database.PostgreSQLURL(addr)}
	_, err := d.open(tb, "").DB.ExecContext(tb.Context(), "CREATE SCHEMA "+schema)
	require.NoError(tb, err)
	d.name += "&search_path=" + schema
	return d
}

// newMaria returns a database at an address that no other test uses.
func newMaria(tb testing.TB, addr string) place {
	tb.Helper()
	name := "of_" + strings.ToLower(rand.Text())
	d := place{sqlstore.MySQL, "mysql", "root@tcp(" + addr + ")/"}
	_, err := d.open(tb, "").DB.ExecContext(tb.Context(), "CREATE DATABASE "+name)
	require.NoError(tb, err)
	d.name += name
	return d
}

// each runs a test with each kind of database.
func each(t *testing.T, test func(t *testing.T, d place)) {
	t.Helper()
	for name, d := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, d)
		})
	}
}

// served is each for those with a server, which has a clock, users and isolation levels.
func served(t *testing.T, test func(t *testing.T, d place)) {
	t.Helper()
	if server == nil || maria == nil {
		// SQLite has none.
		t.Skip("PostgreSQL or MariaDB is not installed")
	}
	each(t, func(t *testing.T, d place) {
		if d.dialect != sqlstore.SQLite {
			test(t, d)
		}
	})
}

// open returns a store with its own connections, like that of another process.
func (d place) open(tb testing.TB, table string) *sqlstore.Store {
	tb.Helper()
	db, err := sql.Open(d.driver, d.name)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = db.Close() })
	return &sqlstore.Store{DB: db, Dialect: d.dialect, Table: table}
}

// store returns an open store whose table exists.
func (d place) store(tb testing.TB, table string) *sqlstore.Store {
	tb.Helper()
	s := d.open(tb, table)
	require.NoError(tb, s.CreateTable(tb.Context()))
	return s
}
