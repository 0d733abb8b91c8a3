package right

import (
	"context"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

func again(ctx context.Context, s retry.Session, c *retry.Client) (result.Outcome, error) {
	out, _ := c.CallTool(ctx, nil)
	return retry.Do(ctx, retry.Policy{}, func(ctx context.Context) (result.Outcome, error) {
		again := result.Parse(s.CallTool(ctx, nil))
		return out, again.AsError()
	})
}
