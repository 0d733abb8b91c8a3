package toolerr

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// appendPartial has no limit of its own: the results are data.
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
	if results, ok := compactJSON(p.Results); ok && string(results) != "null" {
		dst = append(append(dst, `,"results":`...), results...)
	}
	return append(dst, '}')
}

// appendCursor appends a string or an integer, whole or not at all.
func appendCursor(dst []byte, v any) ([]byte, bool) {
	if v == nil {
		return dst, false
	}
	if r := reflect.ValueOf(v); r.Kind() == reflect.String && r.Type() != reflect.TypeFor[json.Number]() {
		text := sanitize.Identifier(r.String())
		return appendQuoted(dst, text), text != ""
	}
	before := len(dst)
	dst, ok := appendValue(dst, v)
	number := string(dst[before:])
	if ok && strings.Trim(strings.TrimPrefix(number, "-"), "0123456789") == "" {
		return dst, number != ""
	}
	f, err := strconv.ParseFloat(number, 64) // 16.0 and 1e3 are integers too
	if !ok || err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return dst[:before], false
	}
	return strconv.AppendInt(dst[:before], int64(f), 10), true
}

// compactJSON returns raw without white space between its tokens and in valid
// UTF-8, and whether it is JSON that a client can read at all.
func compactJSON(raw json.RawMessage) ([]byte, bool) {
	if !utf8.Valid(raw) {
		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	if !jsonvalue.Valid(raw) {
		return nil, false
	}
	var b bytes.Buffer
	err := json.Compact(&b, raw)
	return b.Bytes(), err == nil
}
