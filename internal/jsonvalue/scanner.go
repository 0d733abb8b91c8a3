package jsonvalue

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
)

// A Scanner reads a JSON text from its beginning and checks it as [encoding/json] does. It stops at
// the first token that is not JSON; then there are no more values, and [Scanner.Done] is false. A
// Scanner is not safe for concurrent use.
type Scanner struct {
	data   []byte
	whole  string // data, if the texts share its memory
	at     int
	depth  int
	failed bool

	unreadable bool // nested deeper than MaxNesting, or a number over the range of a float64
}

// A Span is a value in the text of a [Scanner]. The zero Span is no value.
type Span struct {
	// Kind is '{', '[', '"', 't', 'f', 'n', '0' for a number, or 0 for no value.
	Kind     byte
	from, to int
}

// NewScanner returns a Scanner for a text. The text must not be changed while it is read.
func NewScanner(data []byte) Scanner { return Scanner{data: data} }

// Done reports whether the text is JSON and ends after the values that were read.
func (s *Scanner) Done() bool {
	s.space()
	return !s.failed && s.at == len(s.data)
}

// Raw returns the text of a value or a name. The result shares memory with the Scanner's text.
func (s *Scanner) Raw(v Span) []byte { return s.data[v.from:v.to] }

// textOf returns a string's text, or a number, in the memory of whole if it is set.
func (s *Scanner) textOf(v Span) string {
	raw := s.Raw(v)
	if s.whole != "" && isPlain(raw) {
		return strings.Trim(s.whole[v.from:v.to], `"`)
	}
	if text, isText := Text(raw); isText {
		return text
	}
	return string(raw)
}

// Kind returns the kind of the next value without reading it: see [Span]. It may be set even if the
// value turns out to be invalid.
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
	switch v.Kind {
	case '"':
		s.text()
	case '{', '[':
		for more := s.Open(); more; more = s.More(v.Kind + 2) {
			if v.Kind == '{' {
				s.Name()
			}
			s.Value()
		}
	case '0':
		s.number()
	default:
		if word := cmp.Or(words[v.Kind], "null"); bytes.HasPrefix(s.data[s.at:], []byte(word)) {
			s.at += len(word)
		} else {
			s.fail()
		}
	}
	if v.to = s.at; s.failed {
		return Span{}
	}
	return v
}

var words = [256]string{'t': "true", 'f': "false"} // by their first letter

// Open enters the next object or list, and reports whether it has any items.
func (s *Scanner) Open() bool {
	const maxDepth = 10_000 // the limit of encoding/json
	kind := s.Kind()
	if s.depth++; kind != '{' && kind != '[' || s.depth > maxDepth {
		return s.fail()
	}
	s.unreadable = s.unreadable || s.depth > MaxNesting
	s.at++
	if s.space(); s.accept(kind + 2) {
		s.depth--
		return false
	}
	return true
}

// More continues after a value, and reports whether another value or a name follows. Otherwise it
// leaves the object or list; end is '}' or ']'.
func (s *Scanner) More(end byte) bool {
	if s.space(); s.accept(',') {
		return true
	}
	if s.depth--; !s.accept(end) {
		s.fail()
	}
	return false
}

// Name reads the name of a member and the colon after it.
func (s *Scanner) Name() Span {
	s.space()
	v := Span{Kind: '"', from: s.at}
	s.text()
	v.to = s.at
	if s.space(); !s.accept(':') {
		s.fail()
		return Span{}
	}
	return v
}

func (s *Scanner) fail() bool {
	s.failed, s.at = true, len(s.data) // ends every loop
	return false
}

func (s *Scanner) space() {
	for s.at < len(s.data) &&
		(s.data[s.at] == ' ' || s.data[s.at] == '\n' || s.data[s.at] == '\t' || s.data[s.at] == '\r') {
		s.at++
	}
}

func (s *Scanner) accept(c byte) bool {
	if s.at == len(s.data) || s.data[s.at] != c {
		return false
	}
	s.at++
	return true
}

func (s *Scanner) number() {
	const longest = 300 // characters of a number without an exponent that surely fits a float64
	from := s.at
	s.accept('-')
	if !s.accept('0') {
		s.digits()
	}
	if s.accept('.') {
		s.digits()
	}
	hasExponent := s.accept('e') || s.accept('E')
	if hasExponent {
		_ = s.accept('+') || s.accept('-')
		s.digits()
	}
	if hasExponent || s.at-from > longest {
		s.unreadable = s.unreadable || !IsFloat(string(s.data[from:s.at]))
	}
}

func (s *Scanner) digits() {
	from := s.at
	for s.at < len(s.data) && '0' <= s.data[s.at] && s.data[s.at] <= '9' {
		s.at++
	}
	if s.at == from {
		s.fail()
	}
}

func (s *Scanner) text() {
	if !s.accept('"') {
		s.fail()
		return
	}
	data := s.data
	for i := s.at; i < len(data) && data[i] >= ' '; i++ {
		if data[i] == '"' {
			s.at = i + 1
			return
		}
		if data[i] == '\\' {
			if i++; !isEscape(data[i:]) {
				break
			}
		}
	}
	s.fail()
}

// isEscape reports whether a text goes on with an escape, whose backslash was read.
func isEscape(data []byte) bool {
	if len(data) > 4 && data[0] == 'u' {
		_, err := strconv.ParseUint(string(data[1:5]), 16, 64)
		return err == nil
	}
	return len(data) > 0 && strings.IndexByte(`"\/bfnrt`, data[0]) >= 0
}
