package wrong

import (
	"context"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

func again(ctx context.Context, c *retry.Client) (result.Outcome, error) {
	return retry.Do(ctx, retry.Policy{}, func(ctx context.Context) (result.Outcome, error) {
		out, _ := c.CallTool(ctx, nil) // want `retried: `
		return out, out.AsError()
	})
}
