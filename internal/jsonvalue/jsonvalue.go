// Package jsonvalue reads and writes JSON for this module's packages. It encodes without HTML
// escaping, and keeps all digits of numbers. [Scanner] reads a text without decoding it.
package jsonvalue

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Marshal is [json.Marshal] without HTML escaping.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Unmarshal is like [json.Unmarshal], but decodes numbers of open type into [json.Number].
func Unmarshal(raw []byte, v any) error {
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

// Decode decodes raw into an any, as [Unmarshal] does, and reports whether raw is JSON.
func Decode(raw []byte) (v any, ok bool) {
	return DecodeNumbers(raw, func(n json.Number) any { return n })
}

// DecodeNumbers is [Decode] with what read returns in place of each number.
func DecodeNumbers(raw []byte, read func(json.Number) any) (v any, ok bool) {
	const longest = 8 << 10 // an envelope; a part of a larger text does not keep it in memory
	s := NewScanner(raw)
	if len(raw) <= longest {
		s.whole = string(raw)
	}
	if v = s.decode(read); !s.Done() {
		return nil, false
	}
	return v, true
}

func (s *Scanner) decode(read func(json.Number) any) any {
	switch s.Kind() {
	case '{':
		object := map[string]any{}
		for more := s.Open(); more; more = s.More('}') {
			name := s.textOf(s.Name())
			object[name] = s.decode(read)
		}
		return object
	case '[':
		list := []any{}
		for more := s.Open(); more; more = s.More(']') {
			list = append(list, s.decode(read))
		}
		return list
	}
	v := s.Value()
	switch v.Kind {
	case '"':
		return s.textOf(v)
	case '0':
		return read(json.Number(s.textOf(v)))
	case 't', 'f':
		return v.Kind == 't'
	}
	return nil
}

// MembersOf returns the members of an object by name, which share memory with raw, and reports whether
// raw is one.
func MembersOf[Object ~map[string]json.RawMessage](raw []byte) (all Object, ok bool) {
	s := Scanner{data: raw, whole: string(raw)}
	if s.Kind() != '{' {
		return nil, false
	}
	all = make(Object, min(len(raw)/24, 16)) // an envelope has about 16, of 24 bytes
	for more := s.Open(); more; more = s.More('}') {
		name := s.textOf(s.Name())
		all[name] = s.Raw(s.Value())
	}
	return all, s.Done()
}

// Items returns the items of a list, or none of other values. They share memory with raw.
func Items(raw []byte) (items [][]byte) {
	s := NewScanner(raw)
	for more := s.Kind() == '[' && s.Open(); more; more = s.More(']') {
		items = append(items, s.Raw(s.Value()))
	}
	return items
}

// Text returns the text of a string without space around it, and reports whether raw is one. An
// unpaired surrogate and invalid UTF-8 are decoded as U+FFFD.
func Text(raw []byte) (text string, ok bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	if inner := raw[1 : len(raw)-1]; isPlain(inner) {
		return string(inner), true
	}
	var decoded string // text would be on the heap for each string
	_ = json.Unmarshal(raw, &decoded)
	return decoded, true
}

// isPlain reports whether the text between quotes is that of the string.
func isPlain(inner []byte) bool { return bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) }

// Object decodes a text and reports whether it is one JSON object. Numbers become [json.Number].
func Object(text string) (m map[string]any, ok bool) {
	data := []byte(strings.TrimSpace(text))
	if s := NewScanner(data); s.Kind() == '{' {
		v, _ := Decode(data)
		m, ok = v.(map[string]any)
	}
	return m, ok
}

// Recode encodes v and returns what [Decode] makes of it. The result shares no object or list with
// v. It returns [Marshal]'s errors.
func Recode(v any) (any, error) {
	raw, err := Marshal(v)
	v, _ = Decode(raw)
	return v, err
}

// types are the JSON Schema types of decoded values.
var types = map[reflect.Type]string{
	reflect.TypeFor[string](): "string", reflect.TypeFor[bool](): "boolean",
	reflect.TypeFor[[]any](): "array", reflect.TypeFor[map[string]any](): "object",
}

// TypeOf returns the JSON Schema type of a value that [Decode] returns: null, string,
// boolean, array, object, or number for all others, including integers.
func TypeOf(v any) string {
	if v == nil {
		return "null"
	}
	return cmp.Or(types[reflect.TypeOf(v)], "number")
}

// IsZero reports whether a decoded value is null, false, 0, or an empty string, list or object.
func IsZero(v any) bool {
	switch v := v.(type) {
	case json.Number:
		return number(string(v)) == "0"
	case []any, map[string]any:
		return reflect.ValueOf(v).Len() == 0
	}
	return v == nil || v == false || v == "" || v == float64(0)
}

// IsVoid reports whether a decoded value is zero (see [IsZero]), or an object whose members all are void. The
// members whose names are ignored do not count.
func IsVoid(v any, ignored func(name string) bool) bool {
	object, isObject := v.(map[string]any)
	for name, member := range object {
		if !ignored(name) && !IsVoid(member, ignored) {
			return false
		}
	}
	return isObject || IsZero(v)
}

// MaxNesting is the maximum nesting depth of raw JSON. The SDK's clients reject messages nested
// deeper than 1,000, Python's decoder has a similar limit, and the message around the value adds a
// few levels.
const MaxNesting = 990

// Valid reports whether raw is one JSON value that every client can read inside a message: valid
// UTF-8, not nested deeper than [MaxNesting], and without numbers that are too large for a float64
// (see [IsFloat]). Valid takes linear time, and allocates only for unusual numbers.
func Valid(raw []byte) bool {
	s := Scanner{data: raw}
	s.Value()
	return s.Done() && !s.unreadable && utf8.Valid(raw)
}

// IsFloat reports whether a JSON number is in the range of a float64, the type that most decoders
// use. Go's and Rust's decoders return an error for a larger number, and the client then loses the
// whole message. Digits beyond a float64's precision do not matter.
func IsFloat(number string) bool {
	_, err := strconv.ParseFloat(number, 64)
	return err == nil
}

// IsNumber reports whether the whole text is a JSON number.
func IsNumber(text string) bool {
	s := Scanner{data: []byte(text)}
	v := s.Value()
	return v.Kind == '0' && v.to-v.from == len(text)
}

// AppendCompact appends a JSON text in valid UTF-8, without white space between its tokens. It
// appends nothing if raw is not JSON.
func AppendCompact(dst, raw []byte) []byte {
	if !utf8.Valid(raw) {
		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	b := bytes.NewBuffer(dst)
	_ = json.Compact(b, raw) // appends nothing if it fails
	return b.Bytes()
}
