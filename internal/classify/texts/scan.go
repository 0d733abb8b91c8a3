package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxHead and maxTail are how many bytes of a long text are read at its beginning
	// and at its end. Chosen: a failure is named at the beginning of its text, some
	// programs make their point at the end, and what lies between is a stack or data.
	maxHead = 3 << 10
	maxTail = 1 << 10
	// maxQuote is how many bytes a quoted span may have. Chosen: a name, a value or
	// a message; more is an apostrophe that nobody closed.
	maxQuote = 300
	// maxOpen is how many quotes and parentheses may be open at a time. Chosen: prose
	// has two.
	maxOpen = 8
)

// A scan is a text as phrases are looked for in it: lower-cased, without accents, its
// words separated by one space each and its clauses by a line feed. It holds no more
// than a fixed length of the text, and is made in one pass.
type scan struct {
	src       string
	norm      []byte
	tokens    []token
	clauses   []clause
	clause    int // the one that the next token belongs to
	open      []interruption
	noClose   map[rune]int // until where no closing quote was found
	ended     bool         // the text ends in a quote that was taken for speech
	last      int          // the last mark that is no space and closes nothing
	lastSpace int          // before it
	looked    int          // until where was looked for a name
	steps     int          // how much was looked at, for the test that the work is linear
}

// A token is a word, a number, a run of characters without spaces, or a place (a URL or
// a path), which says nothing.
type token struct {
	start, end int // in norm
	from, to   int // in src
	clause     int
	kind       tokenKind
}

type tokenKind uint8

const (
	wordToken tokenKind = iota
	numberToken
	runToken // Chinese, Japanese, Korean
	placeToken
)

// A clause is a piece of a text between marks that end a thought. Quotes and
// parentheses interrupt the one that they stand in.
type clause struct {
	opener   byte // what it begins with: 0, '.', ':', ';', ',', '(' or '"'
	sentence int
	colons   int // how many colons stand before it in its sentence
	quoted   bool
	shown    bool // what stands before a quote says that somebody speaks in it, or that it is a code
	speech   bool // shown, and no single word: what it says counts
	aside    bool // in parentheses
	listed   bool // on a line of a list, a log or a stack
	ended    byte // the mark behind it
}

// An interruption is a quote or a parenthesis that is open.
type interruption struct {
	clause int  // the clause around it
	closer rune // what ends it
	at     int  // where a quote ends, or 0
}

// read makes s the scan of text.
func (s *scan) read(text string) {
	*s = scan{src: bounded(text), norm: s.norm[:0], tokens: s.tokens[:0], clauses: append(s.clauses[:0], clause{}), open: s.open[:0]}
	end := strings.TrimRight(s.src, " \t\r\n.)]}")
	s.last, s.lastSpace = len(end)-1, strings.LastIndexByte(end, ' ')
	for i := 0; i < len(s.src); {
		s.steps++
		r, size := s.rune(i)
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			i = s.word(i)
		} else {
			i = s.mark(i, r, size)
		}
	}
}

// bounded returns as much of a text as is read.
func bounded(text string) string {
	if len(text) <= maxHead+maxTail {
		return text
	}
	return text[:maxHead] + "\n" + text[len(text)-maxTail:]
}

func (s *scan) rune(i int) (rune, int) {
	if c := s.src[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s.src[i:])
}

// next is the rune at i, or a space behind the end.
func (s *scan) next(i int) rune {
	if i < 0 || i >= len(s.src) {
		return ' '
	}
	r, _ := s.rune(i)
	return r
}

// word reads a place, a number, a run, a word or a part of one that is written in
// CamelCase, and returns where it ends.
func (s *scan) word(i int) int {
	if n := urlLength(s.src[i:]); n > 0 {
		return s.placeTo(i, i+n)
	}
	if n := s.name(i); n > 0 {
		return s.placeTo(i, i+n)
	}
	r, size := s.rune(i)
	t := token{from: i, clause: s.clause, kind: numberToken}
	isRun := isRunLetter(r)
	if last := len(s.tokens) - 1; isRun && last >= 0 && s.tokens[last].kind == runToken && s.tokens[last].clause == s.clause && s.tokens[last].end == len(s.norm) {
		t = s.tokens[last] // what is between them is a space at most
		s.tokens = s.tokens[:last]
	} else {
		s.separate(' ')
		t.start = len(s.norm)
	}
	for {
		switch {
		case isRun:
			t.kind = runToken
		case r < '0' || r > '9':
			t.kind = wordToken
		}
		s.norm = appendFolded(s.norm, r)
		last := r
		i += size
		for i < len(s.src) && 'a' <= s.src[i] && s.src[i] <= 'z' && !isRun { // most of a text
			s.norm, last, t.kind = append(s.norm, s.src[i]), rune(s.src[i]), wordToken
			i++
			s.steps++
		}
		if i >= len(s.src) {
			break
		}
		s.steps++
		if s.src[i] == ' ' {
			break
		}
		if r, size = s.rune(i); isRunLetter(r) != isRun || (r == '\'' || r == '’') && s.isElision(i+size) || !continues(last, r, s.next(i+size), s.next(i+size+1)) {
			break
		}
	}
	t.end, t.to = len(s.norm), i
	s.tokens = append(s.tokens, t)
	return i
}

// name returns the length of the name that begins at i, or 0. Each is looked at once.
func (s *scan) name(i int) int {
	if i < s.looked {
		return 0
	}
	length, mayBeName := placeLength(s.src[i:])
	s.looked = i + max(length, 1)
	s.steps += length
	if !mayBeName {
		return 0
	}
	return nameLength(s.src[i:i+length], s.next(i+length))
}

// urlLength returns the length of the URL that text begins with, or 0.
func urlLength(text string) int {
	i := 0
	for i < len(text) && i < 16 && (text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z' || text[i] == '+') {
		i++
	}
	if i == 0 || !strings.HasPrefix(text[i:], "://") {
		return 0
	}
	n, _ := placeLength(text[i:])
	return i + n
}

// The marks that end a URL or a path, and those that no name is without.
const (
	endsPlace = 1 << iota
	inNames
)

var placeMarks = func() (t [utf8.RuneSelf]uint8) {
	for _, c := range " \t\r\n\"'`<>|,;(){}[]" {
		t[c] = endsPlace
	}
	for _, c := range `./\@` {
		t[c] = inNames
	}
	return t
}()

// placeLength returns how far a URL or a path goes on, and whether it may be a name, which
// has a dot, a slash or an @ in it. Chinese, Japanese and Korean need no space behind it.
func placeLength(text string) (n int, mayBeName bool) {
	var seen uint8
	for n < len(text) {
		if c := text[n]; c < utf8.RuneSelf {
			mark := placeMarks[c]
			if mark == endsPlace {
				break
			}
			seen |= mark
			n++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[n:])
		if r >= startOfRuns || r == '»' || r == '”' {
			break
		}
		n += size
	}
	for n > 0 && (text[n-1] == '.' || text[n-1] == ':') {
		n--
	}
	return n, seen != 0
}

// placeTo adds a place as a token.
func (s *scan) placeTo(from, to int) int {
	s.separate(' ')
	s.norm = append(s.norm, '@')
	s.tokens = append(s.tokens, token{start: len(s.norm) - 1, end: len(s.norm), from: from, to: to, clause: s.clause, kind: placeToken})
	s.steps += to - from
	return to
}

// separate ends a word or a clause in norm.
func (s *scan) separate(by byte) {
	switch n := len(s.norm); {
	case n == 0 || s.norm[n-1] == '\n':
	case s.norm[n-1] == ' ':
		s.norm[n-1] = by
	default:
		s.norm = append(s.norm, by)
	}
}
