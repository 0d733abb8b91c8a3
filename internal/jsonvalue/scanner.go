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
	depth int

	unreadable bool // nested deeper than MaxNesting, or a number over the range of a float64
}

// A Span is a value in the text of a [Scanner].
type Span struct {
	// Kind is '{', '[', '"', 't', 'f', 'n', '0' for a number, or 0 at the end.
	Kind     byte
	from, to int
}

// NewScanner returns a Scanner for a text. The text must not be changed while it is read.
func NewScanner(data []byte) Scanner { return Scanner{data: data} }

// Raw returns the text of a value or a name. The result shares memory with the Scanner's text.
func (s *Scanner) Raw(v Span) []byte { return s.data[v.from:v.to] }

// textOf returns a string's text, or a number, in the memory of whole if it is set.
func (s *Scanner) textOf(v Span) string {
	raw := s.Raw(v)
	if s.whole != "" && isPlain(raw) {
		return strings.Trim(s.whole[v.from:v.to], `"`)
	}
	if v.Kind == '"' {
		return unquoted(raw)
	}
	return string(raw)
}

// Kind returns the kind of the next value without reading it: see [Span].
func (s *Scanner) Kind() byte {
	if s.space(); s.at == len(s.data) {
		return 0
	}
	if c := s.data[s.at]; c != '-' && (c < '0' || c > '9') {
		return c
	}
	return '0'
}

// Value reads a value and returns it.
func (s *Scanner) Value() Span {
	v := Span{Kind: s.Kind(), from: s.at}
	outside := s.depth
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
	s.depth, v.to = outside, s.at
	return v
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

// Name reads the name of a member and the colon after it.
func (s *Scanner) Name() Span {
	s.space()
	v := Span{Kind: '"', from: s.at}
	s.text()
	v.to = s.at
	s.skip()
	return v
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
