package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newByHand returns a server on the go-sdk with error objects, as guides recommend: in
// structuredContent, and as JSON in the text, for clients that read only the text. The output type
// is any, with the schema set separately, because the SDK would overwrite the structured content
// with a typed handler's output.
func newByHand(d *desk) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "v1.0.0"}, nil)
	addBeside(server, searchTool(), d.search)
	addBeside(server, invoiceTool(), d.invoice)
	addBeside(server, parcelTool(), d.parcel)
	addBeside(server, courierTool(), d.courier)
	addBeside(server, refundTool(), d.refund)
	addBeside(server, noteTool(), d.note)
	addBeside(server, labelTool(), d.label)
	server.AddTool(reportTool(), nothing)
	return server
}

func addBeside[In, Out any](server *mcp.Server, tool *mcp.Tool, do func(context.Context, In) (Out, error)) {
	tool.OutputSchema = schemaOf[Out]()
	mcp.AddTool(server, tool, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		out, err := do(ctx, in)
		if err != nil {
			f := failureOf(err)
			return &mcp.CallToolResult{
				IsError:           true,
				Content:           []mcp.Content{&mcp.TextContent{Text: f.text()}},
				StructuredContent: f,
			}, nil, nil
		}
		return nil, out, nil
	})
}
