package jsonvalue

import (
	"bytes"
	"unicode/utf8"
)

// AppendCompact appends a JSON text without white space between its tokens and in valid
// UTF-8, and reports whether it is JSON that every client can read, as [Valid] does, and not
// null. Otherwise it appends nothing.
func AppendCompact(dst, raw []byte) ([]byte, bool) {
	s := Scanner{data: raw}
	v := s.Value()
	if !s.Done() || v.Kind == 'n' || v.marks&isUnreadable != 0 {
		return dst, false
	}
	return s.AppendCompact(dst, v), true
}

// AppendCompact appends a value without white space between its tokens and in valid UTF-8.
func (s *Scanner) AppendCompact(dst []byte, v Span) []byte {
	raw := s.data[v.from:v.to]
	if v.marks&isWide != 0 && !utf8.Valid(raw) {
		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	if v.marks&isSpaced == 0 {
		return append(dst, raw...)
	}
	in := Scanner{data: raw}
	for from := 0; ; from = in.at {
		for in.at < len(raw) && raw[in.at] > ' ' && raw[in.at] != '"' {
			in.at++
		}
		if in.at < len(raw) && raw[in.at] == '"' {
			in.text()
		}
		dst = append(dst, raw[from:in.at]...)
		if in.at == len(raw) {
			return dst
		}
		in.space()
	}
}
