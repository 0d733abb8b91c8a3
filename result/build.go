package result

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// kindKey marks an empty success in _meta, for programs. Nothing depends on
	// it alone, since hosts drop _meta.
	kindKey      = "io.github.mcp-toolerr/kind"
	nothingFound = "Nothing was found."
)

// complete has the resultType that protocol version 2026-07-28 requires of a
// result. The SDK sets it on what a handler returns, not on what middleware
// makes, and the field is not exported; decoding is the way to it, and copying
// the decoded struct costs a hundredth of decoding again. Older clients ignore
// it.
var complete = sync.OnceValue(func() mcp.CallToolResult {
	var r mcp.CallToolResult
	if err := json.Unmarshal([]byte(`{"resultType":"complete","content":[]}`), &r); err != nil {
		panic("result: the SDK does not decode a complete result: " + err.Error())
	}
	return r
})

// OK returns a success with value: as text, and as structured content where it
// is a JSON object, since other clients take no other kind. A string is its own
// text; nil is "Done.". Nil slices and maps go out as [] and {}. A value that
// cannot be encoded makes an internal failure. Use it in raw handlers, and make a
// new one for each call: the SDK writes to results. A typed handler returns its
// value.
func OK(value any) *mcp.CallToolResult {
	if text, ok := value.(string); ok {
		return textResult(text)
	}
	if value == nil {
		return textResult("Done.")
	}
	raw, err := marshal(mend(value))
	if err != nil {
		return Failure(toolerr.Wrap(err, "The tool's answer could not be encoded."))
	}
	r := textResult(string(raw))
	if raw[0] == '{' {
		r.StructuredContent = json.RawMessage(raw)
	}
	return r
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
	r := textResult(message)
	r.Meta = mcp.Meta{kindKey: KindEmpty.String()}
	if value == nil {
		return r
	}
	raw, err := marshal(mend(value))
	if err != nil {
		return Failure(toolerr.Wrap(err, "The tool's answer could not be encoded."))
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
		e = toolerr.From(errNoError)
		err = errNoError
	}
	r := textResult(string(e.AppendJSON(nil)))
	r.SetError(err) // leaves content that is there alone; kept for middleware
	return r
}

func textResult(text string) *mcp.CallToolResult {
	r := complete()
	r.Content = []mcp.Content{&mcp.TextContent{Text: text}}
	return &r
}

var errNoError = toolerr.Transient("The tool reported a failure without an error.").
	WithCode(toolerr.CodeInternal).WithRetryable(false)

// marshal is [json.Marshal] without HTML escaping.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
