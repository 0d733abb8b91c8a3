package thirdparty

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

const schema = `
create table t (id integer primary key, email text unique not null, n integer check (n>0));
create table child (parent integer references t(id));
insert into t values (1, 'a@example.org', 1)`

var sqlCases = []testCase{
	{"std/database/sql", "ErrNoRows", "1", func(t *testing.T) error {
		return database(t, ":memory:").QueryRowContext(t.Context(), "select 1 where 0").Scan(new(int))
	}, validation, no, 0},
	{"std/database/sql", "ErrConnDone", "1", func(t *testing.T) error {
		conn, err := database(t, ":memory:").Conn(t.Context())
		must(t, err)
		must(t, conn.Close())
		return conn.PingContext(t.Context())
	}, transient, nil, 0},
	{"std/database/sql", "ErrTxDone", "1", func(t *testing.T) error {
		tx, err := database(t, ":memory:").BeginTx(t.Context(), nil)
		must(t, err)
		must(t, tx.Commit())
		return tx.Commit()
	}, or(transient, business), no, 0},
	{"std/database/sql", "driver.ErrBadConn", "1", value(fmt.Errorf("exec: %w", driver.ErrBadConn)), transient, yes, 0},
	{"std/database/sql", "scan conversion", "1", func(t *testing.T) error {
		return database(t, ":memory:").QueryRowContext(t.Context(), "select 'abc'").Scan(new(int))
	}, or(validation, transient), no, 0},
	{"std/database/sql", "database closed", "8", func(t *testing.T) error {
		db := database(t, ":memory:")
		must(t, db.Close())
		return db.PingContext(t.Context())
	}, transient, no, 0},
}

var sqliteCases = []testCase{
	{"modernc.org/sqlite", "SQLITE_BUSY", "7", func(t *testing.T) error {
		name := filepath.Join(t.TempDir(), "db")
		holder := database(t, name)
		run(t, holder, schema)
		run(t, holder, "begin immediate")
		return exec1(t, database(t, name), "delete from t")
	}, transient, yes, 0},
	{
		"modernc.org/sqlite", "unique violation", "7", sqlite("insert into t values (2, 'a@example.org', 1)"), business, no,
		0,
	},
	{"modernc.org/sqlite", "primary key violation", "7", func(t *testing.T) error {
		return fmt.Errorf("create user: %w", sqlite("insert into t values (1, 'b@example.org', 1)")(t))
	}, business, no, 0},
	{"modernc.org/sqlite", "not null", "7", sqlite("insert into t values (2, null, 1)"), validation, no, 0},
	{
		"modernc.org/sqlite", "check", "7", sqlite("insert into t values (2, 'b@example.org', 0)"), or(validation, business),
		no, 0,
	},
	{"modernc.org/sqlite", "foreign key", "7", sqlite("insert into child values (7)"), or(validation, business), no, 0},
	{"modernc.org/sqlite", "readonly", "7", func(t *testing.T) error {
		name := filepath.Join(t.TempDir(), "db")
		run(t, database(t, name), schema)
		readOnly := url.URL{Scheme: "file", Path: name, RawQuery: "mode=ro"}
		return exec1(t, database(t, readOnly.String()), "delete from t")
	}, or(business, permission), no, 0},
	{"modernc.org/sqlite", "syntax error", "7", sqlite("selec 1"), or(validation, transient), no, 0},
	{"modernc.org/sqlite", "no such table", "7", sqlite("select * from nope"), transient, no, 0},
	{"modernc.org/sqlite", "not a database", "7", func(t *testing.T) error {
		return exec1(t, database(t, tempFile(t, strings.Repeat("no database ", 100))), "select * from t")
	}, or(validation, transient, business), no, 0},
}

// database has one connection, so that a transaction and memory stay with it.
func database(t *testing.T, name string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", name)
	must(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func exec1(t *testing.T, db *sql.DB, statement string) error {
	t.Helper()
	_, err := db.ExecContext(t.Context(), statement)
	return err
}

func run(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	must(t, exec1(t, db, statement))
}

func sqlite(statement string) func(*testing.T) error {
	return func(t *testing.T) error {
		db := database(t, ":memory:")
		run(t, db, "pragma foreign_keys = on;"+schema)
		return exec1(t, db, statement)
	}
}
