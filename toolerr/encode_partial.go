package toolerr

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// appendPartial appends a partial result. It has no size limit, because the results are data.
func appendPartial(dst []byte, p *Partial) []byte {
	dst = appendInt(append(dst, `{"processed":`...), max(p.Processed, 0))
	if p.Total > 0 {
		dst = appendInt(append(dst, `,"total":`...), p.Total)
	}
	mark := len(dst)
	dst = append(dst, `,"continueFrom":`...)
	var ok bool
	if dst, ok = appendCursor(dst, p.ContinueFrom); !ok {
		dst = dst[:mark]
	}
	mark = len(dst)
	dst = append(dst, `,"results":`...)
	if dst, ok = appendResults(dst, p.Results); !ok {
		dst = dst[:mark]
	}
	return append(dst, '}')
}

// appendResults appends results, unless there are none or some clients cannot read them.
func appendResults(dst []byte, results json.RawMessage) ([]byte, bool) {
	from := len(dst)
	dst = jsonvalue.AppendCompact(dst, results)
	return dst, jsonvalue.Valid(dst[from:]) && string(dst[from:]) != "null"
}

// appendCursor appends a string or an integer, whole or not at all.
func appendCursor(dst []byte, v any) ([]byte, bool) {
	switch v := v.(type) {
	case nil:
		return dst, false
	case json.Number:
		return appendInteger(dst, v)
	}
	if r := reflect.ValueOf(v); r.Kind() == reflect.String {
		text := sanitize.Identifier(r.String())
		return appendQuoted(dst, text), text != ""
	}
	before := len(dst)
	dst, ok := appendValue(dst, v)
	if !ok {
		return dst[:before], false
	}
	return appendInteger(dst[:before], json.Number(dst[before:]))
}

// appendInteger appends a number if it is an integer. Up to 2^53, 16.0 and 1e3 are integers too.
func appendInteger(dst []byte, n json.Number) ([]byte, bool) {
	before := len(dst)
	dst, ok := appendNumber(dst, n)
	if ok && strings.Trim(strings.TrimPrefix(string(n), "-"), "0123456789") == "" {
		return dst, true
	}
	f, err := n.Float64()
	if !ok || err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return dst[:before], false
	}
	return strconv.AppendInt(dst[:before], int64(f), 10), true
}
