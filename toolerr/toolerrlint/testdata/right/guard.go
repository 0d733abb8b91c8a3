package right

import (
	"context"
	"net/http"

	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var (
	budget = &retry.Budget{}
	agent  = retry.Client{Policy: retry.Policy{Budget: budget}}
)

func chat(w http.ResponseWriter, r *http.Request) {
	p := retry.Policy{Guard: &retry.Guard{}}
	_, _ = retry.CallTool(r.Context(), p, nil, nil)
}

func forward(ctx context.Context, _ *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
	out, _ := agent.CallTool(ctx, nil)
	return nil, out.Text, nil
}
