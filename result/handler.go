package result

import (
	"context"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/encodable"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// AddTool adds a typed tool to a server: it calls [mcp.AddTool] with [Handler]. It panics if
// mcp.AddTool does. If Out is a struct without fields, such as struct{}, the tool has no output
// schema, and its answer is the handler's result or the text "Done.": clients may take structured
// content {} for an empty answer.
func AddTool[In, Out any](server *mcp.Server, tool *mcp.Tool, h mcp.ToolHandlerFor[In, Out]) {
	handler := Handler(h)
	if out := reflect.TypeFor[Out](); tool.OutputSchema != nil || out.Kind() != reflect.Struct || out.NumField() > 0 {
		mcp.AddTool(server, tool, handler)
		return
	}
	mcp.AddTool(server, tool, func(
		ctx context.Context, req *mcp.CallToolRequest, in In,
	) (*mcp.CallToolResult, any, error) {
		res, _, err := handler(ctx, req, in)
		if res == nil && err == nil {
			res = OK(nil)
		}
		return res, nil, err
	})
}

// Handler wraps a typed handler and handles what [Middleware] would see too late:
//
//   - Nil slices and maps in the output are sent as [] and {}, not as null.
//   - A nil *[toolerr.Error] returned as an error is a success, and is logged.
//   - A result with IsError set becomes an error, so that the SDK does not overwrite its structured
//     content with the zero output.
//   - An error in an output of interface type is returned as the error. A tool's result or an [Outcome]
//     as the output is a failure, as is an output beside a result that contradicts it.
//   - No answer beside an error is sent: return what was done with the error, WithPartial.
//   - Without the middleware, an error is still sent as an envelope, and a WARN says what is missing.
//
// The returned handler is as safe for concurrent use as h.
func Handler[In, Out any](h mcp.ToolHandlerFor[In, Out]) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		outer := failure.CallOf(ctx)
		res, out, err := h(ctx, req, in)
		if isTypedNil(err) {
			outer.Classifier.Warn(ctx, req.Params.Name, adviceTypedNil)
			err = nil
		}
		if err == nil && res != nil && res.IsError {
			res, err = nil, failure.PackResult(ctx, res)
		}
		if err == nil {
			normal := encodable.Normalize(out)
			if err = contradiction(res, out, normal); err == nil {
				return res, normal, nil
			}
		}
		if outer.Context == nil {
			outer.Classifier.Warn(ctx, "", adviceAlone)
			err = failure.PackError(err, Failure) // which keeps a packed result
		}
		return res, out, err
	}
}

// isTypedNil reports whether err itself is a nil *toolerr.Error, which is no failure.
func isTypedNil(err error) bool {
	e, ok := err.(*toolerr.Error) //nolint:errorlint // the error itself
	return ok && e == nil
}
