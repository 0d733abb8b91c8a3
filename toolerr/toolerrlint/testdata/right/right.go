// Package right has the twin of each mistake.
package right

import (
	"context"
	"net/http"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func middleware(s *mcp.Server, auth mcp.Middleware) {
	s.AddReceivingMiddleware(result.Middleware(nil), auth)
	s.AddSendingMiddleware(auth)
}

func data(name string) {
	result.OK(name)
	result.OK(map[string]any{"name": name})
}

func constructors(e *toolerr.Error) (toolerr.Error, bool, error) {
	e = e.WithHint("Ask.")
	_ = toolerr.FailedPrecondition("No.", "do_x")
	_ = toolerr.RateLimited("Slow down.", 30*time.Second)
	_ = retry.Policy{MaxWait: time.Minute, AttemptTimeout: 0}
	return toolerr.Error{Category: "transient"}, e.Category == "of_another_server", nil
}

func outcome(out result.Outcome) error {
	if out.Err != nil {
		return out.Err
	}
	if out.Err == nil {
		return nil
	}
	return out.Err
}

func response(resp *http.Response) error {
	if failure := toolerr.FromResponse(resp); failure != nil {
		return failure
	}
	return nil
}

func again(ctx context.Context, s retry.Session, c *retry.Client) (result.Outcome, error) {
	out, _ := c.CallTool(ctx, nil)
	return retry.Do(ctx, retry.Policy{}, func(ctx context.Context) (result.Outcome, error) {
		again := result.Parse(s.CallTool(ctx, nil))
		return out, again.AsError()
	})
}
