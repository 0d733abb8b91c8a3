package wrong

import (
	"context"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type order struct {
	ID  string `json:"id"`
	Key string `json:"idempotency_key,omitempty"`
}

type lookup struct {
	Key string `json:"idempotency_key"`
}

func place(context.Context, *mcp.CallToolRequest, order) (*mcp.CallToolResult, any, error) {
	return nil, nil, nil
}

func find(context.Context, *mcp.CallToolRequest, lookup) (*mcp.CallToolResult, any, error) {
	return nil, nil, nil
}

func keyed(s *mcp.Server) {
	result.AddTool(s, &mcp.Tool{Name: "place"}, place)                                             // want `key: `
	mcp.AddTool(s, &mcp.Tool{Name: "put", Annotations: &mcp.ToolAnnotations{Title: "Put"}}, place) // want `key: `
	result.AddTool(s, &mcp.Tool{Name: "find"}, find)
}
