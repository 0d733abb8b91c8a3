package jsonvalue

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Recode returns v as [Decode] would return its encoding. It encodes only types that Decode
// does not return, and values that JSON cannot represent. Maps and lists are copies. The
// error is that of [Marshal].
func Recode(v any) (any, error) {
	if recoded, ok := recode(v, maxRecodeDepth); ok {
		return recoded, nil
	}
	return decoded(v)
}

// maxRecodeDepth is the maximum nesting depth of recode. Chosen: arguments are less deep,
// and a map that contains itself has no end; Marshal returns an error for it.
const maxRecodeDepth = 64

func recode(v any, depth int) (any, bool) {
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
	case float64: // an integer that every decoder reads unchanged
		const exact = 1 << 53
		return json.Number(strconv.FormatFloat(v, 'f', -1, 64)), v == math.Trunc(v) && -exact < v && v < exact
	case json.Number:
		return v, isInteger(string(v))
	case map[string]any:
		return recodeObject(v, depth)
	case []any:
		if v == nil {
			return nil, true
		}
		c := make([]any, len(v))
		for i, item := range v {
			var ok bool
			if c[i], ok = recode(item, depth-1); !ok {
				return nil, false
			}
		}
		return c, true
	}
	return nil, false
}

func recodeObject(object map[string]any, depth int) (any, bool) {
	if object == nil {
		return nil, true
	}
	c := make(map[string]any, len(object))
	for name, item := range object {
		var ok bool
		if c[name], ok = recode(item, depth-1); !ok || !utf8.ValidString(name) {
			return nil, false
		}
	}
	return c, true
}

// decoded encodes v and decodes the result.
func decoded(v any) (out any, err error) {
	raw, err := Marshal(v)
	if err == nil {
		err = Unmarshal(raw, &out)
	}
	return out, err
}

// isInteger reports whether text is a JSON number without fraction and exponent.
func isInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return digits == "0" || digits != "" && digits[0] != '0'
}
