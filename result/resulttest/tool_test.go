package resulttest_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest/faults"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An author's test of a tool's error paths: the arguments, the upstream's fault, and the expected
// failure.
func TestAssertFailure_UpstreamFaults(t *testing.T) {
	t.Parallel()
	orders := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/ORD-10001" {
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(orders.Close)
	for name, test := range map[string]struct {
		order    any
		fault    faults.Fault
		category toolerr.Category
		code     toolerr.Code
	}{
		"invalid":        {48291, faults.None, toolerr.CategoryValidation, toolerr.CodeInvalidArgument},
		"missing":        {"", faults.None, toolerr.CategoryValidation, toolerr.CodeMissingArgument},
		"not found":      {"ORD-7", faults.None, toolerr.CategoryValidation, toolerr.CodeNotFound},
		"upstream 500":   {"ORD-10001", faults.InternalError, toolerr.CategoryTransient, toolerr.CodeUnavailable},
		"upstream 429":   {"ORD-10001", faults.TooManyRequests, toolerr.CategoryTransient, toolerr.CodeRateLimited},
		"upstream hangs": {"ORD-10001", faults.Stall, toolerr.CategoryTransient, toolerr.CodeTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			upstream := &http.Client{Transport: &faults.Injector{Script: []faults.Fault{test.fault}}}
			if test.fault == faults.Stall {
				upstream.Timeout = 500 * time.Millisecond
			}
			server := mcp.NewServer(&mcp.Implementation{Name: "orders"}, nil)
			server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
			result.AddTool(server, &mcp.Tool{Name: "find"}, func(_ context.Context, _ *mcp.CallToolRequest, in order) (*mcp.CallToolResult, any, error) {
				if in.ID == "" {
					return nil, nil, toolerr.Validation("The order_id is missing.").WithCode(toolerr.CodeMissingArgument)
				}
				resp, err := upstream.Get(orders.URL + "/" + in.ID)
				if err != nil {
					return nil, nil, err
				}
				if e := toolerr.FromResponse(resp); e != nil {
					return nil, nil, e
				}
				return nil, in, resp.Body.Close()
			})
			session := testutil.Connect(t, server, nil)
			find := func(order any) result.Outcome {
				return result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "find", Arguments: map[string]any{"order_id": order}}))
			}
			resulttest.AssertFailure(t, test.category, test.code, find(test.order))
			upstream.Timeout = 0
			if test.fault != faults.None {
				assert.Equal(t, result.KindData, find(test.order).Kind, "it is the fault that made it fail")
			}
		})
	}
}
