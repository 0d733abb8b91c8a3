package foreign

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// layers are the objects of a report in which a member may stand, innermost
// first. Members are looked up by any of several names, in a layer by the first
// name first.
type layers []map[string]any

// layersOf returns a report's own layers, which are what is under error, detail or
// the first of errors, and the object itself; and all of them, with what stands
// under data or details of those. The latter is often the request that was sent:
// it may forbid a retry, never allow one.
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

// text returns the first member that is a string with anything in it.
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

// prose returns a text as far as an envelope holds it.
func (l layers) prose(names []string) string { return sanitize.Text(l.text(names), sanitize.MaxLength) }

// identifier returns a text if an envelope holds it whole.
func (l layers) identifier(names []string) string { return sanitize.Identifier(l.text(names)) }

// list returns the first member that is not null, if it is a list.
func (l layers) list(names []string) []any {
	list, _ := l.get(names...).([]any)
	return list
}

// number reads a number, or a string that is one.
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

// flag reads a boolean, or a string that is one.
func flag(v any) (value, ok bool) {
	if s, is := v.(string); is {
		b, err := strconv.ParseBool(strings.ToLower(s))
		return b, err == nil
	}
	value, ok = v.(bool)
	return value, ok
}
