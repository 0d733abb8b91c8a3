package foreign

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// layers are the objects of a report that may contain a member, innermost first. Members
// are looked up by several names: layer by layer, and in a layer in the order of the names.
type layers []map[string]any

// layersOf returns a report's own layers, which are the object itself and the objects under
// error, detail or the first of errors. It also returns all layers, which include the
// objects under data or details of those. The latter often contain the request that was
// sent: they may forbid a retry, but never allow one.
func layersOf(m map[string]any) (own, all layers) {
	candidates := []any{m["error"], m["detail"], nil, m}
	if list, ok := m["errors"].([]any); ok && len(list) > 0 {
		candidates[2] = list[0]
	}
	var extra layers
	for _, v := range candidates {
		inner, ok := v.(map[string]any)
		if !ok {
			continue
		}
		own = append(own, inner)
		for _, name := range []string{"data", "details"} {
			if data, ok := inner[name].(map[string]any); ok {
				extra = append(extra, data)
			}
		}
	}
	return own, slices.Concat(own, extra)
}

// get returns the first member that is not null.
func (l layers) get(names ...string) any {
	for _, layer := range l {
		for _, name := range names {
			if v := layer[name]; v != nil {
				return v
			}
		}
	}
	return nil
}

// text returns the first member that is a nonempty string.
func (l layers) text(names []string) string {
	for _, layer := range l {
		for _, name := range names {
			if s, ok := layer[name].(string); ok && s != "" {
				return s
			}
		}
	}
	return ""
}

// prose returns a text, shortened to the length that an envelope holds.
func (l layers) prose(names []string) string { return sanitize.Text(l.text(names), sanitize.MaxLength) }

// identifier returns a text if an envelope can hold it without shortening it, or "".
func (l layers) identifier(names []string) string { return sanitize.Identifier(l.text(names)) }

// list returns the first member that is not null, if it is a list.
func (l layers) list(names []string) []any {
	list, _ := l.get(names...).([]any)
	return list
}

// number returns the value of a number, or of a string that contains one.
func number(v any) (float64, bool) {
	var text string
	switch v := v.(type) {
	case json.Number:
		text = string(v)
	case float64:
		return v, true
	case string:
		text = strings.TrimSpace(v)
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil || math.IsInf(f, 0)
}

// flag returns the value of a boolean, or of a string that contains one.
func flag(v any) (value, ok bool) {
	if s, is := v.(string); is {
		b, err := strconv.ParseBool(strings.ToLower(s))
		return b, err == nil
	}
	value, ok = v.(bool)
	return value, ok
}
