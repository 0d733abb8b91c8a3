// Package foreign reads the result or the error with which any MCP server answers a tool call, and
// returns the failure in it as an envelope.
//
// [Failure] and [Written] read a result with isError: as an envelope, as an object that reports a
// failure (report.go), or as text, which only Failure interprets. [Success] reads a result without
// isError (unflagged.go);
// [CallError] and [ProtocolError] read errors. [Rest] and [Beside] return the parts of a result that
// are not in its envelope or text. The names of members are those of package spelling, and what an
// object claims is read by package answers.
//
// Servers are not trusted. Except for the message, the package keeps no more of their members than
// an envelope may hold, and accepts permission to retry only if it applies to the whole call.
package foreign

import (
	"cmp"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

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
// the whole first text is an envelope. It reads only JSON: the first text, structured content, or
// an envelope in a later text. Prose becomes the message without being interpreted.
func Written(res *mcp.CallToolResult) (e *toolerr.Error, envelope bool) {
	return reader{}.failure(res)
}

// A reader reads the failure in a result.
type reader struct {
	prose bool // prose is read too
}

// failure reads the first text after known prefixes if it is an envelope or another object; otherwise
// structured content with a category, or an envelope in a later text, or else the texts that are prose.
func (r reader) failure(res *mcp.CallToolResult) (e *toolerr.Error, envelope bool) {
	first := FirstText(res)
	inner := sdktext.Unframe(first)
	if e, own := r.envelope(inner); e != nil {
		return e, own && inner == first
	}
	m, isReport := Object(inner)
	switch {
	case first == "":
		m, _ = structured(res)
		e = r.report(m)
		e.Message = cmp.Or(e.Message, sanitize.Text(Shown(res), sanitize.MaxLength), "The tool failed without saying why.")
		return e, false
	case isReport:
		return r.report(m), false
	}
	texts := slices.Collect(Texts(res)) // the first may be an exit code, and JSON may be of a batch
	words := r.text(strings.Join(append(texts[:1], slices.DeleteFunc(texts[1:], looksLikeJSON)...), "\n"))
	if m, isObject := structured(res); isObject {
		e = r.report(m)
	}
	if e == nil || e.Category == "" {
		e = r.later(res, first)
	}
	if e != nil {
		e.Retryable = e.Retryable && !words.Forbids // the object after a refusal may be an echo
		if e.Message == "" || !r.prose {
			e.Message = first
		}
		return e, false
	}
	e = newError(words.Classification, first)
	if r.prose && e.Code != toolerr.CodeInternal { // an SDK's rejection of arguments states what is wrong
		if code, field, ok := sdktext.Refusal(inner); ok {
			e.Category, e.Code, e.Field, e.Retryable = toolerr.CategoryValidation, code, field, false
		}
	}
	return e, false
}

// later reads an envelope in a text after the first, or returns nil.
func (r reader) later(res *mcp.CallToolResult, first string) *toolerr.Error {
	for text := range Texts(res) {
		if e, _ := r.envelope(text); e != nil && text != first {
			e.Retryable = e.Retryable && !r.prose // an argument may be echoed back
			if r.prose && e.Effect == toolerr.EffectNone {
				e.Effect = ""
			}
			return e
		}
	}
	return nil
}

// readOutput corrects a failure whose message is about the output of a tool: it has done its work, and
// no argument is at fault.
func readOutput(e *toolerr.Error) {
	if sdktext.IsOutput(e.Message) {
		e.Category, e.Code, e.Field = toolerr.CategoryTransient, toolerr.CodeInternal, ""
		e.Retryable, e.Effect = false, cmp.Or(e.Effect, toolerr.EffectUnknown)
	}
}

// envelope reads text that is just an envelope: a JSON object with an errorCategory, or with
// isError, isRetryable and a message. It returns nil for other text. Own means that its flag is
// trusted: its category is one of the four, or absent beside a flag that is false. Members that the
// envelope lacks, but for partial, are filled from other spellings of their names. The code and message
// of an unclassified failure are read like those of a foreign server.
func (r reader) envelope(text string) (e *toolerr.Error, own bool) {
	is, hasOthers := isEnvelope(text)
	if !is {
		return nil, false
	}
	e = new(toolerr.Error)
	_ = e.UnmarshalJSON([]byte(text)) // it is an object
	var m map[string]any
	if own = slices.Contains(class.Categories, string(e.Category)); !own || hasOthers {
		m, _ = Object(text)
	}
	if m == nil { // nothing is to be filled, or the text is too long
		e.Retryable = e.Retryable && own
		return e, own || e.Category == ""
	}
	c := answers.Read(m)
	if !own {
		isNew, kind := e.Category != "", r.kind(c)
		e.Category, e.Code = cmp.Or(kind.Category, e.Category), cmp.Or(e.Code, kind.Code)
		own = !isNew && !e.Retryable // the flag promises nothing without a category
	}
	e.Message = cmp.Or(e.Message, sanitize.Text(c.Message(), sanitize.MaxLength))
	e.Code = cmp.Or(e.Code, toolerr.Code(c.Text(spelling.Code)))
	if _, states := m["isRetryable"].(bool); states && own || e.Partial != nil { // the envelope's own members count
		addMissing(e, c)
		return e, own
	}
	effect := e.Effect
	r.addClaims(e, c)
	e.Effect = cmp.Or(effect, e.Effect) // an effect in details is of something else
	return e, own
}

// envelopeNames are the names of an envelope's members; numbers are those of the members that tell it.
var envelopeNames = map[string]int{
	`"errorCategory"`: 1, `"message"`: 2, `"isError"`: 3, `"isRetryable"`: 4, `"code"`: 0, `"hint"`: 0,
	`"customerMessage"`: 0, `"retryAfterMs"`: 0, `"field"`: 0, `"suggestions"`: 0, `"options"`: 0, `"effect"`: 0,
	`"idempotencyKey"`: 0, `"alternatives"`: 0, `"correlationId"`: 0, `"details"`: 0, `"attempted"`: 0, `"partial"`: 0,
}

// isEnvelope reports whether a text is an envelope, and whether it has unknown members.
func isEnvelope(text string) (is, hasOthers bool) {
	isObject := strings.HasSuffix(strings.TrimSpace(text), "}") // a long text that is cut is not copied
	if !isObject || !strings.Contains(text, `"errorCategory"`) && !strings.Contains(text, `"isRetryable"`) {
		return false, false
	}
	var kinds [5]byte // of the members
	s := jsonvalue.NewScanner([]byte(text))
	for more := s.Kind() == '{' && s.Open(); more; more = s.More('}') {
		name, v := s.Name(), s.Value()
		i, known := envelopeNames[string(s.Raw(name))]
		hasOthers, kinds[i] = hasOthers || !known, v.Kind
	}
	isFailure := kinds[2] == '"' && kinds[3] == 't' && (kinds[4] == 't' || kinds[4] == 'f')
	return s.Done() && (kinds[1] == '"' || isFailure), hasOthers // a category may be empty
}

// text reads the text of a failure.
func (r reader) text(text string) classify.Reading {
	if !r.prose {
		return classify.Reading{}
	}
	text = sdktext.Unframe(text)
	if sdktext.IsOutput(text) {
		return classify.Reading{Classification: classify.Internal(), Forbids: true}
	} else if sdktext.IsUnknownTool(text) {
		text = "Tool not found" // whatever its name says
	}
	return classify.Text(text)
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

// Object returns the JSON object that a text consists of, ignoring known prefixes.
func Object(text string) (map[string]any, bool) {
	if len(text) > maxObject {
		return nil, false
	}
	return jsonvalue.Object(sdktext.Unframe(text))
}

// FirstText returns the first nonempty text of a result.
func FirstText(res *mcp.CallToolResult) string {
	for text := range Texts(res) {
		return text
	}
	return ""
}

// Shown returns what a model can read of a result: its texts, those of its resources, and the addresses of its
// links, joined by newlines.
func Shown(res *mcp.CallToolResult) string {
	var all []string
	for _, c := range res.Content {
		if text, _ := c.(*mcp.TextContent); text != nil {
			all = append(all, text.Text)
		} else if r, _ := c.(*mcp.EmbeddedResource); r != nil && r.Resource != nil {
			all = append(all, r.Resource.Text)
		} else if link, _ := c.(*mcp.ResourceLink); link != nil {
			all = append(all, strings.TrimPrefix(link.Name+": "+link.URI, ": "))
		}
	}
	return strings.Join(slices.DeleteFunc(all, func(text string) bool { return text == "" }), "\n")
}

// Texts yields the nonempty texts of a result.
func Texts(res *mcp.CallToolResult) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, c := range res.Content {
			if t, ok := c.(*mcp.TextContent); ok && t != nil && t.Text != "" && !yield(t.Text) {
				return
			}
		}
	}
}
