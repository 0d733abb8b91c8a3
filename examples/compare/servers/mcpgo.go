package main

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// newMCPGo returns a server on mcp-go with all its safeguards: it recovers from panics, and
// validates arguments and outputs. NewStructuredToolHandler turns an error into a result with
// NewToolResultError.
func newMCPGo(d *desk) *server.MCPServer {
	s := server.NewMCPServer("desk", "v1.0.0",
		server.WithToolCapabilities(false),
		server.WithRecovery(),
		server.WithInputSchemaValidation(),
		server.WithOutputSchemaValidation(),
	)
	s.AddTool(mcp.NewTool("search_orders",
		mcp.WithDescription("Find a customer's orders."),
		mcp.WithString("customer", mcp.Required(), mcp.Description("the customer's number")),
		mcp.WithString("status", mcp.Required(), mcp.Description("which orders"), mcp.Enum(statuses...)),
		mcp.WithOutputSchema[searchOut](),
		mcp.WithReadOnlyHintAnnotation(true),
	), structured(d.search))
	s.AddTool(mcp.NewTool("read_invoice",
		mcp.WithDescription("Read an order's invoice."),
		mcp.WithInputSchema[orderIn](),
		mcp.WithOutputSchema[invoiceOut](),
		mcp.WithReadOnlyHintAnnotation(true),
	), structured(d.invoice))
	s.AddTool(mcp.NewTool("track_parcel",
		mcp.WithDescription("Say where an order's parcel is."),
		mcp.WithInputSchema[orderIn](),
		mcp.WithOutputSchema[parcelOut](),
		mcp.WithReadOnlyHintAnnotation(true),
	), structured(d.parcel))
	s.AddTool(mcp.NewTool("book_courier",
		mcp.WithDescription("Book a courier for an order."),
		mcp.WithInputSchema[orderIn](),
		mcp.WithOutputSchema[courierOut](),
		mcp.WithDestructiveHintAnnotation(false),
	), structured(d.courier))
	s.AddTool(mcp.NewTool("refund",
		mcp.WithDescription("Refund an amount of an order."),
		mcp.WithInputSchema[refundIn](),
		mcp.WithOutputSchema[refundOut](),
		mcp.WithDestructiveHintAnnotation(false),
	), structured(d.refund))
	s.AddTool(mcp.NewTool("add_note",
		mcp.WithDescription("Add a note to an order."),
		mcp.WithInputSchema[orderIn](),
		mcp.WithOutputSchema[noteOut](),
		mcp.WithDestructiveHintAnnotation(false),
	), structured(d.note))
	s.AddTool(mcp.NewTool("print_label",
		mcp.WithDescription("Print an order's label."),
		mcp.WithInputSchema[orderIn](),
		mcp.WithOutputSchema[labelOut](),
		mcp.WithReadOnlyHintAnnotation(true),
	), structured(d.label))
	s.AddTool(mcp.NewTool("day_report",
		mcp.WithDescription("Report on the day."),
		mcp.WithReadOnlyHintAnnotation(true),
	), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
	return s
}

func structured[In, Out any](do func(context.Context, In) (Out, error)) server.ToolHandlerFunc {
	return mcp.NewStructuredToolHandler(func(
		ctx context.Context, _ mcp.CallToolRequest, in In,
	) (Out, error) {
		return do(ctx, in)
	})
}
