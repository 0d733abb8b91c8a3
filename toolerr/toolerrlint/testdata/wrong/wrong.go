// Package wrong has each mistake once.
package wrong

import (
	"context"
	"net/http"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func middleware(s *mcp.Server, auth mcp.Middleware) {
	s.AddReceivingMiddleware(auth, result.Middleware(nil)) // want `outermost: `
	s.AddSendingMiddleware(result.Middleware(nil))         // want `sending: `
}

func data(err error) {
	result.OK(err.Error())                // want `data: a failure`
	result.OK(map[string]any{"err": err}) // want `data: an error in a map`
}

func constructors(e *toolerr.Error) (toolerr.Error, bool, error) {
	e.WithHint("Ask.")                                                   // want `dropped: Error.WithHint`
	_ = toolerr.FailedPrecondition("No.", "Do x first.")                 // want `precondition: `
	_ = toolerr.RateLimited("Slow down.", 30)                            // want `duration: `
	_ = retry.Policy{MaxWait: 60, AttemptTimeout: 30}                    // want `duration: ` `duration: `
	return toolerr.Error{Category: "Transient"}, e.Effect == "None", nil // want `word: no Category` `word: no Effect`
}

func outcome(out result.Outcome) error {
	return out.Err // want `nil: Outcome.Err`
}

func response(resp *http.Response) error {
	return toolerr.FromResponse(resp) // want `nil: the result of FromResponse`
}

func again(ctx context.Context, c *retry.Client) (result.Outcome, error) {
	return retry.Do(ctx, retry.Policy{}, func(ctx context.Context) (result.Outcome, error) {
		out, _ := c.CallTool(ctx, nil) // want `retried: `
		return out, out.AsError()
	})
}
