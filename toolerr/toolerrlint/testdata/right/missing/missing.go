package main

import (
	"context"
	"log"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	s := mcp.NewServer(&mcp.Implementation{Name: "orders"}, nil)
	s.AddReceivingMiddleware(result.Middleware(nil))
	mcp.AddTool(s, &mcp.Tool{Name: "find"}, find)
	log.Fatal(s.Run(context.Background(), &mcp.StdioTransport{}))
}

func find(_ context.Context, _ *mcp.CallToolRequest, name string) (*mcp.CallToolResult, any, error) {
	return nil, nil, toolerr.NotFound("order", name)
}
