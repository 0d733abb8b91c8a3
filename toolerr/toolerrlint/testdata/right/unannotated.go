package right

import (
	"context"
	"io"
	"net/http"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var calls int

func list(ctx context.Context, _ *mcp.CallToolRequest, name string) (*mcp.CallToolResult, string, error) {
	resp, err := http.Get("/" + name)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return nil, string(body), err
}

func lists(s *mcp.Server, save func(string) error) {
	result.AddTool(s, &mcp.Tool{Name: "list", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, list)
	result.AddTool(s, &mcp.Tool{Name: "counted"},
		func(ctx context.Context, r *mcp.CallToolRequest, name string) (*mcp.CallToolResult, any, error) {
			_, err := http.Get("/" + name)
			calls++
			return nil, nil, err
		})
	result.AddTool(s, &mcp.Tool{Name: "saved"},
		func(ctx context.Context, r *mcp.CallToolRequest, name string) (*mcp.CallToolResult, any, error) {
			_, err := http.Get("/" + name)
			return nil, save(name), err
		})
}
