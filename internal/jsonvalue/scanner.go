package jsonvalue

// A Scanner reads a JSON text from its beginning and checks it as [encoding/json] does. It stops at
// the first token that is not JSON; then there are no more values, and [Scanner.Done] is false. A
// Scanner is not safe for concurrent use.
type Scanner struct {
	data  []byte
	whole string // data, once a part was returned, unless data is longer than maxWhole
	at    int
	depth int
	stop  int // 1 plus the offset of the error, or 0

	unreadable bool // nested deeper than MaxNesting, or a number over the range of a float64
}

// A Span is a value in the text of a [Scanner]. The zero Span is no value.
type Span struct {
	// Kind is '{', '[', '"', 't', 'f', 'n', '0' for a number, or 0 for no value.
	Kind     byte
	from, to int
}

const (
	// maxWhole is the maximum length, in bytes, of a text that is kept in memory while a part of it
	// is used. It is the maximum size of an envelope without partial. Parts of a larger text are
	// copied.
	maxWhole = 8 << 10
	// maxDepth is the maximum nesting depth of a value: the limit of encoding/json.
	maxDepth = 10_000
)

// NewScanner returns a Scanner for a text. The text must not be changed while it is read.
func NewScanner(data []byte) Scanner { return Scanner{data: data} }

// In returns a Scanner positioned before a value that s has read.
func (s *Scanner) In(v Span) Scanner {
	_ = s.part(v.from, v.from) // they share the whole
	return Scanner{data: s.data, whole: s.whole, at: v.from}
}

// Done reports whether the text is JSON and ends after the values that were read.
func (s *Scanner) Done() bool {
	s.space()
	return s.stop == 0 && s.at == len(s.data)
}

// Offset returns the number of bytes read before the error, or so far if there is none.
func (s *Scanner) Offset() int {
	if s.stop > 0 {
		return s.stop - 1
	}
	return s.at
}

// Value reads a value and returns it.
func (s *Scanner) Value() Span {
	s.space()
	v := Span{from: s.at}
	v.Kind = s.skip()
	v.to = s.at
	if s.stop > 0 {
		return Span{}
	}
	return v
}

// Kind returns the kind of the next value without reading it: see [Span]. It may be set even if the
// value turns out to be invalid.
func (s *Scanner) Kind() byte {
	s.space()
	if s.at == len(s.data) {
		return 0
	}
	if c := s.data[s.at]; c != '-' && (c < '0' || c > '9') {
		return c
	}
	return '0'
}

// Open enters the next object or list, and reports whether it has any items.
func (s *Scanner) Open() bool {
	s.space()
	if s.at == len(s.data) || s.data[s.at]|0x20 != '{' {
		return s.fail()
	}
	end := s.data[s.at] + 2
	if s.depth++; s.depth > MaxNesting {
		if s.unreadable = true; s.depth > maxDepth {
			return s.fail()
		}
	}
	s.at++
	if s.space(); s.accept(end, end) {
		s.depth--
		return false
	}
	return true
}

// More continues after a value, and reports whether another value or a name follows. Otherwise it
// leaves the object or list; end is '}' or ']'.
func (s *Scanner) More(end byte) bool {
	s.space()
	switch {
	case s.accept(',', ','):
		return true
	case s.accept(end, end):
		s.depth--
		return false
	}
	return s.fail()
}

// Name reads the name of a member and the colon after it.
func (s *Scanner) Name() Span {
	s.space()
	v := Span{Kind: '"', from: s.at}
	s.text()
	v.to = s.at
	if s.space(); !s.accept(':', ':') {
		s.fail()
	}
	if s.stop > 0 {
		return Span{}
	}
	return v
}

// Members reads an object. Of two members with the same name, the last counts.
func (s *Scanner) Members() map[string]Span {
	all := map[string]Span{}
	for more := s.Open(); more; more = s.More('}') {
		name, _ := s.Text(s.Name())
		all[name] = s.Value()
	}
	return all
}

func (s *Scanner) fail() bool {
	if s.stop == 0 {
		s.stop = s.at + 1
	}
	s.at = len(s.data) // ends every loop
	return false
}

// Raw returns the text of a value or a name. The result shares memory with the Scanner's text.
func (s *Scanner) Raw(v Span) []byte { return s.data[v.from:v.to] }
