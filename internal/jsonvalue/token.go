package jsonvalue

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// space skips whitespace.
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
			s.Name()
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
	if !bytes.HasPrefix(s.data[s.at:], []byte(w)) {
		s.fail()
		return
	}
	s.at += len(w)
}

// maxShort is the maximum length of a number without an exponent that surely fits a float64.
const maxShort = 300

func (s *Scanner) number() {
	from := s.at
	s.accept('-', '-')
	if !s.accept('0', '0') {
		s.digits()
	}
	if s.accept('.', '.') {
		s.digits()
	}
	hasExponent := s.accept('e', 'E')
	if hasExponent {
		s.accept('+', '-')
		s.digits()
	}
	if (hasExponent || s.at-from > maxShort) && !IsFloat(string(s.data[from:s.at])) {
		s.unreadable = true
	}
}

// accept reads the next character if it is a or b, and reports whether it is.
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
		switch c := data[i]; {
		case c == '"':
			s.at = i + 1
			return
		case c == '\\':
			n := escape(data[i+1:])
			if i += n; n == 0 {
				s.fail()
				return
			}
		case c < ' ':
			s.fail()
			return
		}
	}
	s.fail()
}

// escape returns the length of the escape after a backslash, or 0.
func escape(data []byte) int {
	switch {
	case len(data) > 0 && strings.IndexByte(`"\/bfnrt`, data[0]) >= 0:
		return 1
	case len(data) > 4 && data[0] == 'u':
		if _, err := strconv.ParseUint(string(data[1:5]), 16, 16); err == nil {
			return 5
		}
	}
	return 0
}

// Text returns the text of a string, and whether v is a string. An unpaired surrogate and invalid
// UTF-8 are decoded as U+FFFD.
func (s *Scanner) Text(v Span) (text string, ok bool) {
	if v.Kind != '"' {
		return "", false
	}
	if raw := s.data[v.from+1 : v.to-1]; bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return s.part(v.from+1, v.to-1), true
	}
	return unquoted(s.Raw(v)), true
}

func unquoted(raw []byte) (text string) {
	_ = json.Unmarshal(raw, &text) // it is a string
	return text
}

// Number returns the spelling of a number, and whether v is a number or a string that contains one:
// [json.Number] accepts both.
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
	if len(s.data) > maxWhole {
		return string(s.data[from:to])
	}
	if s.whole == "" {
		s.whole = string(s.data)
	}
	return s.whole[from:to]
}
