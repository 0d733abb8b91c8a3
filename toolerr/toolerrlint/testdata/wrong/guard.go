package wrong

import (
	"context"
	"net/http"

	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var (
	stops = &retry.Guard{}
	agent = retry.Client{Policy: retry.Policy{Guard: stops}}
)

func chat(w http.ResponseWriter, r *http.Request) {
	p := retry.Policy{Guard: stops} // want `guard: `
	_, _ = retry.CallTool(r.Context(), p, nil, nil)
}

func forward(ctx context.Context, _ *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
	out, _ := agent.CallTool(ctx, nil) // want `guard: `
	return nil, out.Text, nil
}
