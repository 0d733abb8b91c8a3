// Package jsonvalue encodes and decodes JSON as this module needs it everywhere:
// without HTML escaping on the way out, and with all the digits of numbers on the
// way in.
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

// maxKept is the largest buffer that is used again, in bytes. Chosen: most values are
// smaller, and nobody misses so much memory.
const maxKept = 64 << 10

// An encoder writes to a buffer that is used again. What it returns is copied.
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

// Unmarshal is [json.Unmarshal] that decodes numbers into [json.Number] where v
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

// Decode returns raw as Go's plain types, numbers as [json.Number], and reports
// whether it is JSON.
func Decode(raw []byte) (v any, ok bool) {
	if Unmarshal(raw, &v) != nil {
		return nil, false
	}
	return v, true
}

// Object decodes text that is a JSON object as a whole, numbers as [json.Number],
// and reports whether it is one.
func Object(text string) (m map[string]any, ok bool) {
	if text = strings.TrimSpace(text); text == "" || text[0] != '{' {
		return nil, false
	}
	if Unmarshal([]byte(text), &m) != nil {
		return nil, false
	}
	return m, true
}
