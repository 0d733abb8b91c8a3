package jsonvalue

import (
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// space skips white space.
func (s *Scanner) space() {
	for s.at < len(s.data) && (s.data[s.at] == ' ' || s.data[s.at] == '\n' || s.data[s.at] == '\t' || s.data[s.at] == '\r') {
		s.at++
	}
}

// skip reads a value and returns its kind.
func (s *Scanner) skip() byte {
	kind := s.Kind()
	switch kind {
	case '"':
		s.text()
	case '{':
		for more := s.Open(); more; more = s.More('}') {
			s.space()
			s.text()
			s.colon()
			s.skip()
		}
	case '[':
		for more := s.Open(); more; more = s.More(']') {
			s.skip()
		}
	case '0':
		s.number()
	case 't':
		s.word("true")
	case 'f':
		s.word("false")
	case 'n':
		s.word("null")
	default:
		s.fail()
	}
	return kind
}

func (s *Scanner) word(w string) {
	if len(s.data)-s.at < len(w) || string(s.data[s.at:s.at+len(w)]) != w {
		s.fail()
		return
	}
	s.at += len(w)
}

// maxShort is the maximum length of a number without exponent that is surely in the range of
// a float64. Chosen: less than 308, the largest power of ten of a float64.
const maxShort = 200

func (s *Scanner) number() {
	from, exponent := s.at, 0
	s.accept('-', '-')
	if !s.accept('0', '0') {
		s.digits()
	}
	if s.accept('.', '.') {
		s.digits()
	}
	if s.accept('e', 'E') {
		s.accept('+', '-')
		exponent = s.at
		s.digits()
		exponent = s.at - exponent
	}
	if (exponent > 2 || s.at-from > maxShort) && s.stop == 0 && !IsFloat(string(s.data[from:s.at])) {
		s.marks |= isUnreadable
	}
}

// accept reads one of two characters, and reports whether it is next.
func (s *Scanner) accept(a, b byte) bool {
	if s.at == len(s.data) || s.data[s.at] != a && s.data[s.at] != b {
		return false
	}
	s.at++
	return true
}

// digits reads one or more digits.
func (s *Scanner) digits() {
	from := s.at
	for s.at < len(s.data) && '0' <= s.data[s.at] && s.data[s.at] <= '9' {
		s.at++
	}
	if s.at == from {
		s.fail()
	}
}

// text reads a string.
func (s *Scanner) text() {
	if !s.accept('"', '"') {
		s.fail()
		return
	}
	data := s.data
	for i := s.at; i < len(data); i++ {
		switch class := classes[data[i]]; class {
		case plain:
		case wide:
			s.marks |= isWide
		case quote:
			s.at = i + 1
			return
		case backslash:
			s.marks |= isEscaped
			n := escape(data[i:])
			if i += n - 1; n == 0 {
				s.fail()
				return
			}
		default:
			s.fail()
			return
		}
	}
	s.fail()
}

// The classes of bytes in a string.
const (
	control = iota // not allowed
	plain
	wide
	quote
	backslash
)

var classes = func() (c [256]byte) {
	for i := ' '; i < 256; i++ {
		c[i] = plain
		if i >= 0x7f {
			c[i] = wide
		}
	}
	c['"'], c['\\'] = quote, backslash
	return c
}()

// escape returns the length of the escape at the beginning of a text, or 0.
func escape(data []byte) int {
	if len(data) < 2 {
		return 0
	}
	switch data[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if hex(data) >= 0 {
			return 6
		}
	}
	return 0
}

// Text returns the text of a string, and whether v is a string. Half a surrogate pair and
// invalid UTF-8 are decoded as U+FFFD.
func (s *Scanner) Text(v Span) (text string, ok bool) {
	if v.Kind != '"' {
		return "", false
	}
	if v.IsPlain() || v.marks&isEscaped == 0 && utf8.Valid(s.Raw(v)) {
		return s.part(v.from+1, v.to-1), true
	}
	var short [128]byte
	return string(unquote(short[:0], s.data[v.from+1:v.to-1])), true
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
			if at := strings.IndexByte("bfnrt", raw[i+1]); at >= 0 {
				dst = append(dst, "\b\f\n\r\t"[at])
			} else {
				dst = append(dst, raw[i+1]) // ", \ or /
			}
			i += 2
		default:
			r, size := utf8.DecodeRune(raw[i:])
			dst = utf8.AppendRune(dst, r)
			i += size
		}
	}
	return dst
}

// hex returns the code unit of the escape \uXXXX at the beginning of a text, or -1.
func hex(data []byte) rune {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return -1
	}
	r := rune(0)
	for _, c := range data[2:6] {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if digit < 0 || c < '0' {
			return -1
		}
		r = r<<4 | rune(digit)
	}
	return r
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

func (s *Scanner) part(from, to int) string {
	if s.whole != "" {
		return s.whole[from:to]
	}
	return string(s.data[from:to])
}
