package toolerr

import (
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

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
	// maxNumber is the maximum length of a number in characters, chosen because a float64 needs at
	// most 25, and a 128-bit integer needs 40.
	maxNumber = 64
)

// A valueEncoder appends any value as JSON, with sanitized text and bounded lists. Its functions
// append nothing if the value cannot be encoded. Parts beyond maxDepth, maxNodes or the size of an
// envelope are left out, so infinite values end.
type valueEncoder struct{ nodes int }

func appendValue(dst []byte, v any) []byte { return new(valueEncoder).value(dst, v, 0) }

func (enc *valueEncoder) value(dst []byte, v any, depth int) []byte {
	if enc.nodes++; enc.nodes > maxNodes || depth > maxDepth {
		return dst
	}
	switch v := v.(type) {
	case nil, bool, int, int64, float64:
		raw, _ := json.Marshal(v) // nothing for NaN and infinities
		return append(dst, raw...)
	case json.Number: // unchanged, or left out
		if len(v) <= maxNumber && jsonvalue.IsNumber(string(v)) && jsonvalue.IsFloat(string(v)) {
			dst = append(dst, v...)
		}
		return dst
	case string:
		return appendQuoted(dst, sanitize.Text(v, sanitize.MaxLength))
	case []any:
		return enc.list(dst, v, depth)
	case map[string]any:
		return enc.object(dst, v, depth)
	}
	return enc.other(dst, v, depth)
}

// other appends a value of any other type with encoding/json.
func (enc *valueEncoder) other(dst []byte, v any, depth int) (out []byte) {
	defer func() {
		if recover() != nil { // from a MarshalJSON method
			out = dst
		}
	}()
	raw, err := json.Marshal(v)
	plain, ok := jsonvalue.Decode(raw)
	if err != nil || !ok {
		return dst
	}
	return enc.value(dst, plain, depth)
}

// list appends at most maxList items. An item that cannot be encoded becomes null.
func (enc *valueEncoder) list(dst []byte, list []any, depth int) []byte {
	start := len(dst)
	dst = append(dst, '[')
	for i, v := range list[:min(len(list), maxList)] {
		if i > 0 {
			dst = append(dst, ',')
		}
		from := len(dst)
		if dst = enc.value(dst, v, depth+1); len(dst) == from {
			dst = append(dst, "null"...)
		}
		if len(dst)-start > maxEnvelope {
			return dst[:start]
		}
	}
	return append(dst, ']')
}

// object appends the members in the order of their keys, but none that cannot be encoded.
func (enc *valueEncoder) object(dst []byte, m map[string]any, depth int) []byte {
	if len(m) > maxEnvelope {
		return dst
	}
	start := len(dst)
	w := writer{dst: append(dst, '{')}
	names := slices.AppendSeq(make([]string, 0, len(m)), maps.Keys(m))
	slices.Sort(names)
	for _, name := range names {
		if name != "" && sanitize.Identifier(name) == "" {
			continue
		}
		w.member(escapes.Replace(name), func(dst []byte) []byte { return enc.value(dst, m[name], depth+1) })
		if len(w.dst)-start > maxEnvelope {
			return dst[:start]
		}
	}
	return append(w.dst, '}')
}

// appendResults appends results, unless there are none or some clients cannot read them.
func appendResults(dst []byte, results json.RawMessage) []byte {
	from := len(dst)
	dst = jsonvalue.AppendCompact(dst, results)
	if raw := dst[from:]; !jsonvalue.Valid(raw) || string(raw) == "null" {
		return dst[:from]
	}
	return dst
}

// appendCursor appends a string or an integer, whole or not at all. Up to 2^53, 16.0 and 1e3 are integers too.
func appendCursor(dst []byte, v any) []byte {
	_, isNumber := v.(json.Number)
	if r := reflect.ValueOf(v); r.Kind() == reflect.String && !isNumber {
		if text := sanitize.Identifier(r.String()); text != "" {
			dst = appendQuoted(dst, text)
		}
		return dst
	}
	number := string(appendValue(nil, v))
	if strings.Trim(strings.TrimPrefix(number, "-"), "0123456789") == "" {
		return append(dst, number...)
	}
	f, err := json.Number(number).Float64()
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return dst
	}
	return strconv.AppendInt(dst, int64(f), 10)
}
