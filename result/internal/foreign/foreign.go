// Package foreign takes what any MCP server may have answered a tool call with, a
// result or an error, and returns the failure in it as an envelope.
//
// [Failure] reads a result with isError: as an envelope (foreign.go, spelling.go), as an object
// that reports a failure (report.go, members.go), then as words (text.go, embedded.go), of
// which [classify.Text] knows what they mean. [Success] reads a result
// without isError, [CallError] and [ProtocolError] read what came in place of one,
// and [Text] reads bare words. [Rest] and [Further] return what of a result is not in the
// envelope that was read from it.
//
// A server is not trusted. Its prose is looked at to a fixed length, of its members
// as much is kept as an envelope may hold, and leave to retry is believed only if
// the server gives it for the call as a whole.
package foreign

import (
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// toolFailureKey is where a proposal for MCP has the failure's members in _meta.
const toolFailureKey = "io.modelcontextprotocol/toolFailure"

// Failure returns the failure of a result that has isError set, and whether its
// first text is an envelope as a whole. A failure that is not understood keeps its
// words and has no category.
func Failure(res *mcp.CallToolResult) (e *toolerr.Error, envelope bool) {
	text := FirstText(res)
	if text == "" {
		return readWithoutText(res), false
	}
	if e := readEnvelope(text); e != nil {
		return e, true
	}
	if e := readWhole(res, text); e != nil {
		return e, false
	}
	words := readText(text)
	beside := readBeside(res, text)
	if beside == nil {
		return newError(words.Classification, text), false
	}
	if words.Forbids {
		beside.Retryable = false // what stands beside a refusal may be an echo
	}
	return beside, false
}

// readWithoutText reads a failure that has no text at all.
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

// structured returns the structured content of a result if it is an object. A server's
// own is what the SDK has encoded.
func structured(res *mcp.CallToolResult) (map[string]any, bool) {
	if raw, ok := res.StructuredContent.(json.RawMessage); ok {
		return jsonvalue.Object(string(raw))
	}
	m, ok := res.StructuredContent.(map[string]any)
	return m, ok
}

// readWhole reads a failure that is all of the first text, or describes it in
// _meta, or returns nil.
func readWhole(res *mcp.CallToolResult, text string) *toolerr.Error {
	unframed := unframe(text)
	if e := readEnvelope(unframed); e != nil {
		return e
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

// readBeside reads a failure that stands in the structured content or in a
// further text, or returns nil.
func readBeside(res *mcp.CallToolResult, first string) *toolerr.Error {
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

// FirstText returns the first text of a result that is not empty.
func FirstText(res *mcp.CallToolResult) string {
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok && t != nil && t.Text != "" {
			return t.Text
		}
	}
	return ""
}

// Texts returns the texts of a result that are not empty.
func Texts(res *mcp.CallToolResult) (texts []string) {
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok && t != nil && t.Text != "" {
			texts = append(texts, t.Text)
		}
	}
	return texts
}

// readEnvelope reads text that is an envelope as a whole, a JSON object with an
// errorCategory, or returns nil.
func readEnvelope(text string) *toolerr.Error {
	const ours = `{"isError":true,"errorCategory":"`
	if !strings.HasPrefix(text, ours) {
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
		return nil //nolint:nilerr // no JSON is no envelope
	}
	if hasOtherSpelling(text) {
		if m, ok := jsonvalue.Object(text); ok {
			fillIn(e, m)
		}
	}
	return e
}
