package sqlstore_test

import (
	"context"
	"database/sql"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency/sqlstore"
)

func addRefunds(ctx context.Context, server *mcp.Server, address string) (*sql.DB, error) {
	db, err := sql.Open("pgx", address) // import _ "github.com/jackc/pgx/v5/stdlib"
	if err != nil {
		return nil, err
	}
	store := &sqlstore.Store{DB: db, Dialect: sqlstore.PostgreSQL}
	if err := store.CreateTable(ctx); err != nil { // every process, at startup
		return nil, err
	}
	idempotency.AddTool(server, &mcp.Tool{Name: "process_refund"}, &idempotency.Options{Store: store}, processRefund)
	return db, nil
}

type refund struct {
	OrderID string `json:"order_id"`
	Key     string `json:"idempotency_key,omitempty"`
}

type receipt struct {
	Number int `json:"number"`
}

var made int

func processRefund(context.Context, *mcp.CallToolRequest, refund) (*mcp.CallToolResult, receipt, error) {
	made++
	return nil, receipt{made}, nil
}

// The README shows the code above, and two servers with it share their keys.
func TestREADME(t *testing.T) {
	t.Parallel()
	shown, err := os.ReadFile("../../../result/idempotency/sqlstore/README.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(shown, -1)
	require.Len(t, blocks, 1)
	compiled, err := os.ReadFile("readme_test.go")
	require.NoError(t, err)
	assert.Contains(t, string(compiled), "\n"+string(blocks[0][1]))
	if server == nil {
		// SQLite is covered by the other tests; this is about the code in the README.
		t.Skip("PostgreSQL is not installed")
	}
	d := newPostgres(t, server.Addr)
	made = 0
	for range 2 {
		s := mcp.NewServer(&mcp.Implementation{Name: "refunds"}, nil)
		s.AddReceivingMiddleware(result.Middleware(nil))
		db, err := addRefunds(t.Context(), s, d.name)
		require.NoError(t, err)
		t.Cleanup(func() { _ = db.Close() })
		here, there := mcp.NewInMemoryTransports()
		_, err = s.Connect(t.Context(), here, nil)
		require.NoError(t, err)
		session, err := mcp.NewClient(&mcp.Implementation{Name: "agent"}, nil).Connect(t.Context(), there, nil)
		require.NoError(t, err)
		t.Cleanup(func() { _ = session.Close() })
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "process_refund", Arguments: refund{"ORD-7", "k"}}))
		require.NoError(t, out.AsError())
		assert.JSONEq(t, `{"number":1}`, out.Text())
	}
}

// The statements for operators run, and end an abandoned call like Resolve.
func TestOperations(t *testing.T) {
	t.Parallel()
	shown, err := os.ReadFile("../../../result/idempotency/OPERATIONS.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```sql\n(.*?);\n```").FindAllSubmatch(shown, -1)
	require.Len(t, blocks, 4)
	served(t, func(t *testing.T, d place) {
		s := d.store(t, "")
		died, over := request(), request()
		died.ID, died.Lease = "d72592439bebae5ce2802b0625d7d3f7", time.Millisecond
		claim(t, s, died)
		claim(t, s, over)
		_, err := s.DB.ExecContext(t.Context(), "UPDATE idempotency_keys SET expires = 1 WHERE id <> 'd72592439bebae5ce2802b0625d7d3f7'")
		require.NoError(t, err)
		// The lease ends by the clock of the database.
		time.Sleep(50 * time.Millisecond)
		for i, block := range blocks {
			text := string(block[1])
			if d.dialect == sqlstore.MySQL {
				text = strings.NewReplacer("extract(epoch FROM now())", "UNIX_TIMESTAMP(NOW(3))", "to_timestamp(", "FROM_UNIXTIME(").Replace(text)
			}
			done, err := s.DB.ExecContext(t.Context(), text)
			require.NoError(t, err, text)
			if i < 2 {
				continue // a SELECT
			}
			changed, err := done.RowsAffected()
			require.NoError(t, err)
			assert.Equal(t, int64(1), changed, text)
		}
		died.Lease = time.Minute
		assert.Equal(t, idempotency.StateDone, claim(t, s, again(died)).State)
	})
}
