// Sdk is a server with one tool, on the SDK alone.
package main

import (
	"context"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type input struct {
	Order string `json:"order"`
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "sizes", Version: "v1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "refund"},
		func(context.Context, *mcp.CallToolRequest, input) (*mcp.CallToolResult, any, error) {
			return nil, nil, context.DeadlineExceeded
		})
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		slog.Error(err.Error())
	}
}
