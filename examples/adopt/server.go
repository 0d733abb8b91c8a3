package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The names of the two servers: the same desk on the MCP SDK alone, and with this module.
const (
	serverAlone   = "SDK alone"
	serverAdopted = "toolerr"
)

// A desk is the state that a server's tools share.
type desk struct {
	ledger  ledger
	stock   string // the stock service's URL
	adopted bool
}

// The arguments of the lookup tools, and the form of small answers.
type (
	query struct {
		OrderID  string   `json:"order_id,omitempty"`
		OrderIDs []string `json:"order_ids,omitempty"`
		SKU      string   `json:"sku,omitempty"`
	}
	answer map[string]string
)

// findOrder ends the process instead of answering the first call.
func (d *desk) findOrder(context.Context, *mcp.CallToolRequest, query) (*mcp.CallToolResult, answer, error) {
	if len(d.ledger.lines(called, "find_order")) == 1 {
		os.Exit(0)
	}
	return nil, answer{"state": "shipped"}, nil
}

// checkStock calls a service that answers 429 until a second has passed.
func (d *desk) checkStock(context.Context, *mcp.CallToolRequest, query) (*mcp.CallToolResult, answer, error) {
	resp, err := http.Get(d.stock)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	if d.adopted {
		if failure := toolerr.FromResponse(resp); failure != nil {
			return nil, nil, failure
		}
	} else if resp.StatusCode != http.StatusOK {
		return nil, nil, fmt.Errorf("stock service: %s, retry after %s seconds", resp.Status, resp.Header.Get("Retry-After"))
	}
	return nil, answer{"stock": "12 left"}, nil
}

// stockService returns a handler that answers 429 until a second after its first request.
func stockService() http.HandlerFunc {
	first := sync.OnceValue(time.Now)
	return func(w http.ResponseWriter, _ *http.Request) {
		if time.Since(first()) < time.Second {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}
}

type ordersIn struct {
	CustomerID string `json:"customer_id"`
	Days       int    `json:"days,omitempty"`
}

type ordersOut struct {
	Orders []string `json:"orders"`
}

// listOrders finds the orders of one customer only.
func (d *desk) listOrders(
	_ context.Context, _ *mcp.CallToolRequest, in ordersIn,
) (*mcp.CallToolResult, ordersOut, error) {
	switch {
	case in.CustomerID == "CUS-1":
		return nil, ordersOut{[]string{"ORD-7"}}, nil
	case d.adopted:
		return result.Empty("Customer "+in.CustomerID+" has no orders.", nil), ordersOut{}, nil
	}
	return nil, ordersOut{}, nil
}

type refundIn struct {
	OrderID string  `json:"order_id"`
	Amount  float64 `json:"amount"`
}

type keyedRefundIn struct {
	refundIn

	IdempotencyKey string `json:"idempotency_key,omitempty"`
}

// processRefund refunds once for each key, as payment services do. After the first refund, it ends
// the process instead of answering.
func (d *desk) processRefund(
	_ context.Context, _ *mcp.CallToolRequest, in keyedRefundIn,
) (*mcp.CallToolResult, answer, error) {
	switch {
	case in.Amount > 500 && d.adopted:
		return nil, nil, toolerr.LimitExceeded(fmt.Sprintf("A refund of $%.2f exceeds the limit of $500.", in.Amount),
			"A colleague has to approve this refund. I am handing you over to one right now.")
	case in.Amount > 500:
		return nil, nil, errors.New("refund exceeds limit")
	case in.IdempotencyKey == "" || len(d.ledger.lines(refund, in.OrderID, in.IdempotencyKey)) == 0:
		if err := d.ledger.write(refund, in.OrderID, in.IdempotencyKey); err != nil {
			return nil, nil, err
		}
		if len(d.ledger.lines(refund)) == 1 {
			os.Exit(0)
		}
	}
	return nil, answer{"receipt": "RE-" + in.OrderID}, nil
}

// processUnkeyed is processRefund for a tool that takes no key.
func (d *desk) processUnkeyed(
	ctx context.Context, req *mcp.CallToolRequest, in refundIn,
) (*mcp.CallToolResult, answer, error) {
	return d.processRefund(ctx, req, keyedRefundIn{refundIn: in})
}

type doneOut struct {
	Done []string `json:"done"`
}

func (d *desk) listDone(_ context.Context, _ *mcp.CallToolRequest, in query) (*mcp.CallToolResult, doneOut, error) {
	isOther := func(done string) bool { return !slices.Contains(in.OrderIDs, strings.Fields(done)[1]) }
	return nil, doneOut{slices.DeleteFunc(d.ledger.done(), isOther)}, nil
}

type shipIn struct {
	OrderIDs     []string `json:"order_ids"`
	ContinueFrom string   `json:"continue_from,omitempty" jsonschema:"the order to begin with"`
}

type shipOut struct {
	Shipped []string `json:"shipped"`
}

// ship ships the orders. In the first call, the carrier fails at the fourth order.
func (d *desk) ship(_ context.Context, _ *mcp.CallToolRequest, in shipIn) (*mcp.CallToolResult, shipOut, error) {
	first := max(slices.Index(in.OrderIDs, in.ContinueFrom), 0)
	for i, order := range in.OrderIDs[first:] {
		if i == 3 && len(d.ledger.lines(called, "ship_orders")) == 1 {
			failure := fmt.Errorf("carrier unavailable at %s", order)
			if d.adopted {
				failure = toolerr.Transient("The carrier did not take " + order + ".").
					WithPartial(&toolerr.Partial{Processed: i, Total: len(in.OrderIDs), ContinueFrom: order})
			}
			return nil, shipOut{}, failure
		}
		if err := d.ledger.write(shipped, order); err != nil {
			return nil, shipOut{}, err
		}
	}
	return nil, shipOut{in.OrderIDs}, nil
}

// add adds a tool: with this module if the desk has adopted it, otherwise with the MCP SDK alone.
func add[In, Out any](d *desk, server *mcp.Server, name string, readOnly bool, handler mcp.ToolHandlerFor[In, Out]) {
	tool := &mcp.Tool{Name: name, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: readOnly}}
	if d.adopted {
		result.AddTool(server, tool, handler)
	} else {
		mcp.AddTool(server, tool, handler)
	}
}

// serve runs a server over stdio. It records each call in the ledger before running it.
func serve(ctx context.Context, name string, l ledger) error {
	stock := httptest.NewServer(stockService())
	defer stock.Close()
	d := &desk{ledger: l, stock: stock.URL, adopted: name == serverAdopted}
	server := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "v1"}, nil)
	add(d, server, "find_order", true, d.findOrder)
	add(d, server, "check_stock", true, d.checkStock)
	add(d, server, "list_orders", true, d.listOrders)
	add(d, server, "list_done", true, d.listDone)
	add(d, server, "ship_orders", false, d.ship)
	if !d.adopted {
		add(d, server, "process_refund", false, d.processUnkeyed)
	} else {
		// the gateway accepts the key too
		idempotency.AddTool(server, &mcp.Tool{Name: "process_refund"}, &idempotency.Options{UpstreamDedupes: true},
			d.processRefund)
		server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
	}
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if params, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok {
				if err := l.write(called, params.Name); err != nil {
					return nil, err
				}
			}
			return next(ctx, method, req)
		}
	})
	return server.Run(ctx, &mcp.StdioTransport{})
}
