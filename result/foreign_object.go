package result

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

// An object is a JSON object whose members are looked up by any of several
// names, in an inner object first. What stands under data or details is often
// the request that was sent: it may forbid a retry, never allow one.
type object struct {
	layers []map[string]any // the failure's own
	extra  []map[string]any
}

// all has the failure's own layers and the others behind them.
func (o object) all() object { return object{layers: append(slices.Clone(o.layers), o.extra...)} }

func (o object) get(names ...string) any {
	for _, layer := range o.layers {
		for _, name := range names {
			if v, ok := layer[name]; ok && v != nil {
				return v
			}
		}
	}
	return nil
}

func (o object) text(names ...string) string {
	for _, layer := range o.layers {
		for _, name := range names {
			if s, ok := layer[name].(string); ok && s != "" {
				return s
			}
		}
	}
	return ""
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
	default:
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, text != "" && (err == nil || math.IsInf(f, 0))
}

func flag(v any) (value, ok bool) {
	switch v := v.(type) {
	case bool:
		return v, true
	case string:
		b, err := strconv.ParseBool(strings.ToLower(v))
		return b, err == nil
	}
	return false, false
}

// decodeObject decodes text that is a JSON object as a whole.
func decodeObject(text string) (map[string]any, bool) {
	if text = strings.TrimSpace(text); text == "" || text[0] != '{' {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var m map[string]any
	if d.Decode(&m) != nil || d.More() {
		return nil, false
	}
	return m, true
}

// layersOf returns the objects that a failure's members may stand in, innermost
// first: what is under error or the first of errors, its data, the object itself.
func layersOf(m map[string]any) object {
	var o object
	add := func(v any) {
		if inner, ok := v.(map[string]any); ok {
			o.layers = append(o.layers, inner)
			for _, name := range []string{"data", "details"} {
				if data, ok := inner[name].(map[string]any); ok {
					o.extra = append(o.extra, data)
				}
			}
		}
	}
	add(m["error"])
	add(m["detail"])
	if list, ok := m["errors"].([]any); ok && len(list) > 0 {
		add(list[0])
	}
	add(m)
	return o
}

// raw encodes a value again, for what is handed on as JSON.
func raw(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}
