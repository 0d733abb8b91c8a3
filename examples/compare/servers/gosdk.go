package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newGoSDK returns a server on the official SDK, as its documentation shows: handlers return Go
// errors, and the SDK turns them into results. The SDK has no option to recover from panics.
func newGoSDK(d *desk) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "v1.0.0"}, nil)
	mcp.AddTool(server, searchTool(), plain(d.search))
	mcp.AddTool(server, invoiceTool(), plain(d.invoice))
	mcp.AddTool(server, parcelTool(), plain(d.parcel))
	mcp.AddTool(server, courierTool(), plain(d.courier))
	mcp.AddTool(server, refundTool(), plain(d.refund))
	mcp.AddTool(server, noteTool(), plain(d.note))
	mcp.AddTool(server, labelTool(), plain(d.label))
	server.AddTool(reportTool(), nothing)
	return server
}

func plain[In, Out any](do func(context.Context, In) (Out, error)) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		out, err := do(ctx, in)
		return nil, out, err
	}
}

// nothing is a raw handler with a bug: it returns no result. The SDK then panics if the client's
// protocol version is 2026-07-28 or newer, and answers null to older clients.
func nothing(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return nil, nil
}
