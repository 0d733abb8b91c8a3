package sqlstore_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/database"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/loopback"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/querytool"
)

const shop = `
CREATE TABLE customers (id INT PRIMARY KEY, name VARCHAR(50) NOT NULL);
CREATE TABLE orders (id INT PRIMARY KEY, email VARCHAR(50) NOT NULL UNIQUE, total INT CHECK (total >= 0), paid_at DATE,
	customer INT REFERENCES customers (id));
CREATE TABLE secrets (id INT PRIMARY KEY);
INSERT INTO orders VALUES (1, 'ann@example.org', 10, NULL, NULL)`

// TestQuery records what a model reads and what the log says about statements that fail in a
// database: those that the model wrote, those of the tool, and a login that is refused.
func TestQuery(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]struct {
		isMissing                bool
		driver, admin, app, none string
		addr, grants             string
	}{
		"sqlite": {driver: "sqlite", admin: filepath.Join(t.TempDir(), "shop.db"), none: "/none/shop.db"},
		"postgresql": {
			isMissing: server == nil, driver: "pgx",
			grants: `DROP ROLE IF EXISTS app; CREATE ROLE app LOGIN; GRANT SELECT, INSERT ON orders, customers TO app`,
		},
		"mariadb": {
			isMissing: maria == nil, driver: "mysql",
			grants: "CREATE OR REPLACE USER app@'%'; GRANT SELECT, INSERT ON shop.* TO app@'%';" +
				"CREATE OR REPLACE DATABASE vault; CREATE TABLE vault.secrets (id INT)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			switch {
			case d.isMissing:
				t.Skip("it is not installed")
			case name == "sqlite":
				d.app = d.admin
			case name == "postgresql":
				d.addr, d.admin = server.Addr, database.PostgreSQLURL(server.Addr)
				execute(t, d.driver, d.admin, "DROP DATABASE IF EXISTS shop; CREATE DATABASE shop")
				d.admin = strings.Replace(d.admin, "/postgres?", "/shop?", 1)
				d.app = strings.Replace(d.admin, "//postgres@", "//app@", 1)
				d.none = strings.Replace(d.admin, "//postgres@", "//nobody@", 1)
			case name == "mariadb":
				d.addr, d.admin = maria.Addr, "root@tcp("+maria.Addr+")/"
				execute(t, d.driver, d.admin, "CREATE OR REPLACE DATABASE shop")
				d.admin += "shop"
				d.app = "app@tcp(" + maria.Addr + ")/shop"
				d.none = "app:wrong@tcp(" + maria.Addr + ")/shop"
			}
			execute(t, d.driver, d.admin, shop)
			execute(t, d.driver, d.admin, d.grants)
			testutil.Recorded(t, "testdata/"+name+".txt",
				querytool.New(t, func(ctx context.Context, tool, statement string) error {
					address := d.app
					switch tool {
					case "login":
						address = d.none
					case "stray":
						address = strings.Replace(d.app, "/shop", "/shop2", 1)
					case "refused":
						unused, err := loopback.Unused()
						require.NoError(t, err)
						address = strings.Replace(d.app, d.addr, unused, 1)
					case "read":
						if d.driver == "sqlite" {
							address = "file:" + d.app + "?mode=ro"
						}
					case "slow":
						limited, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
						defer cancel()
						ctx = limited
					}
					return query(ctx, d.driver, address, statement, &sql.TxOptions{ReadOnly: tool == "read" && d.driver != "sqlite"})
				}))
		})
	}
}

// execute executes statements that are separated by semicolons.
func execute(t *testing.T, driver, address, statements string) {
	t.Helper()
	db, err := sql.Open(driver, address)
	require.NoError(t, err)
	defer func() { _ = db.Close() }()
	for statement := range strings.SplitSeq(statements, ";") {
		if statement = strings.TrimSpace(statement); statement != "" {
			_, err := db.ExecContext(t.Context(), statement)
			require.NoError(t, err, statement)
		}
	}
}

// query reads all rows, and undoes what the statement did.
func query(ctx context.Context, driver, address, statement string, opts *sql.TxOptions) error {
	db, err := sql.Open(driver, address)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	tx, err := db.BeginTx(ctx, opts)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	rows, err := tx.QueryContext(ctx, statement)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
	}
	return rows.Err()
}
