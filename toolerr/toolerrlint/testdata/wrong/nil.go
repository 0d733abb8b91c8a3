package wrong

import (
	"context"
	"net/http"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func outcome(out result.Outcome) error {
	return out.Err // want `nil: Outcome.Err`
}

func assigned(ctx context.Context, c *retry.Client) error {
	var last error
	for range []string{"a", "b"} {
		out, _ := c.CallTool(ctx, nil)
		last = out.Err // want `nil: Outcome.Err`
	}
	return last
}

func response(resp *http.Response) error {
	return toolerr.FromResponse(resp).WithHint("Ask.") // want `nil: `
}

func from(url string) (int, error) {
	resp, err := http.Get(url)
	return resp.StatusCode, toolerr.From(err) // want `nil: `
}

func onOnePath(name string) error {
	var failure *toolerr.Error
	if name == "" {
		failure = toolerr.Validation("A name is needed.")
	}
	return failure // want `nil: `
}

func compared(name string) bool {
	var err error = failure(name)
	return err == nil // want `nil: `
}

func failure(name string) *toolerr.Error {
	if name == "" {
		return toolerr.Validation("A name is needed.")
	}
	return nil
}

func check(name string) (int, *toolerr.Error) {
	if name == "" {
		return 0, toolerr.Validation("A name is needed.")
	}
	return len(name), nil
}

func checked(name string) error {
	_, err := check(name)
	return err // want `nil: `
}
