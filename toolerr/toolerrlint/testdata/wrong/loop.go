package wrong

import (
	"context"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func again3(ctx context.Context, c *retry.Client, params *mcp.CallToolParams) (out result.Outcome) {
	for range 3 {
		out, _ := c.CallTool(ctx, params) // want `loop: `
		if out.Err == nil {
			return out
		}
	}
	for i := 0; i < 3; i++ {
		out, _ = retry.CallTool(ctx, retry.Policy{}, nil, &mcp.CallToolParams{Name: "a"}) // want `loop: `
		if out.Err == nil {
			break
		}
	}
	return out
}
