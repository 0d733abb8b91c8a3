// Package foreign reads the result or the error with which any MCP server answers a tool call, and
// returns the failure in it as an envelope.
//
// [Failure] reads a result with isError: as an envelope (envelope.go), as an object that reports a
// failure (report.go), or as text (text.go). [Written] does the same without reading prose.
// [Success] reads a result without isError (success.go); [CallError] and [ProtocolError] read
// errors. [Rest] and [Beside] return the parts of a result that are not in its envelope or text. The
// names of members are those of package spelling, and what an object claims is read by package answers.
//
// Servers are not trusted. Except for the message, the package keeps no more of their members than
// an envelope may hold, and accepts permission to retry only if it applies to the whole call.
package foreign

import (
	"cmp"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/refusal"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// toolFailureKey is the key of _meta under which a proposal for MCP puts the failure's members.
const toolFailureKey = "io.modelcontextprotocol/toolFailure"

// Failure returns the failure of a result that has isError set, and reports whether its first text
// is just an envelope. A failure that is not understood keeps its text and has no category.
func Failure(res *mcp.CallToolResult) (e *toolerr.Error, envelope bool) {
	e, envelope = reader{prose: true}.failure(res)
	if !envelope || e.Effect == "" && e.Field == "" {
		readOutput(e)
	}
	return e, envelope
}

// Written returns the failure of a result with isError as its author wrote it, and reports whether
// the whole first text is an envelope. It reads only JSON: the first text, structured content, an
// envelope in a later text, or _meta. Prose becomes the message without being interpreted.
func Written(res *mcp.CallToolResult) (e *toolerr.Error, envelope bool) {
	e, envelope = reader{}.failure(res)
	text := FirstText(res)
	if _, isObject := Object(text); text != "" && !envelope && !isObject {
		e.Message = text
	}
	return e, envelope
}

// A reader reads the failure in a result.
type reader struct {
	prose bool // prose is read too
}

func (r reader) failure(res *mcp.CallToolResult) (e *toolerr.Error, envelope bool) {
	text := FirstText(res)
	if text == "" {
		return r.withoutText(res), false
	}
	if e, own := r.envelope(text); e != nil {
		return e, own
	}
	if e := r.whole(res, text); e != nil {
		return e, false
	}
	words := r.text(text)
	other := r.elsewhere(res, text)
	if other == nil {
		e := newError(words.Classification, text)
		if r.prose && e.Code != toolerr.CodeInternal {
			readRefusal(e, text)
		}
		return e, false
	}
	other.Retryable = other.Retryable && !words.Forbids // the object after a refusal may be an echo
	other.Message = cmp.Or(other.Message, text)
	return other, false
}

// readRefusal sets what an SDK's rejection of arguments states.
func readRefusal(e *toolerr.Error, text string) {
	if code, field, ok := refusal.Read(unframe(text)); ok {
		e.Category, e.Code, e.Field, e.Retryable = toolerr.CategoryValidation, code, field, false
	}
}

// readOutput corrects a failure whose message is about the output of a tool: it has done its work, and
// no argument is at fault.
func readOutput(e *toolerr.Error) {
	if refusal.IsOutput(unframe(e.Message)) {
		done := newError(classify.Internal(), "")
		e.Category, e.Code, e.Field, e.Retryable, e.Effect = done.Category, done.Code, "", false, cmp.Or(e.Effect, done.Effect)
	}
}

// withoutText reads a failure without any text.
func (r reader) withoutText(res *mcp.CallToolResult) *toolerr.Error {
	m, _ := structured(res)
	e := r.report(m)
	e.Message = cmp.Or(e.Message, "The tool failed without saying why.")
	return e
}

// whole reads a failure that is the whole first text, after known prefixes, or is in _meta. It
// returns nil if there is none.
func (r reader) whole(res *mcp.CallToolResult, text string) *toolerr.Error {
	inner := unframe(text)
	if e, _ := r.envelope(inner); e != nil {
		return e
	}
	if m, ok := res.Meta[toolFailureKey].(map[string]any); ok {
		e := r.report(m)
		e.Message = text
		return e
	}
	if m, ok := object(inner); ok {
		return r.report(m)
	}
	return nil
}

// elsewhere reads a failure in the structured content, or an envelope in a later text. It returns
// nil if there is neither.
func (r reader) elsewhere(res *mcp.CallToolResult, first string) *toolerr.Error {
	if m, ok := structured(res); ok {
		if e := r.report(m); e.Category != "" {
			return e
		}
	}
	for _, text := range Texts(res) {
		if text != first {
			if e, _ := r.envelope(text); e != nil {
				e.Retryable = e.Retryable && !r.prose // an argument may be echoed back
				if r.prose && e.Effect == toolerr.EffectNone {
					e.Effect = ""
				}
				return e
			}
		}
	}
	return nil
}

// structured returns the structured content of a result if it is an object. Of a typed tool, the
// SDK has already encoded it.
func structured(res *mcp.CallToolResult) (map[string]any, bool) {
	if raw, ok := res.StructuredContent.(json.RawMessage); ok {
		return jsonvalue.Object(string(raw))
	}
	m, ok := res.StructuredContent.(map[string]any)
	return m, ok
}

// maxObject is the maximum size, in bytes, of a text that is read as an object. A report has a few
// hundred bytes, and an envelope without results has at most 8 KiB.
const maxObject = 64 << 10

// object decodes text that is just a JSON object.
func object(text string) (map[string]any, bool) {
	if len(text) > maxObject {
		return nil, false
	}
	return jsonvalue.Object(text)
}

// FirstText returns the first nonempty text of a result.
func FirstText(res *mcp.CallToolResult) string {
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok && t != nil && t.Text != "" {
			return t.Text
		}
	}
	return ""
}

// Texts returns the nonempty texts of a result.
func Texts(res *mcp.CallToolResult) (texts []string) {
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok && t != nil && t.Text != "" {
			texts = append(texts, t.Text)
		}
	}
	return texts
}
