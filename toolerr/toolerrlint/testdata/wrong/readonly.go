package wrong

import (
	"context"
	"net/http"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func search(s *mcp.Server) {
	result.AddTool(s, &mcp.Tool{Name: "search", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, post)
	result.AddTool(s, &mcp.Tool{Name: "order", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, create)
	result.AddTool(s, &mcp.Tool{Name: "remove", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, remove)
}

func post(ctx context.Context, _ *mcp.CallToolRequest, q string) (*mcp.CallToolResult, any, error) {
	_, err := http.NewRequestWithContext(ctx, http.MethodPost, "/search", strings.NewReader(q))
	return nil, nil, err
}

func remove(ctx context.Context, _ *mcp.CallToolRequest, id string) (*mcp.CallToolResult, any, error) {
	_, err := http.NewRequestWithContext(ctx, http.MethodDelete, "/orders/"+id, nil) // want `readonly: `
	return nil, nil, err
}

func create(_ context.Context, _ *mcp.CallToolRequest, q string) (*mcp.CallToolResult, any, error) {
	resp, err := http.Post("/orders", "text/plain", strings.NewReader(q)) // want `readonly: `
	if err == nil && resp.StatusCode == http.StatusCreated {
		return nil, resp.Header.Get("Location"), nil
	}
	return nil, nil, err
}
