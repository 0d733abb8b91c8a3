package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxHead and maxTail are the numbers of bytes read at the beginning and at the end of a long
	// text. Failures are named at the beginning, some programs name them at the end, and the middle
	// is a stack trace or data.
	maxHead = 3 << 10
	maxTail = 1 << 10
	// maxQuote is the maximum length of a quoted span, in bytes. Names, values and messages are
	// shorter; in anything longer, the mark quotes nothing.
	maxQuote = 300
)

// A scan is a bounded part of a text, normalized for finding phrases: in lower case, without
// accents, with one space between words and a line feed between clauses. It is made in one pass.
type scan struct {
	src      string
	norm     []byte
	tokens   []token
	clauses  []clause
	clause   int // the clause of the next token
	quoteEnd int // where the quoted speech ends
	looked   int // the offset up to which names were searched
	steps    int // the work done, which a test checks to be linear
}

// A token is a word, a number, a run of CJK characters, or a place: a URL, a path or a quoted name,
// whose words are ignored.
type token struct {
	start, end int // in norm
	from, to   int // in src
	clause     int
	kind       tokenKind
}

type tokenKind uint8

const (
	wordToken tokenKind = iota // or a number
	runToken                   // Chinese, Japanese, Korean
	placeToken
)

// A clause is the text between punctuation marks that separate statements.
type clause struct {
	sentence int
	colons   int  // the number of colons before it in its sentence
	labels   bool // it ends in a colon
	member   bool // it is the value of a JSON member, which may be an argument of the call
}

// read makes s the scan of text.
func (s *scan) read(text string) {
	*s = scan{src: negations.Replace(bounded(text)), norm: s.norm[:0], tokens: s.tokens[:0], clauses: append(s.clauses[:0], clause{})}
	for i := 0; i < len(s.src); {
		s.steps++
		if r, size := utf8.DecodeRuneInString(s.src[i:]); isWord(r) {
			i = s.word(i)
		} else {
			i = s.mark(i, r, size)
		}
	}
}

// negations splits isn't, can't and cannot in two, as in the phrase tables.
var negations = strings.NewReplacer("can't", "can not", "Can't", "Can not", "can’t", "can not", "Can’t", "Can not",
	"cannot", "can not", "Cannot", "Can not", "n't ", " not ", "n’t ", " not ")

// bounded returns the part of a text to be read.
func bounded(text string) string {
	if len(text) <= maxHead+maxTail {
		return text
	}
	return text[:maxHead] + "\n" + text[len(text)-maxTail:]
}

// next returns the rune at i, or a space outside the text.
func (s *scan) next(i int) rune {
	if i < 0 || i >= len(s.src) {
		return ' '
	}
	r, _ := utf8.DecodeRuneInString(s.src[i:])
	return r
}

// word reads a place, a number, a run, a word or a part of a CamelCase word. It returns its end.
func (s *scan) word(i int) int {
	if n := s.name(i); n > 0 {
		return s.placeTo(i, i+n)
	}
	first, last, t := i, s.next(i), token{from: i, clause: s.clause}
	if n := len(s.tokens) - 1; isRun(last) && n >= 0 && s.tokens[n].kind == runToken && s.tokens[n].clause == s.clause && s.tokens[n].end == len(s.norm) {
		t = s.tokens[n] // at most white space is between them
		s.tokens = s.tokens[:n]
	} else {
		s.separate(' ')
		t.start = len(s.norm)
	}
	for r := last; ; last, r = r, s.next(i) {
		if i > first && !continues(last, r, s.next(i+utf8.RuneLen(r))) {
			break
		}
		if isRun(r) {
			t.kind = runToken
		}
		s.norm = appendFolded(s.norm, r)
		_, size := utf8.DecodeRuneInString(s.src[i:])
		i += size
	}
	s.steps += i - first
	t.end, t.to = len(s.norm), i
	s.tokens = append(s.tokens, t)
	return i
}

// mark reads a character that is neither a letter nor a digit, or the path or quoted name that it
// begins, and returns where that ends.
func (s *scan) mark(i int, r rune, size int) int {
	before, after := s.next(i-1), s.next(i+size)
	switch r {
	case '\n', '!', '?', '。', '！', '？', '|':
		s.begin('.', true)
	case '.':
		s.begin('.', unicode.IsSpace(after) || strings.ContainsRune(")]}\"'`*…", after))
	case ':':
		s.begin(':', !unicode.IsDigit(after) && after != ':' && before != ':')
	case ',':
		s.begin(',', !unicode.IsDigit(before) || !unicode.IsDigit(after))
	case '-', '–', '—', '→':
		s.begin(':', unicode.IsSpace(before) && unicode.IsSpace(after))
	case '：':
		s.begin(':', true)
	case ';', '；', '，', '、':
		s.begin(',', true)
	case '<', '>', '=', '(', '[', '{', '（', '［', '【', ')', ']', '}', '）', '］', '】':
		s.separate('\n') // a break in the clause
	case '/', '~', '\\':
		if n := pathLength(s.src[i:], r, before, after); n > 0 {
			return s.placeTo(i, i+n)
		}
		s.separate(' ')
	default:
		return s.quote(i, r, size, before)
	}
	return i + size
}

// begin begins a new clause if the mark ends one, and otherwise separates words.
func (s *scan) begin(mark byte, ends bool) {
	if !ends {
		s.separate(' ')
		return
	}
	s.separate('\n')
	c := &s.clauses[s.clause]
	next := clause{sentence: c.sentence, colons: c.colons}
	switch mark {
	case '.':
		next.sentence, next.colons = c.sentence+1, 0
	case ':':
		c.labels = true
		next.colons++
	}
	s.clauses = append(s.clauses, next)
	s.clause = len(s.clauses) - 1
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
