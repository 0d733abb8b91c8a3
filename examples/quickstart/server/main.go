// Server is a small MCP server, on stdio, whose failures are structured.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type refund struct {
	OrderID        string  `json:"order_id"`
	Amount         float64 `json:"amount"`
	IdempotencyKey string  `json:"idempotency_key,omitempty"` // the same for every attempt at one refund
}

type receipt struct {
	Refund string `json:"refund"`
}

func processRefund(ctx context.Context, _ *mcp.CallToolRequest, in refund) (*mcp.CallToolResult, receipt, error) {
	if in.Amount > 500 {
		return nil, receipt{}, toolerr.LimitExceeded(
			fmt.Sprintf("A refund of $%.2f exceeds the limit of $500 for automatic approval.", in.Amount),
			"A colleague has to approve this refund. I am handing you over to one right now.").
			WithHint("Relay customerMessage word for word and hand over to a person. Do not split the refund.")
	}
	body := strings.NewReader(fmt.Sprintf(`{"amount": %.2f}`, in.Amount))
	refunds := gateway + "/orders/" + url.PathEscape(in.OrderID) + "/refunds"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, refunds, body)
	if err != nil {
		return nil, receipt{}, err // any Go error becomes an envelope; its text is never sent
	}
	req.GetBody = nil                                    // or net/http repeats a POST with this header by itself:
	req.Header.Set("Idempotency-Key", in.IdempotencyKey) // twice the work, unless the gateway acts once on each key
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, receipt{}, toolerr.Wrap(err, "The payment gateway did not answer.") // this sentence is sent
	}
	defer func() { _ = resp.Body.Close() }()
	if failure := toolerr.FromResponse(resp); failure != nil { // 429 with its wait, 401, 503, ...
		return nil, receipt{}, failure
	}
	return nil, receipt{Refund: resp.Header.Get("Location")}, nil
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "refunds", Version: "v1.0.0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil)) // outermost: first in the last such call
	// A repeat with the same key is executed again after a lost reply, because this gateway
	// is known to act once on each key. Without UpstreamDedupes such a repeat is refused.
	idempotency.AddTool(server, &mcp.Tool{Name: "process_refund", Description: "Refund an order."},
		&idempotency.Options{UpstreamDedupes: true}, processRefund)
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}

// gateway is the address of a stand-in for the payment gateway. It is overloaded for each refund's
// first attempt.
var gateway = func() string {
	var mu sync.Mutex
	attempts, numbers := map[string]int{}, map[string]int{}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		key := r.Header.Get("Idempotency-Key")
		if attempts[key]++; attempts[key] == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		numbers[key] = cmp.Or(numbers[key], len(numbers)+1)
		w.Header().Set("Location", "/refunds/RF-"+fmt.Sprint(numbers[key]))
		w.WriteHeader(http.StatusCreated)
	})).URL
}()
