package jsonvalue

import (
	"bytes"
	"unicode/utf8"
)

// AppendCompact appends a JSON text without the white space between its tokens and in
// valid UTF-8, and reports whether it is JSON at all and not null. If it is not, nothing
// is appended.
func AppendCompact(dst, raw []byte) ([]byte, bool) {
	s := Scanner{data: raw}
	v := s.Value()
	if !s.Done() || v.Kind == 'n' {
		return dst, false
	}
	raw = s.Raw(v)
	if v.marks&isWide != 0 && !utf8.Valid(raw) {
		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	if v.marks&isSpaced == 0 {
		return append(dst, raw...), true
	}
	s = Scanner{data: raw}
	for from := 0; ; from = s.at {
		for s.at < len(raw) && raw[s.at] > ' ' && raw[s.at] != '"' {
			s.at++
		}
		if s.at < len(raw) && raw[s.at] == '"' {
			s.text()
		}
		dst = append(dst, raw[from:s.at]...)
		if s.at == len(raw) {
			return dst, true
		}
		s.space()
	}
}
