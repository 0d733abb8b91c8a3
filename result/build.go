package result

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/encodable"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// kindKey marks an empty success in _meta, and data that looks like a failure, for
	// programs. Nothing depends on it alone, since hosts drop _meta.
	kindKey      = "io.github.mcp-toolerr/kind"
	nothingFound = "Nothing was found."
)

// OK returns a success with value: as text, and as structured content if it
// is a JSON object, since other clients take no other kind. A string is its own
// text; nil is "Done.". Nil slices and maps go out as [] and {}. A value that
// cannot be encoded makes an internal failure. Use it in raw handlers, and make a
// new one for each call: the SDK writes to results. A typed handler returns its
// value.
func OK(value any) *mcp.CallToolResult {
	if text, ok := value.(string); ok {
		return failure.TextResult(text)
	}
	if value == nil {
		return failure.TextResult("Done.")
	}
	raw, err := jsonvalue.Marshal(encodable.Normalize(value))
	if err != nil {
		return Failure(toolerr.Internal(err).WithMessage("The tool's answer could not be encoded."))
	}
	r := failure.TextResult(string(raw))
	if raw[0] == '{' {
		r.StructuredContent = json.RawMessage(raw)
	}
	return markData(r)
}

// Empty returns a success that found nothing: message says what was looked for;
// if empty, it is "Nothing was found.". In a raw handler value is the empty answer,
// an object such as {"orders": []}. In a typed handler it is nil and the answer is
// returned beside it:
//
//	return result.Empty("No orders for CUS-48291 in the last 90 days.", nil), Orders{}, nil
func Empty(message string, value any) *mcp.CallToolResult {
	if message == "" {
		message = nothingFound
	}
	r := failure.TextResult(message)
	r.Meta = mcp.Meta{kindKey: KindEmpty.String()}
	if value == nil {
		return r
	}
	raw, err := jsonvalue.Marshal(encodable.Normalize(value))
	if err != nil {
		return Failure(toolerr.Internal(err).WithMessage("The tool's answer could not be encoded."))
	}
	if raw[0] == '{' {
		r.StructuredContent = json.RawMessage(raw)
	}
	return r
}

// Failure returns err as a failed result, for raw handlers; a typed handler
// returns the error itself. Any error is turned into an envelope by
// [toolerr.From]. Failure(nil), and Failure of a nil *toolerr.Error, is an
// internal failure: never a success by accident. Make a new one for each call:
// the SDK writes to results.
func Failure(err error) *mcp.CallToolResult {
	e := toolerr.From(err)
	if e == nil {
		e, err = failure.ErrNoError, failure.ErrNoError
	}
	e = failure.Classified(e)
	r := failure.TextResult(string(e.AppendJSON(nil)))
	failure.Record(r, err, nil) // for middleware, which has its author's rules
	return r
}
