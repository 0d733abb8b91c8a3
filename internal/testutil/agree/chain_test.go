package agree_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type page struct {
	From int    `json:"continue_from,omitempty"`
	Key  string `json:"idempotency_key,omitempty"`
}

type paid struct {
	Items []int `json:"items"`
}

// TestChain_Keyed checks that a keyed tool continues its partial results, whatever the failure
// of a part is and whether or not it states its effect, with the caller's key and without one;
// and that a repeat of the whole chain with its key does nothing twice.
func TestChain_Keyed(t *testing.T) {
	t.Parallel()
	const parts = 3
	for name, cause := range map[string]*toolerr.Error{
		"Transient": toolerr.Transient("m"), "RateLimited": toolerr.RateLimited("m", 0), "Business": toolerr.Business("m"),
		"NotFound": toolerr.NotFound("order", "7"), "Permission": toolerr.Permission("m"), "timeout": toolerr.From(context.DeadlineExceeded),
		"applied": toolerr.Transient("m").WithEffect(toolerr.EffectApplied), "none": toolerr.Transient("m").WithEffect(toolerr.EffectNone),
	} {
		var runs atomic.Int64
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
		idempotency.AddTool(server, &mcp.Tool{Name: "pay_all"}, nil, func(_ context.Context, _ *mcp.CallToolRequest, in page) (*mcp.CallToolResult, paid, error) {
			runs.Add(1)
			if in.From+1 == parts {
				return nil, paid{[]int{in.From}}, nil
			}
			return nil, paid{}, cause.WithPartial(&toolerr.Partial{
				Processed: in.From + 1, Total: parts, ContinueFrom: in.From + 1, Results: json.RawMessage(fmt.Sprintf(`{"items":[%d]}`, in.From)),
			})
		})
		session := testutil.Connect(t, server, nil)
		call := func(ctx context.Context, params *mcp.CallToolParams) (result.Outcome, retry.Decision) {
			return retry.CallTool(ctx, retry.Policy{Safety: retry.SafetyKeyed, BaseDelay: -1, Logger: slog.New(slog.DiscardHandler)}, session, params)
		}
		for round, arguments := range []map[string]any{{"idempotency_key": "key-1"}, {"idempotency_key": "key-1"}, {}} {
			out, d := retry.Resume(t.Context(), call, &mcp.CallToolParams{Name: "pay_all", Arguments: arguments}, "continue_from")
			require.Equal(t, retry.ActionAccept, d.Action, "%s, round %d: %s", name, round, out.Text())
			all, err := result.Decode[paid](out)
			require.NoError(t, err)
			assert.Equal(t, []int{0, 1, 2}, all.Items, name)
			assert.EqualValues(t, parts*[]int{1, 1, 2}[round], runs.Load(), "%s, round %d", name, round)
		}
	}
}
