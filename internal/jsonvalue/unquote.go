package jsonvalue

import (
	"encoding/json"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns the text of a string, and whether v is a string. Half a surrogate pair and
// invalid UTF-8 are decoded as U+FFFD.
func (s *Scanner) Text(v Span) (text string, ok bool) {
	if v.Kind != '"' {
		return "", false
	}
	if v.IsPlain() {
		return s.part(v.from+1, v.to-1), true
	}
	raw := s.data[v.from+1 : v.to-1]
	if v.marks&isEscaped == 0 && utf8.Valid(raw) {
		return s.part(v.from+1, v.to-1), true
	}
	var short [128]byte
	return string(unquote(short[:0], raw)), true
}

// Number returns the spelling of a number, and whether v is a number or a string that
// contains one, as [json.Number] accepts both.
func (s *Scanner) Number(v Span) (n json.Number, ok bool) {
	switch v.Kind {
	case '0':
		return json.Number(s.part(v.from, v.to)), true
	case '"':
		text, _ := s.Text(v)
		return json.Number(text), IsNumber(text)
	}
	return "", false
}

// IsNumber reports whether a whole text is a JSON number.
func IsNumber(text string) bool {
	s := Scanner{data: []byte(text)}
	v := s.Value()
	return v.Kind == '0' && v.to-v.from == len(text)
}

func (s *Scanner) part(from, to int) string {
	if s.whole != "" {
		return s.whole[from:to]
	}
	return string(s.data[from:to])
}

// unquote appends the decoded content of a string.
func unquote(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '\\' && raw[i+1] == 'u':
			r := hex(raw[i:])
			i += 6
			if utf16.IsSurrogate(r) {
				if r = utf16.DecodeRune(r, hex(raw[i:])); r != utf8.RuneError {
					i += 6
				}
			}
			dst = utf8.AppendRune(dst, r)
		case c == '\\':
			dst = append(dst, unescaped(raw[i+1]))
			i += 2
		case c < utf8.RuneSelf:
			dst = append(dst, c)
			i++
		default:
			r, size := utf8.DecodeRune(raw[i:])
			dst = utf8.AppendRune(dst, r)
			i += size
		}
	}
	return dst
}

// unescaped returns the character that an escape of two characters represents, given the
// second one.
func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c // ", \ or /
}

// hex returns the code unit of the escape \uXXXX at the beginning of a text, or -1.
func hex(data []byte) rune {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return -1
	}
	r := rune(0)
	for _, c := range data[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}
