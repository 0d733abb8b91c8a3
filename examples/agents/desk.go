package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"sync"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A desk is a support desk whose services fail: the customer service refuses the first two
// connections, and the reply to the first refund is lost although the refund is booked.
type desk struct {
	mu      sync.Mutex
	refused int
	booked  []string        // the orders of all refunds made
	keys    map[string]bool // idempotency keys that the gateway has seen
}

type customerIn struct {
	CustomerID string `json:"customer_id"`
}

type customerOut struct {
	Name string `json:"name"`
}

type ordersIn struct {
	CustomerID string `json:"customer_id"`
	Days       int    `json:"days,omitempty"`
}

type ordersOut struct {
	Orders []string `json:"orders"`
}

type refundIn struct {
	OrderID        string  `json:"order_id"`
	Amount         float64 `json:"amount"`
	IdempotencyKey string  `json:"idempotency_key,omitempty"`
}

type refundOut struct {
	Receipt string `json:"receipt"`
}

// getCustomer fails twice, with an HTTP client's error whose text contains the service's key.
func (d *desk) getCustomer(
	context.Context, *mcp.CallToolRequest, customerIn,
) (*mcp.CallToolResult, customerOut, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refused++; d.refused <= 2 {
		refused := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
		return nil, customerOut{}, &url.Error{
			Op: "Get", URL: "http://10.0.0.5/customers/CUS-10001?api_key=sk_live_51H",
			Err: refused,
		}
	}
	return nil, customerOut{Name: "Ada"}, nil
}

func (d *desk) lookupOrder(context.Context, *mcp.CallToolRequest, ordersIn) (*mcp.CallToolResult, ordersOut, error) {
	return nil, ordersOut{Orders: []string{"ORD-7"}}, nil
}

// processRefund returns a handler that books refunds, once per key. For a refund over the limit,
// the handler returns refuse's error.
func (d *desk) processRefund(refuse func(refundIn) error) mcp.ToolHandlerFor[refundIn, refundOut] {
	return func(_ context.Context, _ *mcp.CallToolRequest, in refundIn) (*mcp.CallToolResult, refundOut, error) {
		if in.Amount > 500 {
			return nil, refundOut{}, refuse(in)
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if !d.keys[in.IdempotencyKey] {
			d.booked = append(d.booked, in.OrderID)
			if in.IdempotencyKey != "" {
				d.keys[in.IdempotencyKey] = true
			}
			if len(d.booked) == 1 { // and its reply is lost
				return nil, refundOut{}, &url.Error{
					Op: "Post", URL: "http://10.0.0.6/refunds?api_key=sk_live_51H",
					Err: os.ErrDeadlineExceeded,
				}
			}
		}
		return nil, refundOut{Receipt: "RE-" + in.OrderID}, nil
	}
}

// withSDKAlone returns a server for the desk that uses the MCP SDK alone.
func withSDKAlone(d *desk) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "v1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "get_customer", Description: "Look up a customer."}, d.getCustomer)
	mcp.AddTool(server, &mcp.Tool{Name: "lookup_order", Description: "List a customer's orders."}, d.lookupOrder)
	mcp.AddTool(server, &mcp.Tool{Name: "process_refund", Description: "Refund an order."},
		d.processRefund(func(refundIn) error {
			return errors.New("refund exceeds limit")
		}))
	return server
}

// withToolerr returns the same server with the middleware, annotations, an idempotency key, and a
// toolerr error for refunds over the limit.
func withToolerr(d *desk) *mcp.Server {
	readOnly := &mcp.ToolAnnotations{ReadOnlyHint: true}
	server := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
	result.AddTool(server, &mcp.Tool{Name: "get_customer", Description: "Look up a customer.", Annotations: readOnly},
		d.getCustomer)
	result.AddTool(server, &mcp.Tool{
		Name: "lookup_order", Description: "List a customer's orders.",
		Annotations: readOnly,
	}, d.lookupOrder)
	idempotency.AddTool(server, &mcp.Tool{Name: "process_refund", Description: "Refund an order."},
		&idempotency.Options{UpstreamDedupes: true}, // the gateway accepts the key too
		d.processRefund(func(in refundIn) error {
			return toolerr.LimitExceeded(fmt.Sprintf("A refund of $%.2f exceeds the limit of $500.", in.Amount),
				"A colleague has to approve this refund. I am handing you over to one right now.")
		}))
	return server
}
