// Package jsonvalue encodes JSON without HTML escaping, and decodes it with all digits of
// numbers.
package jsonvalue

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"sync"
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
	if t := reflect.TypeOf(v); t != nil && !leavesOpen(t) {
		return json.Unmarshal(raw, v)
	}
	if decode(raw, v) {
		return nil
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
	if Unmarshal(raw, &v) != nil {
		return nil, false
	}
	return v, true
}

// Object decodes a text that is one JSON object, with numbers as [json.Number], and reports
// whether it is one.
func Object(text string) (m map[string]any, ok bool) {
	if text = strings.TrimSpace(text); text == "" || text[0] != '{' {
		return nil, false
	}
	if Unmarshal([]byte(text), &m) != nil {
		return nil, false
	}
	return m, true
}
