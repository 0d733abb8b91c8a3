package idempotency_test

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
)

// TestOptions_ForEachSession makes calls with the same keys to servers that are made for each
// session, or for each request, with options of their own.
func TestOptions_ForEachSession(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stateless bool
		opts      func(server int) *idempotency.Options
		runs      int64 // of four keys, each used on two sessions
	}{
		"stateful, zero":  {false, func(int) *idempotency.Options { return new(idempotency.Options) }, 4},
		"stateful, nil":   {false, func(int) *idempotency.Options { return nil }, 4},
		"stateless, zero": {true, func(int) *idempotency.Options { return &idempotency.Options{Wait: -1} }, 4},
		"stateless, nil":  {true, func(int) *idempotency.Options { return nil }, 4},
		"stateful, scopes differ": {
			false,
			func(n int) *idempotency.Options { return &idempotency.Options{Scope: fmt.Sprint(n)} }, 8,
		},
		"stateful, stores differ": {false, func(int) *idempotency.Options { return fresh(nil) }, 8},
		"stateful, another user is": {false, func(n int) *idempotency.Options {
			return &idempotency.Options{Principal: func(*mcp.CallToolRequest) string { return fmt.Sprint(n) }}
		}, 8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			till, servers, run := new(till), atomic.Int64{}, rand.Text()
			front := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server {
				server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
				server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
				idempotency.AddTool(server, &mcp.Tool{Name: "charge"}, c.opts(int(servers.Add(1))), till.charge)
				return server
			}, &mcp.StreamableHTTPOptions{Stateless: c.stateless}))
			t.Cleanup(front.Close)
			answers := map[string]string{}
			for range 2 {
				session := testutil.ConnectTo(t, &mcp.StreamableClientTransport{Endpoint: front.URL, DisableStandaloneSSE: true},
					nil)
				for n := range 4 {
					key := fmt.Sprint(run, n)
					out := charge(t, session, "charge", 40, key)
					require.NoError(t, out.AsError())
					if before, ok := answers[key]; ok {
						assert.Equal(t, c.runs == 4, before == out.Text(), "the same answer")
					}
					answers[key] = out.Text()
				}
			}
			assert.Equal(t, c.runs, till.ran.Load())
			assert.Greater(t, servers.Load(), int64(1))
		})
	}
}
