package main

import (
	"context"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// list_charges is the lookup for charge_card: a tool that changes something needs a tool that finds
// the change. Finding nothing is a result, not a failure.

func addListCharges(server *mcp.Server, bank *service) {
	result.AddTool(server, &mcp.Tool{
		Name:        "list_charges",
		Description: "List what was charged for an order.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, (&cashier{bank}).list)
}

type chargesIn struct {
	OrderID string `json:"order_id" jsonschema:"the order, such as ORD-7"`
}

type chargesOut struct {
	Charges []chargeOut `json:"charges"`
}

func (c *cashier) list(
	ctx context.Context, _ *mcp.CallToolRequest, in chargesIn,
) (*mcp.CallToolResult, chargesOut, error) {
	var out chargesOut
	if err := checkOrderID(in.OrderID); err != nil {
		return nil, out, err
	}
	err := c.bank.call(ctx, http.MethodGet, "/charges?order_id="+url.QueryEscape(in.OrderID), nil, &out)
	if err == nil && len(out.Charges) == 0 {
		return result.Empty("Nothing was charged for order "+in.OrderID+".", nil), out, nil
	}
	return nil, out, err
}
