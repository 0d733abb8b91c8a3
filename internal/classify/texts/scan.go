package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxHead and maxTail are the numbers of bytes at the beginning and at the end of a
	// long text that are read. Chosen: failures are named at the beginning, some programs
	// name them at the end, and the middle is a stack trace or data.
	maxHead = 3 << 10
	maxTail = 1 << 10
	// maxQuote is the maximum length of a quoted span in bytes. Chosen: a name, a value or
	// a message is shorter; a longer one is an apostrophe.
	maxQuote = 300
	// maxOpen is the maximum number of nested quotes and parentheses. Chosen: prose has
	// two.
	maxOpen = 8
)

// A scan is a text, normalized for the search of phrases: in lower case, without accents,
// words separated by one space and clauses by a line feed. It holds a bounded part of the
// text and is made in one pass.
type scan struct {
	src       string
	norm      []byte
	tokens    []token
	clauses   []clause
	clause    int // the clause of the next token
	open      []interruption
	noClose   map[rune]int // the offset up to which there is no closing quote
	ended     bool         // the text ends in a quote that is speech
	last      int          // the last mark that is not a space and closes nothing
	lastSpace int          // the last space before it
	looked    int          // the offset up to which names were searched
	steps     int          // work done, for the test that it is linear
}

// A token is a word, a number, a run of characters without spaces, or a place: a URL or a
// path, whose words are ignored.
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

// A clause is the text between punctuation marks that separate statements. Quotes and
// parentheses interrupt their clause.
type clause struct {
	opener   byte // the mark that it begins with: 0, '.', ':', ';', ',', '(' or '"'
	sentence int
	colons   int // the number of colons before it in its sentence
	quoted   bool
	shown    bool // the text before the quote introduces speech or a code
	speech   bool // shown, and more than one word, so that its words count
	aside    bool // in parentheses
	listed   bool // on a line of a list, a log or a stack
	ended    byte // the mark after it
}

// An interruption is a quote or a parenthesis that is open.
type interruption struct {
	clause int  // the surrounding clause
	closer rune // the mark that ends it
	at     int  // the end of a quote, or 0
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

// bounded returns the part of a text that is read.
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

// next returns the rune at i, or a space at the end.
func (s *scan) next(i int) rune {
	if i < 0 || i >= len(s.src) {
		return ' '
	}
	r, _ := s.rune(i)
	return r
}

// word reads a place, a number, a run, a word or a part of a CamelCase word, and returns
// where it ends.
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
		t = s.tokens[last] // at most a space is between them
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
		for i < len(s.src) && 'a' <= s.src[i] && s.src[i] <= 'z' && !isRun { // the most frequent characters
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

// name returns the length of the name that begins at i, or 0. It reads each byte once.
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

// The marks that end a URL or a path, and the marks that names contain.
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

// placeLength returns the length of the URL or path at the beginning of text, and whether
// it may be a name, which contains a dot, a slash or an @. Chinese, Japanese and Korean
// need no space after it.
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

// placeTo adds the text from i to end as a place.
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
