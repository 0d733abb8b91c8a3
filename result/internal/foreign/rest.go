package foreign

import (
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
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
	h := holder{envelope: envelope}
	for _, v := range envelope {
		h.values = append(h.values, v)
	}
	if partial, ok := envelope["partial"].(map[string]any); ok {
		for _, v := range partial {
			h.values = append(h.values, v)
		}
	}
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

func isReportPart(name string) bool {
	for _, p := range reportParts {
		if p.name == name {
			return true
		}
	}
	return false
}

func (h *holder) rest(m map[string]any) map[string]any {
	rest, parts := map[string]any{}, map[string]map[string]any{}
	for name, v := range m {
		part, isPart := v.(map[string]any)
		switch {
		case h.holds(name, v):
		case isPart && isReportPart(name):
			parts[name] = h.rest(part)
		default:
			rest[name] = v
		}
	}
	for _, p := range reportParts {
		part := parts[p.name]
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
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return slices.Contains(names.retryable, name) || saysFailed()[name] && v || saysSucceeded()[name] && !v
	case string:
		return h.holdsText(name, v)
	case json.Number:
		code, _ := h.envelope["code"].(string)
		return slices.Contains(names.number, name) && code == v.String() || reportNames()[name] && slices.Contains(h.values, any(v))
	case []any:
		return h.holdsList(name, v)
	case map[string]any:
		return len(v) == 0
	}
	return false
}

func (h *holder) holdsText(name, text string) bool {
	text = sanitize.Text(text, len(text))
	folded := strings.ToLower(text)
	switch {
	case text == "" || text == h.envelope["message"]:
		return true
	case slices.Contains(names.category, name):
		return folded == h.envelope["errorCategory"]
	case slices.Contains(names.effect, name) || slices.Contains(names.retryable, name):
		return true
	case reportNames()[name] && slices.Contains(h.values, any(text)):
		return true
	}
	return states()[folded] && reportNames()[name]
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

func (h *holder) holdsList(name string, list []any) bool {
	if len(list) == 0 {
		return true
	}
	if name == "errors" && len(list) == 1 {
		m, ok := list[0].(map[string]any)
		return ok && len(h.rest(m)) == 0 || !ok && h.holds("error", list[0])
	}
	return reportNames()[name] && slices.ContainsFunc(h.values, func(v any) bool { return reflect.DeepEqual(v, any(list)) })
}

var (
	saysFailed    = set("isError is_error error failed")
	saysSucceeded = set("success ok")
)

// reportNames are all spellings of the envelope's members.
var reportNames = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{"error": true, "errors": true, "outcome": true, "object": true}
	fields := reflect.ValueOf(names)
	for i := range fields.NumField() {
		for j := range fields.Field(i).Len() {
			known[fields.Field(i).Index(j).String()] = true
		}
	}
	for name := range strings.FieldsSeq("processed total total_count continueFrom continue_from next_cursor nextCursor cursor results items data") {
		known[name] = true
	}
	return known
})
