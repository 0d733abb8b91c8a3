package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// newToolerr returns a server on the go-sdk with toolerr-go: one middleware, result.AddTool for
// typed tools, and the author's messages if any.
func newToolerr(d *desk, opts *result.MiddlewareOptions) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "v1.0.0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(opts))
	result.AddTool(server, searchTool(),
		func(ctx context.Context, _ *mcp.CallToolRequest, in searchIn) (*mcp.CallToolResult, searchOut, error) {
			out, err := d.search(ctx, in)
			if err == nil && len(out.Orders) == 0 {
				return result.Empty(fmt.Sprintf("No %s orders of customer %s.", in.Status, in.Customer), nil), out, nil
			}
			return nil, out, err
		})
	result.AddTool(server, refundTool(),
		func(ctx context.Context, _ *mcp.CallToolRequest, in refundIn) (*mcp.CallToolResult, refundOut, error) {
			out, err := d.refund(ctx, in)
			if limit := (*limitError)(nil); errors.As(err, &limit) {
				err = toolerr.LimitExceeded(
					fmt.Sprintf("A refund of $%.2f exceeds the limit of $%.2f.", limit.Amount, limit.Limit),
					"A colleague has to approve this refund.").WithHint("Relay customerMessage, then hand over to a person.")
			}
			return nil, out, err
		})
	result.AddTool(server, invoiceTool(), worded(d.invoice, "The ledger did not answer."))
	result.AddTool(server, parcelTool(), worded(d.parcel, "The carrier did not say where the parcel is."))
	result.AddTool(server, courierTool(), worded(d.courier, "The carrier did not confirm the booking."))
	result.AddTool(server, noteTool(), plain(d.note))
	result.AddTool(server, labelTool(), plain(d.label))
	server.AddTool(reportTool(), nothing)
	return server
}

func worded[In, Out any](do func(context.Context, In) (Out, error), words string) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		out, err := do(ctx, in)
		if err != nil {
			return nil, out, toolerr.Wrap(err, words)
		}
		return nil, out, nil
	}
}
