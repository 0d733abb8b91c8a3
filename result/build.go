package result

import (
	"cmp"
	"encoding/json"
	"maps"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/encodable"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// kindKey is the key in _meta that marks empty successes, and data that looks like a partial
	// result. Hosts may drop _meta.
	kindKey      = "io.github.mcp-toolerr/kind"
	nothingFound = "Nothing was found."
)

// OK returns a success with value as text, and also as structured content if it is a JSON object,
// the only kind that all clients accept. The text for a string is the string itself, and for nil
// "Done.". Nil slices and maps are sent as [] and {}. An error is not a success: OK passes it to
// [Failure]. If value is a tool's result or an [Outcome], or cannot be encoded, OK returns
// an internal failure. A text that looks like an envelope is marked as data. Use OK in raw handlers;
// a typed handler returns its value. Create a new result for each call, because the SDK writes to
// results.
func OK(value any) *mcp.CallToolResult {
	switch value := value.(type) {
	case nil:
		return failure.TextResult("Done.")
	case string:
		return markData(failure.TextResult(value), nil)
	}
	return markData(success("", value), nil)
}

// success returns a value that is no text, with its JSON as the text if there is none, or a failure
// if it is not data or cannot be encoded.
func success(text string, value any) *mcp.CallToolResult {
	if err := notData(value); err != nil {
		return Failure(err)
	}
	raw, err := jsonvalue.Marshal(encodable.Normalize(value))
	if err != nil {
		return Failure(toolerr.Internal(err).WithMessage("The tool's answer could not be encoded."))
	}
	r := failure.TextResult(cmp.Or(text, string(raw)))
	if raw[0] == '{' {
		r.StructuredContent = json.RawMessage(raw)
	}
	return r
}

// Empty returns a success that found nothing. Message says what was looked for; if it is empty, the
// text is "Nothing was found.". In a raw handler, value is the empty result, an object such as
// {"orders": []}. In a typed handler, value is nil, and the empty result is returned separately:
//
//	return result.Empty("No orders for CUS-48291 in the last 90 days.", nil), Orders{}, nil
func Empty(message string, value any) *mcp.CallToolResult {
	r := success(cmp.Or(message, nothingFound), value)
	if !r.IsError {
		r.Meta = mcp.Meta{kindKey: KindEmpty.String()}
	}
	return r
}

// Failure returns err as a failed result, for raw handlers; a typed handler returns the error
// itself. [toolerr.From] turns the error into an envelope for a tool without annotations;
// [Middleware] replaces it with one for the actual tool. For nil, or a nil *toolerr.Error, Failure
// returns an internal failure. Create a new result for each call.
func Failure(err error) *mcp.CallToolResult {
	e := toolerr.From(err)
	if e == nil {
		e, err = failure.ErrNoError, failure.ErrNoError
	}
	e = failure.OrInternal(e).Resolve(toolerr.ToolAnnotations{})
	r := failure.TextResult(string(e.AppendJSON(nil)))
	failure.Attach(r, err, nil) // for the middleware, which has the author's rules
	return r
}

// markData returns res, marked in _meta as data if a client could mistake it for a partial result,
// for example a record with an error. If a client would read res as a failure, markData only calls
// warn. Warn is nil if the author calls res a success: then an envelope, such as that in a log file,
// is data too.
func markData(res *mcp.CallToolResult, warn func()) *mcp.CallToolResult {
	if res.IsError || res.Meta[kindKey] != nil {
		return res
	}
	switch e, _ := foreign.Success(res); {
	case e != nil && e.Partial == nil && warn != nil:
		warn()
		return res
	case e == nil, e.Partial == nil &&
		!strings.Contains(strings.ReplaceAll(foreign.FirstText(res), " ", ""), `"isError":true`):
		return res
	}
	marked := *res // res may be shared by calls
	marked.Meta = mcp.Meta{}
	maps.Copy(marked.Meta, res.Meta)
	marked.Meta[kindKey] = KindData.String()
	return &marked
}
