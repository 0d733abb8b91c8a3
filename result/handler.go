package result

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Handler wraps a typed handler to mend what [Middleware] sees too late:
//
//   - Nil slices and maps in the output go out as [] and {}, never as null.
//   - A nil *toolerr.Error returned as an error is a success.
//   - A result with IsError set becomes an error, so that the SDK neither
//     overwrites its structured content with the zero output nor turns it into a
//     protocol error where that breaks the output schema.
//
// Wrap every typed handler in it:
//
//	mcp.AddTool(server, &mcp.Tool{Name: "lookup_order"}, result.Handler(lookupOrder))
func Handler[In, Out any](h mcp.ToolHandlerFor[In, Out]) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		res, out, err := h(ctx, req, in)
		if e, ok := err.(*toolerr.Error); ok && e == nil { //nolint:errorlint // a bare nil pointer is no failure; a wrapped one is
			err = nil
		}
		switch {
		case err != nil:
			return res, out, err
		case res != nil && res.IsError:
			return nil, out, newResultError(res)
		}
		if mended, ok := mend(out).(Out); ok {
			out = mended
		}
		return res, out, nil
	}
}

// A resultError is a failed result as an error. Its text is the result's own
// text, because that is what the SDK puts on the wire where no [Middleware] does
// better.
type resultError struct {
	err  *toolerr.Error
	text string
}

func newResultError(res *mcp.CallToolResult) error {
	e := readFailure(res)
	if cause := res.GetError(); cause != nil {
		e = e.WithCause(cause)
	}
	text := e.Error()
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok && t.Text != "" {
			text = t.Text
			break
		}
	}
	return &resultError{err: e, text: text}
}

func (e *resultError) Error() string { return e.text }
func (e *resultError) Unwrap() error { return e.err }
