package toolerr

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

const (
	// maxDepth is the maximum nesting depth of details, chosen to be more than any real details
	// need; it also bounds values that contain themselves.
	maxDepth = 32
	// maxNodes is the maximum number of values in details, chosen because at two bytes each, the
	// minimum in JSON, they fill an envelope.
	maxNodes = 4096
)

// A valueEncoder appends any value as JSON, with sanitized text and bounded lists. Parts beyond
// maxDepth, maxNodes or the size of an envelope are left out, so infinite values end.
type valueEncoder struct {
	nodes int
}

func appendValue(dst []byte, v any) ([]byte, bool) {
	return new(valueEncoder).value(dst, v, 0)
}

// value appends v and reports whether it could be encoded.
func (enc *valueEncoder) value(dst []byte, v any, depth int) ([]byte, bool) {
	if enc.nodes++; enc.nodes > maxNodes || depth > maxDepth {
		return dst, false
	}
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), true
	case string:
		return appendText(dst, v), true
	case bool:
		return strconv.AppendBool(dst, v), true
	case int:
		return appendInt(dst, v), true
	case int64:
		return strconv.AppendInt(dst, v, 10), true
	case float64:
		return appendFloat(dst, v)
	case json.Number:
		return appendNumber(dst, v)
	case []any:
		return enc.list(dst, v, depth)
	case map[string]any:
		return enc.object(dst, v, depth)
	case []string:
		dst = append(dst, '[')
		for i, s := range v[:min(len(v), maxList)] {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendText(dst, s)
		}
		return append(dst, ']'), true
	default:
		return enc.other(dst, v, depth)
	}
}

func appendText(dst []byte, s string) []byte {
	return appendQuoted(dst, sanitize.Text(s, sanitize.MaxLength))
}

// other appends a value of any other type with encoding/json.
func (enc *valueEncoder) other(dst []byte, v any, depth int) (out []byte, ok bool) {
	start := len(dst)
	defer func() {
		if recover() != nil { // from a MarshalJSON method
			out, ok = dst[:start], false
		}
	}()
	raw, err := json.Marshal(v)
	if err != nil {
		return dst, false
	}
	plain, ok := jsonvalue.Decode(raw)
	if !ok {
		return dst, false
	}
	return enc.value(dst, plain, depth+1)
}

// list appends at most maxList items. An item that cannot be encoded becomes null.
func (enc *valueEncoder) list(dst []byte, list []any, depth int) ([]byte, bool) {
	start := len(dst)
	dst = append(dst, '[')
	for i, v := range list[:min(len(list), maxList)] {
		if i > 0 {
			dst = append(dst, ',')
		}
		mark := len(dst)
		var ok bool
		if dst, ok = enc.value(dst, v, depth+1); !ok {
			dst = append(dst[:mark], "null"...)
		}
		if len(dst)-start > maxEnvelope {
			return dst[:start], false
		}
	}
	return append(dst, ']'), true
}

// object appends the members in the order of their keys, but none that cannot be encoded.
func (enc *valueEncoder) object(dst []byte, m map[string]any, depth int) ([]byte, bool) {
	start := len(dst)
	if len(m) > maxEnvelope {
		return dst, false
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	dst = append(dst, '{')
	for _, k := range keys {
		if k != "" && sanitize.Identifier(k) == "" {
			continue
		}
		mark := len(dst)
		if mark > start+1 {
			dst = append(dst, ',')
		}
		dst = append(appendQuoted(dst, k), ':')
		var ok bool
		if dst, ok = enc.value(dst, m[k], depth+1); !ok {
			dst = dst[:mark]
		}
		if len(dst)-start > maxEnvelope {
			return dst[:start], false
		}
	}
	return append(dst, '}'), true
}

// appendMember appends a member. It appends nothing if the value cannot be encoded, or is
// an object without members after encoding.
func (enc *valueEncoder) appendMember(dst []byte, key string, v any) []byte {
	mark := len(dst)
	dst, ok := enc.value(append(dst, key...), v, 0)
	if !ok || string(dst[mark+len(key):]) == "{}" {
		return dst[:mark]
	}
	return dst
}

// appendNumber appends n unchanged if it is a JSON number of at most maxNumber characters
// and in the range of a float64.
func appendNumber(dst []byte, n json.Number) ([]byte, bool) {
	if len(n) > maxNumber || !jsonvalue.IsNumber(string(n)) || !jsonvalue.IsFloat(string(n)) {
		return dst, false
	}
	return append(dst, n...), true
}

func appendInt(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

// appendFloat appends a number in the format of encoding/json, which is ECMAScript's.
func appendFloat(dst []byte, f float64) ([]byte, bool) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return dst, false
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	dst = strconv.AppendFloat(dst, f, format, -1, 64)
	if n := len(dst); format == 'e' && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1] // e-09 becomes e-9
		dst = dst[:n-1]
	}
	return dst, true
}

// maxNumber is the maximum length of a number in characters, chosen because a float64 needs at most
// 25, and a 128-bit integer needs 40.
const maxNumber = 64
