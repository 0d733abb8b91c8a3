// Sql is examples/support with the drivers of two databases linked in: servers that share a
// database never refund anything twice, and a later server knows what an earlier one did.
//
//	go run -C examples/support/sql . -http 127.0.0.1:8080 -store /tmp/keys.db
//	go run -C examples/support/sql . -http 127.0.0.1:8081 -store postgres://user@127.0.0.1/database
package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/examples/support/internal/desk"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency/sqlstore"
)

func main() { harness.Main(desk.Program{OpenStore: openStore}.Run) }

// openStore opens the named database, and creates its table if it is missing.
func openStore(ctx context.Context, name string) (idempotency.Store, func() error, error) {
	dialect, driver, source := sqlstore.SQLite, "sqlite",
		"file:"+name+"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)"
	if strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://") {
		dialect, driver, source = sqlstore.PostgreSQL, "pgx", name
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot open the database of -store: %w", err)
	}
	store := &sqlstore.Store{DB: db, Dialect: dialect}
	if err := store.CreateTable(ctx); err != nil {
		_ = db.Close()
		return nil, nil, fmt.Errorf("cannot use the database of -store: %w", err)
	}
	return store, db.Close, nil
}
