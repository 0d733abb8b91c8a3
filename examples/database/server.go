package main

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// queryTimeout is how long a query may take. It is short, so that the example runs in seconds, but
// well above lockTimeout, so that a lock is reported as a lock.
const queryTimeout = 250 * time.Millisecond

// A directory looks up customers in a database.
type directory struct {
	db   *sql.DB
	path string // the database's file
}

// newServer returns the MCP server. result.Middleware and result.AddTool structure its failures.
func newServer(db *sql.DB, path string, logger *slog.Logger) *mcp.Server {
	d := &directory{db: db, path: path}
	server := mcp.NewServer(&mcp.Implementation{Name: "database", Version: "v1.0.0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: logger}))

	no := false
	result.AddTool(server, &mcp.Tool{
		Name:        "get_customer",
		Description: "Look up a customer by id.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &no},
	}, d.getCustomer)
	return server
}

type customerIn struct {
	CustomerID string `json:"customer_id" jsonschema:"the customer's id, such as CUS-10001"`
}

type customerOut struct {
	Customers []customer `json:"customers"`
}

type customer struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func (d *directory) getCustomer(
	ctx context.Context, _ *mcp.CallToolRequest, in customerIn,
) (*mcp.CallToolResult, customerOut, error) {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout) // the driver interrupts SQLite when it ends
	defer cancel()
	var found customer
	err := d.db.QueryRowContext(ctx, `SELECT id, name FROM customers WHERE id = ?`, in.CustomerID).
		Scan(&found.ID, &found.Name)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		// "There is none" is a result, not a failure.
		return result.Empty("No customer found with id "+in.CustomerID+".", nil), customerOut{}, nil
	case err != nil:
		return nil, customerOut{}, failedRead(err, d.path)
	}
	return nil, customerOut{Customers: []customer{found}}, nil
}
