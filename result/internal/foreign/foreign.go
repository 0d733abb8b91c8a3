// Package foreign reads the answer of any MCP server to a tool call, a result or an error,
// and returns the failure in it as an envelope.
//
// [Failure] reads a result with isError: first as an envelope (foreign.go, spelling.go),
// then as an object that reports a failure (report.go, members.go), then as text (text.go,
// embedded.go), which [classify.Text] interprets. [Success] reads a result without isError,
// [CallError] and [ProtocolError] read errors, and [Text] reads plain text. [Rest] and
// [Further] return the parts of a result that are not in its envelope.
//
// Servers are not trusted. Only a fixed length of their text is read, at most as much of
// their members is kept as an envelope may hold, and permission to retry is accepted only
// if it applies to the whole call.
package foreign

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// toolFailureKey is the key of _meta under which a proposal for MCP puts the failure's
// members.
const toolFailureKey = "io.modelcontextprotocol/toolFailure"

// Failure returns the failure of a result that has isError set, and reports whether its
// first text is an envelope as a whole. A failure that is not understood keeps its text and
// has no category.
func Failure(res *mcp.CallToolResult) (e *toolerr.Error, envelope bool) {
	text := FirstText(res)
	if text == "" {
		return readWithoutText(res), false
	}
	if e := readEnvelope(text); e != nil {
		return withWords(e), true
	}
	if e := readWhole(res, text); e != nil {
		return e, false
	}
	words := readText(text)
	other := readOther(res, text)
	if other == nil {
		return newError(words.Classification, text), false
	}
	if words.Forbids {
		other.Retryable = false // the object after a refusal may be an echo
	}
	return other, false
}

// readWithoutText reads a failure without any text.
func readWithoutText(res *mcp.CallToolResult) *toolerr.Error {
	e := new(toolerr.Error)
	if m, ok := structured(res); ok {
		e = readReport(m, true)
	}
	if e.Message == "" {
		e.Message = "The tool failed without saying why."
	}
	return e
}

// structured returns the structured content of a result if it is an object. On the server's
// side, the SDK has already encoded it.
func structured(res *mcp.CallToolResult) (map[string]any, bool) {
	if raw, ok := res.StructuredContent.(json.RawMessage); ok {
		return jsonvalue.Object(string(raw))
	}
	m, ok := res.StructuredContent.(map[string]any)
	return m, ok
}

// readWhole reads a failure that is the whole first text, or is in _meta. It returns nil if
// there is none.
func readWhole(res *mcp.CallToolResult, text string) *toolerr.Error {
	unframed := unframe(text)
	if e := readEnvelope(unframed); e != nil {
		return withWords(e)
	}
	if m, ok := res.Meta[toolFailureKey].(map[string]any); ok {
		e := readReport(m, true)
		e.Message = text
		return e
	}
	if m, ok := object(unframed); ok {
		return readReport(m, true)
	}
	return nil
}

// readOther reads a failure in the structured content or in a later text. It returns nil
// if there is none.
func readOther(res *mcp.CallToolResult, first string) *toolerr.Error {
	if m, ok := structured(res); ok {
		if e := readReport(m, true); e.Category != "" {
			return e
		}
	}
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok && t != nil && t.Text != first {
			if e := readEnvelope(t.Text); e != nil {
				return e
			}
		}
	}
	return nil
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

// readEnvelope reads text that is an envelope as a whole: a JSON object with an errorCategory,
// or one that begins as ours do. It returns nil for other text.
func readEnvelope(text string) *toolerr.Error {
	const ours, unclassified = `{"isError":true,"errorCategory":"`, `{"isError":true,"isRetryable":`
	if !strings.HasPrefix(text, ours) && !strings.HasPrefix(text, unclassified) {
		if !strings.Contains(text, `"errorCategory"`) {
			return nil
		}
		m, _ := object(text)
		if _, ok := m["errorCategory"].(string); !ok { // it may be empty
			return nil
		}
	}
	e := new(toolerr.Error)
	if err := e.UnmarshalJSON([]byte(text)); err != nil {
		return nil //nolint:nilerr // text that is not JSON is not an envelope
	}
	if hasOtherSpelling(text) {
		if m, ok := jsonvalue.Object(text); ok {
			fillMissing(e, m)
		}
	}
	return e
}

// withWords returns e with the kind of failure that its message describes, if the server has
// not classified it. The flag, the effect and the delay stay the server's.
func withWords(e *toolerr.Error) *toolerr.Error {
	if e.Category == "" {
		words := readText(e.Message).Classification
		e.Category, e.Code = toolerr.Category(words.Category), cmp.Or(e.Code, toolerr.Code(words.Code))
	}
	return e
}
