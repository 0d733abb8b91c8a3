package foreign

import (
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// IsObject reports whether a text is a JSON object, apart from known frames around it. It
// does not keep a long one.
func IsObject(text string) bool {
	_, ok := object(unframe(text))
	return ok
}

// Object returns the JSON object in a text, apart from known frames around it, and reports
// whether it is one.
func Object(text string) (map[string]any, bool) { return jsonvalue.Object(unframe(text)) }

// Further returns the texts of a failed result that are not in the envelope that [Failure]
// returns: all after the first, and the first if it is prose that an envelope does not hold
// completely.
func Further(res *mcp.CallToolResult) (texts []string) {
	for i, text := range Texts(res) {
		if i > 0 || !IsObject(text) && sanitize.Ends(text, sanitize.MaxLength) != sanitize.Ends(text, math.MaxInt) {
			texts = append(texts, text)
		}
	}
	return texts
}

// Rest returns the members of a failure report that are not in its envelope. Both
// are decoded from JSON. The members about the kind of failure, a retry or the effect are omitted even if
// the envelope differs: the tool's server decides about these.
func Rest(report, envelope map[string]any) map[string]any {
	partial, _ := envelope["partial"].(map[string]any)
	h := holder{envelope: envelope, values: slices.AppendSeq(slices.Collect(maps.Values(envelope)), maps.Values(partial))}
	return h.rest(report)
}

// A holder looks up the contents of an envelope.
type holder struct {
	envelope map[string]any
	values   []any // of its members, and of partial's
}

// reportParts are the members that contain a part of a report. If up is set, the rest of
// the part moves up one level, unless this would hide a member.
var reportParts = []struct {
	name string
	up   bool
}{{"error", true}, {"detail", true}, {"details", true}, {"data", false}, {"recovery", false}, {"partial", false}}

func (h *holder) rest(m map[string]any) map[string]any {
	rest := map[string]any{}
	for name, v := range m {
		if !h.holds(name, v) {
			rest[name] = v
		}
	}
	for _, p := range reportParts {
		part, isPart := rest[p.name].(map[string]any)
		if !isPart {
			continue
		}
		part = h.rest(part)
		delete(rest, p.name)
		switch {
		case len(part) == 0:
		case p.up && !overlap(part, rest) && !overlap(part, m):
			maps.Copy(rest, part)
		default:
			rest[p.name] = part
		}
	}
	return rest
}

// overlap reports whether two objects have a member of the same name.
func overlap(a, b map[string]any) bool {
	for name := range a {
		if _, ok := b[name]; ok {
			return true
		}
	}
	return false
}

// holds reports whether the envelope contains a member, under any name.
func (h *holder) holds(name string, v any) bool {
	if held, ok := h.envelope[name]; ok && reflect.DeepEqual(held, v) {
		return true
	}
	if slices.Contains(names.milliseconds, name) || slices.Contains(names.seconds, name) {
		return h.holdsDelay(name, v)
	}
	known := reportNames()[name] || partNames()[name]
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		failed := name == "isError" || name == "is_error" || name == "error" || name == "failed"
		return slices.Contains(names.retryable, name) || failed && v || (name == "success" || name == "ok") && !v
	case string:
		return h.holdsText(name, v, known)
	case json.Number:
		code, _ := h.envelope["code"].(string)
		return slices.Contains(names.number, name) && code == v.String() || known && slices.Contains(h.values, any(v))
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0 || name == "errors" && len(v) == 1 && h.holdsError(v[0]) ||
			known && name != "errors" && slices.ContainsFunc(h.values, func(held any) bool { return reflect.DeepEqual(held, any(v)) })
	}
	return false
}

// holdsError is holds for the only error of a list.
func (h *holder) holdsError(v any) bool {
	m, ok := v.(map[string]any)
	return ok && len(h.rest(m)) == 0 || !ok && h.holds("error", v)
}

func (h *holder) holdsText(name, text string, known bool) bool {
	text = sanitize.Text(text, len(text))
	folded := strings.ToLower(text)
	switch {
	case text == "" || text == h.envelope["message"]:
		return true
	case slices.Contains(names.category, name):
		return folded == h.envelope["errorCategory"]
	case slices.Contains(names.effect, name) || slices.Contains(names.retryable, name):
		return true
	}
	return known && (states()[folded] || slices.Contains(h.values, any(text)))
}

// holdsDelay reports whether the envelope contains the delay of a member.
func (h *holder) holdsDelay(name string, v any) bool {
	held, ok := number(h.envelope["retryAfterMs"])
	asked, is := duration(v)
	if n, isNumber := number(v); isNumber && slices.Contains(names.milliseconds, name) {
		asked = time.Duration(n * float64(time.Millisecond))
	}
	return ok && is && time.Duration(held*float64(time.Millisecond)) == asked
}
