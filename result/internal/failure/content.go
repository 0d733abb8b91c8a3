package failure

import (
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// maxReport is the maximum size, in bytes, of a report that is compared with the envelope. It is
// eight times the maximum size of an envelope. A longer text is sent unread.
const maxReport = 64 << 10

// Content returns the content of a failed result for e: the envelope, then the blocks of said that
// the envelope does not fully contain, unchanged and in order. Said is the author's own result, or
// nil. Members of its JSON that the envelope lacks are added to the details of the returned copy of
// e, if they fit.
//
// Content omits blocks that cannot be encoded.
func Content(e *toolerr.Error, said *mcp.CallToolResult) (*toolerr.Error, []mcp.Content) {
	if said == nil {
		return e, []mcp.Content{&mcp.TextContent{Text: string(e.AppendJSON(nil))}}
	}
	if len(e.Message) > sanitize.MaxLength {
		e = e.WithMessage(sanitize.Ends(e.Message, sanitize.MaxLength))
	}
	w := writer{first: foreign.FirstText(said)}
	w.set(e)
	for _, block := range said.Content {
		if !w.holds(block) {
			if encoded, _, err := EncodedBlock(block); err == nil {
				w.further = append(w.further, encoded)
			}
		}
	}
	if raw, follows := w.structured(said.StructuredContent); follows {
		w.further = append(w.further, &mcp.TextContent{Text: raw})
	}
	return w.failure, append([]mcp.Content{&mcp.TextContent{Text: w.text}}, w.further...)
}

// A writer writes the content of a failed result.
type writer struct {
	first    string // the text from which the envelope was read
	failure  *toolerr.Error
	text     string         // its envelope
	envelope map[string]any // text, decoded from JSON
	further  []mcp.Content
}

// set sets the failure and its envelope.
func (w *writer) set(e *toolerr.Error) {
	w.failure, w.text = e, string(e.AppendJSON(nil))
	w.envelope, _ = jsonvalue.Object(w.text)
}

// holds reports whether the envelope holds all of a block, or the block is an empty text.
func (w *writer) holds(block mcp.Content) bool {
	t, ok := block.(*mcp.TextContent)
	switch {
	case !ok:
		return false
	case t == nil || t.Text == "":
		return true
	case t.Meta != nil || t.Annotations != nil || len(t.Text) > maxReport:
		return false
	case sanitize.Text(t.Text, math.MaxInt) == w.envelope["message"]:
		return true
	}
	m, ok := foreign.Object(t.Text)
	return ok && w.holdsObject(m, t.Text == w.first)
}

// holdsObject reports whether the envelope holds all of an object. If add is set, it may add
// members without a counterpart to the details first.
func (w *writer) holdsObject(report map[string]any, add bool) bool {
	rest := foreign.Rest(report, w.envelope)
	return len(rest) == 0 || add && w.addDetails(rest)
}

// addDetails adds members to the details, and reports whether the envelope then contains them all.
// If not, it changes nothing.
func (w *writer) addDetails(members map[string]any) bool {
	held, _ := w.envelope["details"].(map[string]any)
	details := maps.Clone(members)
	for name, v := range held {
		if more, ok := details[name]; ok && !reflect.DeepEqual(more, v) {
			return false
		}
		details[name] = v
	}
	before := *w
	w.set(w.failure.WithDetails(details))
	if !reflect.DeepEqual(w.envelope["details"], any(details)) {
		*w = before
		return false
	}
	return true
}

// structured returns structured content as JSON, and reports whether it must be sent, because
// neither the envelope nor a text to be sent contains it.
func (w *writer) structured(v any) (raw string, follows bool) {
	if v == nil {
		return "", false
	}
	encoded, ok := v.(json.RawMessage)
	if !ok {
		encoded, _ = Encoded(v) // nothing, which is not valid, if it has no encoding
	}
	sent := func(block mcp.Content) bool {
		t, isText := block.(*mcp.TextContent)
		return isText && t.Text == string(encoded)
	}
	if slices.ContainsFunc(w.further, sent) || !jsonvalue.Valid(encoded) || string(encoded) == "null" {
		return "", false
	}
	if len(encoded) <= maxReport { // longer ones do not fit the envelope
		m, isObject := jsonvalue.Object(string(encoded))
		if isObject && (w.holdsObject(m, true) || len(m) == 1 && m["result"] == w.first) {
			return "", false
		}
	}
	return string(encoded), true
}
