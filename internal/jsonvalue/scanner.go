package jsonvalue

// A Scanner reads a JSON text from its beginning and checks what it passes, as
// [encoding/json] does. At the first byte that is not JSON it stops: from then on
// there are no more values, and [Scanner.Done] is false. It is not safe for concurrent
// use.
type Scanner struct {
	data  []byte
	whole string // data, unless that is too long to be kept for the sake of its parts
	at    int
	depth int
	stop  int   // where it failed, from 1; 0 if it did not
	marks marks // of what it passed
}

// A Span is a value of the text of a [Scanner]. The zero Span is no value.
type Span struct {
	// Kind is '{', '[', '"', 't', 'f', 'n' or, for a number, '0'. Of no value it is 0.
	Kind     byte
	marks    marks
	from, to int
}

// IsPlain reports whether there is only printable ASCII in a value, and no escape.
func (v Span) IsPlain() bool { return v.marks&(isEscaped|isWide) == 0 }

type marks uint8

const (
	isSpaced  marks = 1 << iota // there is white space between its tokens
	isEscaped                   // there is an escape in a string
	isWide                      // there is a byte outside of printable ASCII in a string
)

const (
	// maxWhole is how many bytes a text may have that is kept as a whole for the sake of
	// its parts. Chosen: no more than an envelope has, so that a part of a large text
	// keeps nothing else alive.
	maxWhole = 8 << 10
)

// NewScanner returns a Scanner of a text, which must not be changed while it is read.
func NewScanner(data []byte) Scanner {
	s := Scanner{data: data}
	if len(data) <= maxWhole {
		s.whole = string(data)
	}
	return s
}

// In returns a Scanner that stands before a value which s has passed.
func (s *Scanner) In(v Span) Scanner {
	return Scanner{data: s.data, whole: s.whole, at: v.from}
}

// Done reports whether the text ends behind the values that were read, and all of it
// was JSON.
func (s *Scanner) Done() bool {
	s.space()
	return s.stop == 0 && s.at == len(s.data)
}

// Offset returns how many bytes were read before the text was seen not to be JSON.
func (s *Scanner) Offset() int {
	if s.stop > 0 {
		return s.stop - 1
	}
	return s.at
}

// Value passes a value and returns it.
func (s *Scanner) Value() Span {
	s.space()
	before := s.marks
	s.marks = 0
	v := Span{from: s.at}
	v.Kind = s.skip()
	v.to, v.marks = s.at, s.marks
	s.marks |= before
	if s.stop > 0 {
		return Span{}
	}
	return v
}

// Kind returns the kind of the next value, without passing it; see [Span]. What is no
// value may have a kind too, until it is passed.
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

// Open enters the object or list that comes next, and reports whether there is anything
// in it.
func (s *Scanner) Open() bool {
	s.space()
	if s.at == len(s.data) || s.data[s.at]|0x20 != '{' {
		return s.fail()
	}
	end := s.data[s.at] + 2
	if s.depth++; s.depth > maxDepth {
		return s.fail()
	}
	s.at++
	s.space()
	if s.at < len(s.data) && s.data[s.at] == end {
		s.at++
		s.depth--
		return false
	}
	return true
}

// More leaves a value behind and reports whether another one, or its name, follows
// before the end, which is '}' or ']'. There the object or list is left.
func (s *Scanner) More(end byte) bool {
	s.space()
	if s.at == len(s.data) {
		return s.fail()
	}
	switch s.data[s.at] {
	case ',':
		s.at++
		return true
	case end:
		s.at++
		s.depth--
		return false
	}
	return s.fail()
}

// Name passes the name of a member and the colon behind it.
func (s *Scanner) Name() Span {
	s.space()
	before := s.marks
	s.marks = 0
	v := Span{Kind: '"', from: s.at}
	s.text()
	v.to, v.marks = s.at, s.marks
	s.marks |= before
	s.colon()
	if s.stop > 0 {
		return Span{}
	}
	return v
}

// colon passes what stands behind a name.
func (s *Scanner) colon() {
	s.space()
	if s.at == len(s.data) || s.data[s.at] != ':' {
		s.fail()
		return
	}
	s.at++
}

// Members passes an object and puts the values of the members with these names in their
// places. Names are exact, of two members with one name the last counts, others are
// ignored.
func (s *Scanner) Members(names []string, values []Span) {
	next := 0 // most often the members are in the order of the names
	for more := s.Open(); more; more = s.More('}') {
		i := s.index(s.Name(), names, next)
		v := s.Value()
		if i >= 0 {
			values[i], next = v, i+1
		}
	}
}

func (s *Scanner) index(name Span, names []string, next int) int {
	if name.Kind == 0 {
		return -1
	}
	raw := s.data[name.from+1 : name.to-1]
	var short [64]byte
	if !name.IsPlain() {
		raw = unquote(short[:0], raw)
	}
	for i := next; i < len(names); i++ {
		if string(raw) == names[i] {
			return i
		}
	}
	for i := range names[:next] {
		if string(raw) == names[i] {
			return i
		}
	}
	return -1
}

func (s *Scanner) fail() bool {
	if s.stop == 0 {
		s.stop = s.at + 1
	}
	s.at = len(s.data) // which is the end of every loop
	return false
}
