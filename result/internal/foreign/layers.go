package foreign

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// layers are the objects of a report that may contain a member, in order of precedence. Methods get
// and text try names layer by layer, and within a layer in the order of the names.
type layers []map[string]any

// layersOf returns a report's own layers, which are the object itself, the objects under error and
// detail, and the first of errors. It also returns all layers: these and the objects under data or
// details in them. The objects under data and details often repeat the request: they may forbid a
// retry, but never allow one.
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

// prose returns a text, shortened to fit an envelope.
func (l layers) prose(names []string) string { return sanitize.Text(l.text(names), sanitize.MaxLength) }

// identifier returns a text if it is clean and not too long for an envelope, or "".
func (l layers) identifier(names []string) string { return sanitize.Identifier(l.text(names)) }

// list returns the first member that is not null, if it is a list.
func (l layers) list(names ...string) []any {
	list, _ := l.get(names...).([]any)
	return list
}

const (
	// maxList is the maximum number of items of a list in an envelope.
	maxList = 20
	// maxOptions is the maximum size, in bytes, of all options together: the limit of an envelope.
	maxOptions = 8 << 10
)

// options returns a copy of a report's options, limited in number and length, or nil.
func (l layers) options() []any {
	list := l.list(spelling.Options...)
	options := slices.Clone(list[:min(len(list), maxList)])
	for i, v := range options {
		if s, ok := v.(string); ok {
			options[i] = sanitize.Text(s, sanitize.MaxLength)
		}
	}
	if raw, err := jsonvalue.Marshal(options); err != nil || len(raw) > maxOptions || len(options) == 0 {
		return nil
	}
	return options
}

// suggestions returns the suggestions that are texts, up to the limits of an envelope.
func (l layers) suggestions() (texts []string) {
	for _, v := range l.list(spelling.Suggestions...) {
		if s, ok := v.(string); ok && len(texts) < maxList {
			texts = append(texts, sanitize.Text(s, sanitize.MaxLength))
		}
	}
	return texts
}

// delay returns the delay in a report, and reports whether it has one.
func (l layers) delay() (time.Duration, bool) {
	if n, ok := number(l.get(spelling.Milliseconds...)); ok {
		return classify.Seconds(n / 1000), true
	}
	for _, name := range spelling.Seconds {
		if d, ok := duration(l.get(name)); ok {
			return d, true
		}
	}
	for _, v := range l.list("details") { // google.rpc.Status
		if detail, ok := v.(map[string]any); ok {
			if d, ok := duration(detail["retryDelay"]); ok {
				return d, true
			}
		}
	}
	if at, err := time.Parse(time.RFC3339, l.text(spelling.NotBefore)); err == nil {
		return classify.Seconds(time.Until(at).Seconds()), true
	}
	return 0, false
}

// duration returns a number of seconds, or a string such as 1.5s, as a duration.
func duration(v any) (time.Duration, bool) {
	if n, ok := number(v); ok {
		return classify.Seconds(n), true
	}
	s, _ := v.(string)
	d, err := time.ParseDuration(s)
	return classify.Seconds(d.Seconds()), err == nil
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

// size returns the number of values in a list or an object, and reports whether v is one.
func size(v any) (n int, ok bool) {
	switch v := v.(type) {
	case []any:
		return len(v), true
	case map[string]any:
		return len(v), true
	}
	return 0, false
}

// isZero reports whether a value is null, false, 0, "", [] or {}.
func isZero(v any) bool {
	return jsonvalue.IsZero(v) || v == float64(0)
}

// isWord reports whether a value is one of the words, ignoring case.
func isWord(v any, words ...string) bool {
	s, _ := v.(string)
	return slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(s, word) })
}

func hasAny(m map[string]any, names ...string) bool { return layers{m}.get(names...) != nil }
