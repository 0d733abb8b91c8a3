package jsonvalue

import (
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"
)

// Plain returns v as [Decode] returns its encoding, which it only makes for types that
// Decode does not return, and for what JSON cannot hold. Maps and lists are copies. The
// error is that of [Marshal].
func Plain(v any) (any, error) {
	if plain, ok := plain(v, maxPlainDepth); ok {
		return plain, nil
	}
	return recoded(v)
}

// maxPlainDepth is how deep plain goes. Chosen: deeper than arguments are, and a map that
// holds itself has no end, for which Marshal has an error.
const maxPlainDepth = 64

func plain(v any, depth int) (any, bool) {
	if depth == 0 {
		return nil, false
	}
	switch v := v.(type) {
	case nil, bool:
		return v, true
	case string:
		return v, utf8.ValidString(v)
	case int:
		return json.Number(strconv.Itoa(v)), true
	case float64: // an integer that every decoder reads as the same
		const exact = 1 << 53
		return json.Number(strconv.FormatFloat(v, 'f', -1, 64)), v == math.Trunc(v) && -exact < v && v < exact
	case json.Number:
		return v, isInteger(string(v))
	case map[string]any:
		return plainObject(v, depth)
	case []any:
		if v == nil {
			return nil, true
		}
		c := make([]any, len(v))
		for i, item := range v {
			var ok bool
			if c[i], ok = plain(item, depth-1); !ok {
				return nil, false
			}
		}
		return c, true
	}
	return nil, false
}

func plainObject(object map[string]any, depth int) (any, bool) {
	if object == nil {
		return nil, true
	}
	c := make(map[string]any, len(object))
	for name, item := range object {
		var ok bool
		if c[name], ok = plain(item, depth-1); !ok || !utf8.ValidString(name) {
			return nil, false
		}
	}
	return c, true
}

// recoded encodes v, and decodes it.
func recoded(v any) (any, error) {
	raw, err := Marshal(v)
	if err != nil {
		return nil, err
	}
	var decoded any
	err = Unmarshal(raw, &decoded)
	return decoded, err
}
