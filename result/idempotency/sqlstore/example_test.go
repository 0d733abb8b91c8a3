package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency/sqlstore"
)

type refund struct {
	OrderID        string `json:"order_id"`
	IdempotencyKey string `json:"idempotency_key,omitempty"`
}

type receipt struct {
	Refund string `json:"refund"`
}

func processRefund(context.Context, *mcp.CallToolRequest, refund) (*mcp.CallToolResult, receipt, error) {
	return nil, receipt{Refund: "REF-1"}, nil
}

// A server that shares its idempotency keys with all servers on the same database.
func newServer(ctx context.Context, driver, address string) (*mcp.Server, error) {
	db, err := sql.Open(driver, address) // the program imports the driver: github.com/jackc/pgx/v5/stdlib is "pgx"
	if err != nil {
		return nil, err
	}
	store := &sqlstore.Store{DB: db, Dialect: sqlstore.PostgreSQL}
	if err := store.CreateTable(ctx); err != nil {
		return nil, err
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "refunds", Version: "v1.0.0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	idempotency.AddTool(server, &mcp.Tool{Name: "process_refund"}, &idempotency.Options{Store: store}, processRefund)
	return server, nil
}

// This example imports no driver.
func Example() {
	_, err := newServer(context.Background(), "pgx", "postgres://user@127.0.0.1/database")
	fmt.Println(err)
	// Output: sql: unknown driver "pgx" (forgotten import?)
}

// A store with short answers that are stored for a week. The dialect is missing.
func ExampleStore() {
	store := &sqlstore.Store{DB: new(sql.DB), Table: "payments.keys", MaxAge: 7 * 24 * time.Hour, MaxAnswer: 64 << 10}
	fmt.Println(store.CreateTable(context.Background()))
	// Output: sqlstore: Store.Dialect is "", set it to sqlstore.SQLite, sqlstore.PostgreSQL or sqlstore.MySQL
}
