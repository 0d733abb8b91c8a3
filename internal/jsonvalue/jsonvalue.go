// Package jsonvalue is the one reader and writer of JSON in this module. It encodes without
// HTML escaping, and decodes with all digits of numbers. [Scanner] reads a text without
// decoding it.
package jsonvalue

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Marshal is [json.Marshal] without HTML escaping.
func Marshal(v any) ([]byte, error) {
	e, _ := encoders.Get().(*encoder)
	defer func() {
		if e.buf.Cap() <= maxKept {
			e.buf.Reset()
			encoders.Put(e)
		}
	}()
	if err := e.enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.Clone(bytes.TrimSuffix(e.buf.Bytes(), []byte("\n"))), nil
}

// maxKept is the maximum size, in bytes, of a buffer that is reused. Chosen: most values
// are smaller, and the memory is negligible.
const maxKept = 64 << 10

// An encoder writes to a reused buffer. Results are copies.
type encoder struct {
	buf bytes.Buffer
	enc *json.Encoder
}

var encoders = sync.Pool{New: func() any {
	e := new(encoder)
	e.enc = json.NewEncoder(&e.buf)
	e.enc.SetEscapeHTML(false)
	return e
}}

// Unmarshal is [json.Unmarshal], except that numbers are decoded into [json.Number] if v
// leaves the type open.
func Unmarshal(raw []byte, v any) error {
	if object, ok := v.(*map[string]any); ok && object != nil && *object == nil { // most often arguments
		decoded, _ := Decode(raw)
		if m, isObject := decoded.(map[string]any); isObject {
			*object = m
			return nil
		}
	}
	if t := reflect.TypeOf(v); t != nil && t.Kind() == reflect.Pointer && IsPlain(t.Elem()) {
		return json.Unmarshal(raw, v)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("jsonvalue: more than one value")
	}
	return nil
}

// Decode returns raw as Go's basic types, with numbers as [json.Number], and reports
// whether it is JSON.
func Decode(raw []byte) (v any, ok bool) {
	s := Scanner{data: raw, whole: string(raw)} // texts are parts of one copy
	if v = s.decode(); !s.Done() {
		return nil, false
	}
	return v, true
}

// decode reads a value and returns it as Go's basic types.
func (s *Scanner) decode() any {
	switch s.Kind() {
	case '{':
		object := map[string]any{}
		for more := s.Open(); more; more = s.More('}') {
			name, _ := s.Text(s.Name())
			object[name] = s.decode()
		}
		return object
	case '[':
		list := []any{}
		for more := s.Open(); more; more = s.More(']') {
			list = append(list, s.decode())
		}
		return list
	}
	v := s.Value()
	switch v.Kind {
	case '"':
		text, _ := s.Text(v)
		return text
	case '0':
		return json.Number(s.part(v.from, v.to))
	case 't', 'f':
		return v.Kind == 't'
	}
	return nil
}

// Object decodes a text that is one JSON object, with numbers as [json.Number], and reports
// whether it is one.
func Object(text string) (m map[string]any, ok bool) {
	if text = strings.TrimSpace(text); text == "" || text[0] != '{' {
		return nil, false
	}
	v, _ := Decode([]byte(text))
	m, ok = v.(map[string]any)
	return m, ok
}

// Recode returns v as [Decode] would return its encoding. The result shares no object or
// list with v. The error is that of [Marshal].
func Recode(v any) (any, error) {
	const maxDepth = 64 // chosen: arguments are less deep; a value that contains itself has no end
	if same, ok := recode(v, maxDepth); ok {
		return same, nil
	}
	raw, err := Marshal(v)
	if err != nil {
		return nil, err
	}
	v, _ = Decode(raw)
	return v, nil
}

// recode copies a value that consists of objects, lists, texts, integers and booleans.
func recode(v any, depth int) (_ any, ok bool) {
	if depth < 0 {
		return nil, false
	}
	switch v := v.(type) {
	case nil, bool:
		return v, true
	case string:
		return v, utf8.ValidString(v)
	case int:
		return json.Number(strconv.Itoa(v)), true
	case float64:
		const exact = 1 << 53
		return json.Number(strconv.FormatFloat(v, 'f', -1, 64)), v == math.Trunc(v) && -exact < v && v < exact
	case map[string]any:
		c := make(map[string]any, len(v))
		for name, item := range v {
			if c[name], ok = recode(item, depth-1); !ok || !utf8.ValidString(name) {
				return nil, false
			}
		}
		return c, v != nil
	case []any:
		c := make([]any, len(v))
		for i, item := range v {
			if c[i], ok = recode(item, depth-1); !ok {
				return nil, false
			}
		}
		return c, v != nil
	}
	return nil, false
}

// TypeOf returns the JSON Schema type of a value that [Decode] returns: null, string,
// boolean, array, object, or number for all others, including integers.
func TypeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}
