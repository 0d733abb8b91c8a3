package jsonvalue

import (
	"bytes"
	"strings"
)

// A Scanner finds the values in a JSON text, without decoding it. It does not check the grammar, which is
// [json.Valid]'s: of a text that is not JSON it returns anything, but it ends. A Scanner is not safe for
// concurrent use.
type Scanner struct {
	data  []byte
	whole string // data, if the texts share its memory
	at    int
	from  int // where the last value or name begins
	depth int

	unreadable bool // nested deeper than MaxNesting, or a number over the range of a float64
}

// NewScanner returns a Scanner for a text. The text must not be changed while it is read.
func NewScanner(data []byte) Scanner { return Scanner{data: data} }

// textOf returns the text of the last string, or the last number, in the memory of whole if it is set.
func (s *Scanner) textOf(raw []byte) string {
	if s.whole != "" && isPlain(raw) {
		return strings.Trim(s.whole[s.from:s.from+len(raw)], `"`)
	}
	if raw[0] == '"' {
		return unquoted(raw)
	}
	return string(raw)
}

// Kind returns the kind of the next value without reading it: '{', '[', '"', 't', 'f', 'n', '0' for a number,
// or 0 at the end.
func (s *Scanner) Kind() byte {
	if s.space(); s.at == len(s.data) {
		return 0
	}
	if c := s.data[s.at]; c != '-' && (c < '0' || c > '9') {
		return c
	}
	return '0'
}

// Value reads a value and returns its text, which shares memory with the Scanner's, as a name does.
func (s *Scanner) Value() []byte {
	s.space()
	outside, from := s.depth, s.at
	for more := s.at < len(s.data); more; more = s.depth > outside && s.at < len(s.data) {
		switch kind := s.Kind(); kind {
		case '"':
			s.text()
		case '{', '[':
			s.enter()
		case '}', ']':
			s.depth--
			s.at++
		case ',', ':':
			s.at++
		default:
			s.plain(kind == '0')
		}
	}
	s.depth, s.from = outside, from
	return s.data[from:s.at]
}

// plain reads a number, true, false or null.
func (s *Scanner) plain(isNumber bool) {
	const longest = 300 // characters of a number without an exponent that surely fits a float64
	from := s.at
	for s.at < len(s.data) && strings.IndexByte(",]} \t\r\n", s.data[s.at]) < 0 {
		s.at++
	}
	if n := s.data[from:s.at]; isNumber && (len(n) > longest || bytes.ContainsAny(n, "eE")) {
		s.unreadable = s.unreadable || !IsFloat(string(n))
	}
}

func (s *Scanner) enter() {
	s.depth++
	s.unreadable = s.unreadable || s.depth > MaxNesting
	s.at++
}

// Open enters the next object or list, and reports whether it has any items.
func (s *Scanner) Open() bool {
	s.enter()
	if kind := s.Kind(); kind != '}' && kind != ']' {
		return kind != 0
	}
	s.depth--
	s.at++
	return false
}

// More continues after a value, and reports whether another value or a name follows. Otherwise it
// leaves the object or list.
func (s *Scanner) More() bool {
	if more := s.skip() == ','; more {
		return s.at < len(s.data)
	}
	s.depth--
	return false
}

// Name reads the name of a member, which it returns with its quotes, and the colon after it.
func (s *Scanner) Name() []byte {
	s.space()
	s.from = s.at
	s.text()
	name := s.data[s.from:s.at]
	s.skip()
	return name
}

// skip reads the next mark, and returns 0 at the end.
func (s *Scanner) skip() (mark byte) {
	if mark = s.Kind(); mark != 0 {
		s.at++
	}
	return mark
}

func (s *Scanner) space() {
	for s.at < len(s.data) &&
		(s.data[s.at] == ' ' || s.data[s.at] == '\n' || s.data[s.at] == '\t' || s.data[s.at] == '\r') {
		s.at++
	}
}

// text reads a string.
func (s *Scanner) text() {
	for s.at++; s.at < len(s.data) && s.data[s.at] != '"'; s.at++ {
		if s.data[s.at] == '\\' {
			s.at++
		}
	}
	s.at = min(s.at+1, len(s.data))
}
