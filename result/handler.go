package result

import (
	"context"
	"reflect"

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
//
// It is as safe for concurrent use as h.
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
			return nil, out, newResultError(ctx, res)
		}
		return res, mendOut(out), nil
	}
}

// mendOut is mend for an output. A nil pointer goes out as what it would point
// to, as the SDK has it.
func mendOut[Out any](out Out) Out {
	if t := reflect.TypeFor[Out](); t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct && reflect.ValueOf(out).IsNil() {
		if zero, ok := reflect.TypeAssert[Out](reflect.New(t.Elem())); ok {
			out = zero
		}
	}
	if mended, ok := mend(out).(Out); ok {
		return mended
	}
	return out
}

// A resultError is a failed result as an error. Its text is the envelope,
// because that is what the SDK puts on the wire where no [Middleware] does better.
type resultError struct {
	res  *mcp.CallToolResult
	err  *toolerr.Error
	text string
}

func newResultError(ctx context.Context, res *mcp.CallToolResult) error {
	e, cause := new(MiddlewareOptions).describe(ctx, res, nil)
	return &resultError{res: res, err: e.WithCause(cause), text: string(e.AppendJSON(nil))}
}

func (e *resultError) Error() string { return e.text }
func (e *resultError) Unwrap() error { return e.err }

// handlerResult returns the result that a [Handler] has made an error of, or nil:
// the SDK puts a typed handler's error in a result.
func handlerResult(ctr *mcp.CallToolResult, err error) *mcp.CallToolResult {
	if err == nil && ctr != nil {
		err = ctr.GetError()
	}
	if e, ok := err.(*resultError); ok && e != nil { //nolint:errorlint // as it was returned
		return e.res
	}
	return nil
}
