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
// the envelope does not fully contain, unchanged and in order, but for those that cannot be encoded. Said
// is as in [Findings]. Members of its JSON that the envelope lacks are added to the details
// of the returned copy of e, if they fit.
func Content(e *toolerr.Error, said *mcp.CallToolResult) (*toolerr.Error, []mcp.Content) {
	if said == nil {
		return e, []mcp.Content{&mcp.TextContent{Text: string(e.AppendJSON(nil))}}
	}
	if len(e.Message) > sanitize.MaxLength {
		e = e.WithMessage(sanitize.Ends(e.Message))
	}
	w := writer{first: foreign.FirstText(said)}
	w.set(e)
	raw, isRaw := said.StructuredContent.(json.RawMessage)
	if !isRaw {
		raw, _ = Encoded(said.StructuredContent)
	}
	isRepeated := slices.Contains(slices.Collect(foreign.Texts(said)), string(raw))
	if isRepeated || string(raw) == "null" || !jsonvalue.Valid(raw) { // or says nothing, or has no encoding
		raw = nil
	}
	structured := &mcp.TextContent{Text: string(raw)}
	for _, block := range append(slices.Clip(said.Content), structured) {
		if encoded, err := encodedBlock(block); err == nil && !w.holds(block, block == structured) {
			w.further = append(w.further, encoded)
		}
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

func (w *writer) set(e *toolerr.Error) {
	w.failure, w.text = e, string(e.AppendJSON(nil))
	w.envelope, _ = jsonvalue.Object(w.text)
}

// holds reports whether the envelope holds all of a block, or the block is an empty text. Members of
// the first text and of structured content that have no counterpart may become details.
func (w *writer) holds(block mcp.Content, isStructured bool) bool {
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
	if isStructured && len(m) == 1 && m["result"] == w.first {
		return true // as some servers wrap a text
	}
	rest := foreign.Rest(m, w.envelope)
	return ok && (len(rest) == 0 || (isStructured || t.Text == w.first) && w.addDetails(rest))
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
