package right

import (
	"context"
	"errors"
	"net/http"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func outcome(out result.Outcome) error {
	if out.Kind == result.KindFailure {
		return out.Err
	}
	return out.AsError()
}

func assigned(ctx context.Context, c *retry.Client) error {
	var last error
	for _, name := range []string{"a", "b"} {
		out, _ := c.CallTool(ctx, &mcp.CallToolParams{Name: name})
		if out.Err == nil {
			return nil
		}
		last = out.Err
	}
	return last
}

func last(ctx context.Context, s retry.Session) error {
	var failure *toolerr.Error
	for range 3 {
		out := result.Parse(s.CallTool(ctx, nil))
		if failure = out.Err; failure == nil {
			return nil
		} else if !failure.Retryable {
			break
		}
	}
	return failure
}

type finder struct{ out result.Outcome }

func (a *finder) lost() error {
	if a.out = result.Parse(nil, nil); a.out.SessionLost {
		return a.out.Err
	}
	return nil
}

func response(resp *http.Response) error {
	if failure := toolerr.FromResponse(resp); failure != nil {
		return failure.WithHint("Ask.")
	}
	if resp.StatusCode >= 300 {
		return toolerr.FromResponse(resp)
	}
	return nil
}

func from(url string) (int, error) {
	resp, err := http.Get(url)
	if err != nil {
		return 0, toolerr.From(err)
	}
	return resp.StatusCode, toolerr.From(errors.New("no orders"))
}

func onOnePath(name string) error {
	var failure *toolerr.Error
	switch name {
	case "":
		failure = toolerr.Validation("A name is needed.")
	default:
		failure = toolerr.NotFound("order", name)
	}
	return failure.WithHint("Ask.")
}

func check(name string) (int, *toolerr.Error) {
	if name == "" {
		return 0, toolerr.Validation("A name is needed.")
	}
	return len(name), nil
}

func checked(name string) error {
	if _, err := check(name); err != nil {
		return err
	}
	if name == "" {
		_, err := check(name)
		return err
	}
	var found *toolerr.Error
	if errors.As(fail(name), &found) {
		return found
	}
	return nil
}

// classify returns nil for nil alone.
func classify(err error) *toolerr.Error {
	if err == nil {
		return nil
	}
	return toolerr.From(err)
}

func fail(name string) error { return classify(errors.New(name)) }
