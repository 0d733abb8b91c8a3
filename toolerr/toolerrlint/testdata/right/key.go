package right

import (
	"context"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
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
	idempotency.AddTool(s, &mcp.Tool{Name: "place"}, nil, place)
	mcp.AddTool(s, &mcp.Tool{Name: "put"}, idempotency.Handler(nil, place))
	mcp.AddTool(s, &mcp.Tool{Name: "set", Annotations: &mcp.ToolAnnotations{IdempotentHint: true}}, place)
	once := idempotency.Handler(nil, place)
	result.AddTool(s, &mcp.Tool{Name: "make"}, once)
	result.AddTool(s, &mcp.Tool{Name: "find"}, find)
}
