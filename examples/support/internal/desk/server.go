package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// refundLimit is the largest refund, in dollars, that needs no person's approval. customerMessage
// never states it.
const refundLimit = 500

// upstreamTimeout is how long a tool waits for a service, unless -timeout is set. It is short, so
// that the example runs in seconds.
const upstreamTimeout = 400 * time.Millisecond

// A desk is the support desk: its tools, and the services that they use.
type desk struct {
	orders, payments string // base URLs
	client           *http.Client
}

// newServer returns the MCP server. Three functions structure its failures: result.Middleware,
// result.AddTool for the tools, and idempotency.AddTool for the tool that must not run twice.
// client sends the requests to the services.
func newServer(
	orders, payments string, client *http.Client, keys *idempotency.Options, opts *result.MiddlewareOptions,
) *mcp.Server {
	d := &desk{orders: orders, payments: payments, client: client}
	server := mcp.NewServer(&mcp.Implementation{Name: "support", Version: "v1.0.0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(opts))

	no := false
	result.AddTool(server, &mcp.Tool{
		Name:        "get_customer",
		Description: "Look up a customer by id.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &no},
	}, d.getCustomer)
	result.AddTool(server, &mcp.Tool{
		Name:        "lookup_order",
		Description: "List a customer's orders of the last days, 90 unless days is given.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &no},
	}, d.lookupOrder)
	idempotency.AddTool(server, &mcp.Tool{
		Name: "process_refund",
		Description: "Refund an amount of an order. With an idempotency_key a repeat of the same call " +
			"is not refunded twice.",
		Annotations: &mcp.ToolAnnotations{OpenWorldHint: &no}, // changes things, and not idempotent without a key
	}, keys, d.processRefund)
	result.AddTool(server, &mcp.Tool{
		Name:        "escalate_to_human",
		Description: "Hand the conversation over to a person.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no}, // and opens a ticket each time
	}, d.escalate)
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

func (d *desk) getCustomer(
	ctx context.Context, _ *mcp.CallToolRequest, in customerIn,
) (*mcp.CallToolResult, customerOut, error) {
	if err := checkCustomerID(in.CustomerID); err != nil {
		return nil, customerOut{}, err
	}
	var found customer
	err := d.get(ctx, d.orders+"/customers/"+url.PathEscape(in.CustomerID), "The customer records", &found)
	if toolerr.CodeOf(err) == toolerr.CodeNotFound {
		return result.Empty("No customer found with id "+in.CustomerID+".", nil), customerOut{}, nil
	}
	return nil, customerOut{Customers: []customer{found}}, err
}

type ordersIn struct {
	CustomerID string `json:"customer_id" jsonschema:"the customer's id, such as CUS-10001"`
	Days       int    `json:"days,omitempty" jsonschema:"how many days to look back, 90 if absent"`
}

type ordersOut struct {
	Orders []order `json:"orders"`
}

type order struct {
	ID     string  `json:"id"`
	Amount float64 `json:"amount"`
}

func (d *desk) lookupOrder(
	ctx context.Context, _ *mcp.CallToolRequest, in ordersIn,
) (*mcp.CallToolResult, ordersOut, error) {
	if err := checkCustomerID(in.CustomerID); err != nil {
		return nil, ordersOut{}, err
	}
	if in.Days <= 0 {
		in.Days = 90
	}
	var out ordersOut
	path := "/customers/" + url.PathEscape(in.CustomerID) + "/orders?days=" + strconv.Itoa(in.Days)
	if err := d.get(ctx, d.orders+path, "The order service", &out); err != nil {
		return nil, out, err
	}
	if len(out.Orders) == 0 {
		message := fmt.Sprintf("No orders found for customer %s in the last %d days.", in.CustomerID, in.Days)
		return result.Empty(message, nil), out, nil
	}
	return nil, out, nil
}

type refundIn struct {
	OrderID        string  `json:"order_id" jsonschema:"the order to refund, such as ORD-7"`
	Amount         float64 `json:"amount" jsonschema:"how much to refund, in dollars"`
	IdempotencyKey string  `json:"idempotency_key,omitempty" jsonschema:"the same key for each attempt at a refund"`
}

func (d *desk) processRefund(
	ctx context.Context, _ *mcp.CallToolRequest, in refundIn,
) (*mcp.CallToolResult, refund, error) {
	if in.Amount <= 0 {
		return nil, refund{}, toolerr.Validation("The amount must be more than 0.").
			WithCode(toolerr.CodeOutOfRange).WithField("amount")
	}
	if in.Amount > refundLimit {
		return nil, refund{}, toolerr.LimitExceeded(
			fmt.Sprintf("A refund of $%.2f exceeds the limit of $%d for automatic approval.", in.Amount, refundLimit),
			"A colleague has to approve this refund. I am handing you over to one right now.").
			WithHint("Relay customerMessage word for word, then call escalate_to_human. Do not split the refund.")
	}
	body, err := json.Marshal(refund{OrderID: in.OrderID, Amount: in.Amount, Key: in.IdempotencyKey})
	if err != nil {
		return nil, refund{}, err
	}
	var out refund
	err = d.do(ctx, http.MethodPost, d.payments+"/refunds", body, "The payment gateway", &out)
	return nil, out, err
}

type escalateIn struct {
	Reason          string `json:"reason" jsonschema:"why a person is needed, for the colleague"`
	CustomerMessage string `json:"customer_message,omitempty" jsonschema:"what the customer was told"`
}

type escalateOut struct {
	Ticket string `json:"ticket"`
}

func (d *desk) escalate(
	ctx context.Context, _ *mcp.CallToolRequest, in escalateIn,
) (*mcp.CallToolResult, escalateOut, error) {
	if in.Reason == "" {
		return nil, escalateOut{}, toolerr.Validation("The reason is empty.").WithCode(toolerr.CodeMissingArgument).
			WithField("reason")
	}
	body, err := json.Marshal(in)
	if err != nil {
		return nil, escalateOut{}, err
	}
	var out escalateOut
	err = d.do(ctx, http.MethodPost, d.orders+"/tickets", body, "The help desk", &out)
	return nil, out, err
}

var customerID = regexp.MustCompile(`^CUS-[0-9]{5}$`)

func checkCustomerID(id string) error {
	if customerID.MatchString(id) {
		return nil
	}
	e := toolerr.Validation(fmt.Sprintf("A customer id is CUS- and five digits, got %q.", id)).
		WithCode(toolerr.CodeInvalidArgument).WithField("customer_id")
	if likely := "CUS-" + id; customerID.MatchString(likely) {
		return e.WithSuggestions(likely).WithHint("Call again with customer_id " + likely + ".")
	}
	return e.WithHint("Ask the customer for the id on their invoice, then call again with it.")
}

func (d *desk) get(ctx context.Context, url, who string, out any) error {
	return d.do(ctx, http.MethodGet, url, nil, who, out)
}

// do sends a request to a service and decodes the answer. Failures of the service are envelopes:
// Wrap and FromResponse classify them, and their messages call the service who.
func (d *desk) do(ctx context.Context, method, url string, body []byte, who string, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return toolerr.Wrap(err, who+" did not answer.")
	}
	if e := toolerr.FromResponse(resp); e != nil {
		return e.WithMessage(fmt.Sprintf("%s answered with status %d.", who, resp.StatusCode))
	}
	defer func() { _ = resp.Body.Close() }()
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		// This is not Wrap, which would blame a bug in the tool: the next answer may be readable.
		return toolerr.Transient(who + " sent an answer that cannot be read.").
			WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectUnknown).WithCause(err)
	}
	return nil
}
