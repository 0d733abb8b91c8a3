package ledger_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const chainParts = 3

type chainArgs struct {
	Order string `json:"order"`
	From  int    `json:"from,omitempty"`
	Key   string `json:"idempotency_key,omitempty"`
}

// payParts books one part of an order, and returns it as a partial result before the last.
func payParts(book *ledger.Remote) mcp.ToolHandlerFor[chainArgs, any] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in chainArgs) (*mcp.CallToolResult, any, error) {
		if err := book.Add(ctx, ledger.Booking{Tool: "pay_parts", Order: fmt.Sprintf("%s.%d", in.Order, in.From), Key: in.Key}); err != nil {
			return nil, nil, err
		}
		if in.From+1 < chainParts {
			return nil, nil, toolerr.Transient("More.").WithPartial(&toolerr.Partial{
				Processed: in.From + 1, Total: chainParts, ContinueFrom: in.From + 1, Results: json.RawMessage(fmt.Sprintf("[%d]", in.From)),
			})
		}
		return result.OK([]int{in.From}), nil, nil
	}
}

// TestChain continues partial results while sessions are lost, for some orders ten times in a
// row. No part is booked twice, also if the whole chain is repeated with its first key, and no
// chain is given up while attempts, time and budget are left.
func TestChain(t *testing.T) {
	t.Parallel()
	f := newFixture(t, new(ledger.Server))
	server := mcp.NewServer(&mcp.Implementation{Name: "chains", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: f.policy.Logger}))
	result.AddTool(server, &mcp.Tool{Name: "pay_parts"}, payParts(f.server.Book))
	f.faults.Choose = func(r ledger.Request) ledger.Fault {
		dice := diceOf(7, r.Args.Order, uint64(r.Seen)+1)
		if diceOf(7, r.Args.Order, 0).IntN(8) == 0 && r.Seen < 10 || dice.IntN(20) == 0 {
			return ledger.CutReply
		}
		return ledger.Pass
	}
	p := patient(f.policy)
	client := ledger.Callers["Client"](func(ctx context.Context, c *mcp.Client) (*mcp.ClientSession, error) {
		transport, err := ledger.InMemory(f.faults, server)
		if err != nil {
			return nil, err
		}
		return c.Connect(ctx, transport, nil)
	}, p)
	defer client.Close()
	var agents sync.WaitGroup
	for agent := range 4 {
		agents.Go(func() {
			for n := agent; n < 40; n += 4 {
				arguments := map[string]any{"order": fmt.Sprint("ORD-", n)}
				if n%2 == 0 {
					arguments["idempotency_key"] = fmt.Sprint("key-", n)
				}
				for range 1 + (n+1)%2 {
					out, d := retry.Resume(t.Context(), func(ctx context.Context, params *mcp.CallToolParams) (result.Outcome, retry.Decision) {
						arguments, _ := params.Arguments.(map[string]any)
						told := client.Call(ctx, params.Name, arguments)
						return told.Outcome, told.Decision
					}, &mcp.CallToolParams{Name: "pay_parts", Arguments: arguments}, "from")
					assert.Equal(t, "accept [0,1,2]", d.Action.String()+" "+out.Text(), "%v: %s", arguments, d.Reason)
				}
				for part := range chainParts {
					assert.Len(t, f.book.Of(fmt.Sprintf("ORD-%d.%d", n, part)), 1, "part %d of %d", part, n)
				}
			}
		})
	}
	agents.Wait()
	assert.Greater(t, f.faults.Counts()[ledger.CutReply], 40)
}

// patientAttempts is how often a patient caller tries.
const patientAttempts = 40

// patient returns a policy that outlasts many lost sessions. The agents share a session, so
// that the losses of one order interrupt the others.
func patient(p retry.Policy) retry.Policy {
	p.MaxAttempts, p.MaxDelay, p.MaxWait, p.Budget = patientAttempts, 5*time.Millisecond, time.Hour, &retry.Budget{Size: -1}
	return p
}
