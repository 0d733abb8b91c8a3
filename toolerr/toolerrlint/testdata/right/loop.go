package right

import (
	"context"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func again3(ctx context.Context, c *retry.Client, params *mcp.CallToolParams) (out result.Outcome) {
	for range 3 {
		out, d := c.CallTool(ctx, params)
		if out.Err == nil {
			return out
		}
		if d.Action == retry.ActionFixInput {
			params.Arguments = nil
		}
	}
	for _, name := range []string{"a", "b"} {
		out, _ = c.CallTool(ctx, &mcp.CallToolParams{Name: name})
		if out.Err == nil {
			break
		}
	}
	for i := 0; i < 3; i++ {
		out, _ = c.CallTool(ctx, &mcp.CallToolParams{Arguments: i})
		if out.Err == nil {
			break
		}
	}
	out, _ = c.CallTool(ctx, params)
	return out
}
