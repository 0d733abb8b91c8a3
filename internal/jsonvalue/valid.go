package jsonvalue

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

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
