package main

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newGuarded returns newByHand's server with two corrections: the failure is a member of the
// output, so it matches the schema, and panics are recovered.
func newGuarded(d *desk) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "v1.0.0"}, nil)
	mcp.AddTool(server, searchTool(), within(d.search))
	mcp.AddTool(server, invoiceTool(), within(d.invoice))
	mcp.AddTool(server, parcelTool(), within(d.parcel))
	mcp.AddTool(server, courierTool(), within(d.courier))
	mcp.AddTool(server, refundTool(), within(d.refund))
	mcp.AddTool(server, noteTool(), within(d.note))
	mcp.AddTool(server, labelTool(), within(d.label))
	server.AddTool(reportTool(), nothing)
	return server
}

// An either is the output of a tool: data or a failure.
type either[Out any] struct {
	Data  *Out     `json:"data,omitempty"`
	Error *failure `json:"error,omitempty"`
}

var errPanic = errors.New("the handler panicked")

func within[In, Out any](do func(context.Context, In) (Out, error)) mcp.ToolHandlerFor[In, either[Out]] {
	recovered := func(ctx context.Context, in In) (out Out, err error) {
		defer func() {
			if recover() != nil {
				err = errPanic
			}
		}()
		return do(ctx, in)
	}
	return func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, either[Out], error) {
		out, err := recovered(ctx, in)
		if err != nil {
			f := failureOf(err)
			res := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: f.text()}}}
			return res, either[Out]{Error: &f}, nil
		}
		return nil, either[Out]{Data: &out}, nil
	}
}
