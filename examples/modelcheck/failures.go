package main

import (
	"context"
	"errors"
	"net/url"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A failed is one tool call and its failure.
type failed struct {
	name      string
	task      string // what the user wants
	tool      *mcp.Tool
	arguments map[string]any
	bare      error // what a handler returns without this module; nil if the SDK itself refuses the arguments
	ours      error // what it returns with this module; nil for the same
}

// tool returns a tool whose schema has these properties.
func tool(name, description string, hints *mcp.ToolAnnotations, required string, properties ...string) *mcp.Tool {
	schema := map[string]any{}
	for _, p := range append(properties, required) {
		schema[p] = map[string]any{"type": "string"}
	}
	if hints == nil {
		hints = &mcp.ToolAnnotations{}
	}
	return &mcp.Tool{
		Name: name, Description: description, Annotations: hints,
		InputSchema: map[string]any{"type": "object", "properties": schema, "required": []string{required}},
	}
}

var (
	readOnly = &mcp.ToolAnnotations{ReadOnlyHint: true}
	lookup   = tool("lookup_order", "List a customer's orders.", readOnly, "customer_id")
	refund   = tool("process_refund", "Refund an order.", nil, "order_id", "amount")
	keyed    = tool("pay_invoice", "Pay an invoice.", nil, "invoice", "idempotency_key")
	book     = tool("book_flight", "Book a flight.", nil, "flight")
	mail     = tool("send_mail", "Send a mail.", nil, "to", "text")
)

// lost returns an HTTP client's error for a request that was sent but not answered.
func lost(method, address string) error {
	return &url.Error{Op: method, URL: address, Err: context.DeadlineExceeded}
}

// failures holds the failed calls that the model has to act on. The right next step is what
// package retry decides.
var failures = []failed{
	{
		name: "timeout of a look-up", task: "Which orders has CUS-10001?", tool: lookup,
		arguments: map[string]any{"customer_id": "CUS-10001"},
		bare:      lost("Get", "http://orders/customers/CUS-10001"),
	},
	{
		name: "timeout of a refund", task: "Refund ORD-7, $40.", tool: refund,
		arguments: map[string]any{"order_id": "ORD-7", "amount": "40"},
		bare:      lost("Post", "http://payments/refunds"),
	},
	{
		name: "timeout of a payment with a key", task: "Pay invoice 2291.", tool: keyed,
		arguments: map[string]any{"invoice": "2291", "idempotency_key": "5f0c2d"},
		bare:      lost("Post", "http://payments/invoices"),
	},
	{
		name: "bad gateway of a booking", task: "Book VN1.", tool: book, arguments: map[string]any{"flight": "VN1"},
		bare: errors.New("POST http://flights/bookings: 502 Bad Gateway"),
		ours: toolerr.Transient("The booking service did not answer readably.").WithCode(toolerr.CodeUnavailable).
			WithEffect(toolerr.EffectUnknown),
	},
	{
		name: "connection refused", task: "Refund ORD-7, $40.", tool: refund,
		arguments: map[string]any{"order_id": "ORD-7", "amount": "40"},
		bare: &url.Error{
			Op: "Post", URL: "http://payments/refunds",
			Err: errors.New("dial tcp 10.0.0.6:80: connect: connection refused"),
		},
		ours: toolerr.Transient("The payment gateway could not be reached.").WithCode(toolerr.CodeUnavailable).
			WithEffect(toolerr.EffectNone),
	},
	{
		name: "rate limit", task: "Which orders has CUS-10001?", tool: lookup,
		arguments: map[string]any{"customer_id": "CUS-10001"},
		bare:      errors.New("429 Too Many Requests"),
		ours:      toolerr.RateLimited("The order service is throttling.", 2*time.Second),
	},
	{
		name: "exhausted plan", task: "Which orders has CUS-10001?", tool: lookup,
		arguments: map[string]any{"customer_id": "CUS-10001"},
		bare:      errors.New("429: you exceeded your current quota, please check your plan and billing details"),
		ours: toolerr.LimitExceeded("The plan's quota for this month is used up.",
			"I cannot look that up at the moment; a colleague will."),
	},
	{
		name: "missing argument", task: "Which orders has CUS-10001?", tool: lookup,
		arguments: map[string]any{"customer": "CUS-10001"},
	},
	{
		name: "misspelt name", task: "Book a flight to Hanoi, VN-One.", tool: book,
		arguments: map[string]any{"flight": "VN-One"},
		bare:      errors.New("flight not found"), ours: toolerr.NotFound("flight", "VN-One", "VN1", "VN2", "QF9"),
	},
	{
		name: "another tool first", task: "Book VN1.", tool: book, arguments: map[string]any{"flight": "VN1"},
		bare: errors.New("no fare selected"), ours: toolerr.FailedPrecondition("No fare is selected yet.", "select_fare"),
	},
	{
		name: "over a limit", task: "Refund ORD-6, $650.", tool: refund,
		arguments: map[string]any{"order_id": "ORD-6", "amount": "650"},
		bare:      errors.New("refund exceeds limit"),
		ours: toolerr.LimitExceeded("A refund of $650 exceeds the limit of $500.",
			"A colleague has to approve this refund."),
	},
	{
		name: "sold out", task: "Book VN1.", tool: book, arguments: map[string]any{"flight": "VN1"},
		bare: errors.New("booking failed: 0 seats"), ours: toolerr.Business("The flight is full.").WithCode("sold_out"),
	},
	{
		name: "not allowed", task: "Refund ORD-7, $40.", tool: refund,
		arguments: map[string]any{"order_id": "ORD-7", "amount": "40"},
		bare:      errors.New("403 Forbidden"), ours: toolerr.Permission("The agent's account may not make refunds."),
	},
	{
		name: "expired token", task: "Which orders has CUS-10001?", tool: lookup,
		arguments: map[string]any{"customer_id": "CUS-10001"},
		bare:      errors.New("oauth2: token expired"),
		ours:      toolerr.Permission("The access token has expired.").WithCode(toolerr.CodeUnauthenticated),
	},
	{
		name: "bug in a look-up", task: "Which orders has CUS-10001?", tool: lookup,
		arguments: map[string]any{"customer_id": "CUS-10001"},
		bare:      errors.New("runtime error: index out of range [7] with length 3"),
	},
	{
		name: "sent, then failed", task: "Mail Ada that it is done.", tool: mail,
		arguments: map[string]any{"to": "ada@example.com", "text": "It is done."},
		bare:      &os.PathError{Op: "write", Path: "/var/spool/sent.log", Err: errors.New("no space left on device")},
		ours: toolerr.Transient("The mail was sent, but not filed.").WithCode(toolerr.CodeInternal).WithRetryable(false).
			WithEffect(toolerr.EffectApplied),
	},
}
