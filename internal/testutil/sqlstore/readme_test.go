package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
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
	"github.com/mcp-toolerr/toolerr-go/toolerr"
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
		out := result.Parse(session.CallTool(t.Context(),
			&mcp.CallToolParams{Name: "process_refund", Arguments: refund{"ORD-7", "k"}}))
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
		server, s := d.store(t, ""), d.open(t, "")
		died, over := request(), request()
		died.ID, died.Lease = "d72592439bebae5ce2802b0625d7d3f7", time.Millisecond
		claim(t, server, died)
		claim(t, server, over)
		require.NoError(t, server.DB.Close(), "it would delete the expired row by itself")
		_, err := s.DB.ExecContext(t.Context(),
			"UPDATE idempotency_keys SET expires = 1 WHERE id <> 'd72592439bebae5ce2802b0625d7d3f7'")
		require.NoError(t, err)
		// The lease ends by the clock of the database, in whole seconds for MariaDB's statements.
		time.Sleep(1100 * time.Millisecond)
		for i, block := range blocks {
			text := string(block[1])
			if d.dialect == sqlstore.MySQL {
				text = strings.NewReplacer("CAST(extract(epoch FROM now()) * 1000 AS bigint)", "UNIX_TIMESTAMP() * 1000",
					"to_timestamp(", "FROM_UNIXTIME(",
					"convert_from(answer, 'UTF8')", "CONVERT(answer USING utf8mb4)").Replace(text)
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

// A lostClaim makes claims whose replies are lost.
type lostClaim struct{ idempotency.Store }

func (s lostClaim) Claim(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
	_, err := s.Store.Claim(ctx, r)
	return idempotency.Claim{}, errors.Join(err, errors.New("the reply is lost"))
}

// A rerun that is not made, because the reply to its claim is lost, does not say that the first
// run had no effect.
func TestHandler_WithdrawnRerun(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d place) {
		store, ran := d.store(t, "withdrawn_keys"), 0
		ask := func(opts *idempotency.Options) *toolerr.Error {
			s := mcp.NewServer(&mcp.Implementation{Name: "refunds"}, nil)
			s.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
			idempotency.AddTool(s, &mcp.Tool{Name: "pay"}, opts,
				func(context.Context, *mcp.CallToolRequest, refund) (*mcp.CallToolResult, receipt, error) {
					ran++
					return nil, receipt{}, errors.New("the reply of the bank is lost")
				})
			here, there := mcp.NewInMemoryTransports()
			_, err := s.Connect(t.Context(), here, nil)
			require.NoError(t, err)
			session, err := mcp.NewClient(&mcp.Implementation{Name: "agent"}, nil).Connect(t.Context(), there, nil)
			require.NoError(t, err)
			t.Cleanup(func() { _ = session.Close() })
			out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "pay", Arguments: refund{"ORD-7", "k"}}))
			require.NoError(t, opts.Drain(t.Context()), "the claim is withdrawn")
			return out.Err
		}
		assert.Equal(t, toolerr.EffectUnknown, ask(&idempotency.Options{Store: store}).Effect)
		assert.Equal(t, toolerr.EffectUnknown,
			ask(&idempotency.Options{Store: lostClaim{store}, UpstreamDedupes: true}).Effect)
		assert.Equal(t, toolerr.EffectUnknown, ask(&idempotency.Options{Store: store}).Effect)
		assert.Equal(t, 1, ran)
	})
}
