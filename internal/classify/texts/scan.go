package texts

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A scan is a bounded part of a text, normalized for finding phrases: in lower case, without
// accents, with one space between words and a line feed between clauses. It is made in one pass.
type scan struct {
	src     string
	norm    []byte
	tokens  []token
	clauses []clause
	looked  int // the offset up to which names were searched
}

// A token is a word, a number, a run of CJK characters, or a place: a URL, a path or a quoted name,
// whose words are ignored.
type token struct {
	start, end int // in norm
	from, to   int // in src
	clause     int
	isRun      bool // Chinese, Japanese, Korean
	isPlace    bool
}

// A clause is the text between punctuation marks that separate statements, and how the phrases in
// it affect one another.
type clause struct {
	last   bool // it follows the last colon of its sentence
	labels bool // it ends in a colon
	member bool // it is the value of a JSON member, which may be an argument of the call
	tried  bool // it names what was tried
	aside  bool // what follows did not happen, or is not the failure
	nouns  kind
	denied int // the token after a negation, or 0
	thing  int // the token after the last thing, or 0
}

// read makes s the scan of text. Of a long one, failures are named at the beginning, some programs name them at the
// end, and the middle is a stack trace or data.
func (s *scan) read(text string) {
	const maxHead, maxTail = 3 << 10, 1 << 10
	if len(text) > maxHead+maxTail {
		text = text[:maxHead] + "\n" + text[len(text)-maxTail:]
	}
	*s = scan{norm: s.norm[:0], tokens: s.tokens[:0], clauses: s.clauses[:0]}
	s.src = spelled.Replace(text)
	s.begin('.')
	for i := 0; i < len(s.src); {
		if r, size := utf8.DecodeRuneInString(s.src[i:]); isWord(r) {
			i = s.word(i)
		} else {
			i = s.mark(i, r, size)
		}
	}
}

// spelled splits isn't, can't and cannot in two, and spells OAuth, a limit and a ß as in the phrase tables. A type that
// is not known, as MongoDB's clients show it, says nothing, and what follows a deed is in its clause.
var spelled = strings.NewReplacer(
	"_type: Unknown, ", "_type, ", "OAuth", "oauth", ", then ", " then ", "; then ", " then ", ", but then ", " then ",
	"must be >=", "must be at least ", "must be ≥", "must be at least ", "must be >", "must be greater than ",
	"must be <=", "must be at most ", "must be ≤", "must be at most ", "must be <", "must be less than ",
	"can't", "can not", "Can't", "Can not", "can’t", "can not", "Can’t", "Can not",
	"cannot", "can not", "Cannot", "Can not", "n't ", " not ", "n’t ", " not ", "ß", "ss")

// next returns the rune at i, or a space outside the text.
func (s *scan) next(i int) rune {
	if i < 0 || i >= len(s.src) {
		return ' '
	}
	r, _ := utf8.DecodeRuneInString(s.src[i:])
	return r
}

// text returns the normalized text of a token, or an empty string if there is no such token.
func (s *scan) text(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return string(s.norm[s.tokens[i].start:s.tokens[i].end])
}

// word reads a place, a number, a run, a word or a part of a CamelCase word. It returns its end.
func (s *scan) word(i int) int {
	if n := s.name(i); n > 0 {
		return s.placeTo(i, i+n)
	}
	t, last := token{from: i, clause: len(s.clauses) - 1}, s.next(i)
	if n := len(s.tokens) - 1; isRun(last) && n >= 0 && s.tokens[n].isRun && s.tokens[n].end == len(s.norm) {
		t, s.tokens = s.tokens[n], s.tokens[:n] // at most white space is between them
	} else {
		s.separate(' ')
		t.start = len(s.norm)
	}
	t.isRun = isRun(last)
	first := i
	for r := last; i == first || continues(last, r, s.next(i+utf8.RuneLen(r))); last, r = r, s.next(i) {
		plain := unicode.ToLower(r)
		if letter, ok := folds[plain]; plain >= utf8.RuneSelf && ok {
			plain = letter // without its accent
		}
		s.norm = utf8.AppendRune(s.norm, plain)
		i += utf8.RuneLen(r)
	}
	t.end, t.to = len(s.norm), i
	s.tokens = append(s.tokens, t)
	return i
}

// mark reads a character that is neither a letter nor a digit, or the path or quoted name that it
// begins, and returns where that ends.
func (s *scan) mark(i int, r rune, size int) int {
	before, after := s.next(i-1), s.next(i+size)
	switch {
	case strings.ContainsRune("\n!?。！？|", r),
		r == '.' && (unicode.IsSpace(after) || strings.ContainsRune(")]}\"'`*…", after)):
		s.begin('.')
	case r == ':' && !unicode.IsDigit(after) && after != ':' && before != ':', r == '：',
		strings.ContainsRune("-–—→", r) && unicode.IsSpace(before) && unicode.IsSpace(after):
		s.begin(':')
	case strings.ContainsRune(";；，、", r), r == ',' && (!unicode.IsDigit(before) || !unicode.IsDigit(after)):
		s.begin(',')
	case (isWord(after) || after == '/') && (r == '\\' && before == ':' ||
		(r == '/' || r == '~') && (unicode.IsSpace(before) || strings.ContainsRune("\"'`(=:[,", before))):
		return s.placeTo(i, i+fieldLength(s.src[i:]))
	default:
		return s.quote(i, r, size, before)
	}
	return i + size
}

// begin begins a new clause after a mark: a period, a colon, or a comma for any other.
func (s *scan) begin(mark byte) {
	s.separate('\n')
	next, n := clause{last: mark == ':'}, len(s.clauses)-1
	if mark != '.' {
		s.clauses[n].labels = mark == ':'
		next.last = next.last || s.clauses[n].last
	}
	for ; mark == ':' && s.clauses[n].last; n-- {
		s.clauses[n].last = false
	}
	s.clauses = append(s.clauses, next)
}

// separate ends a word or a clause in norm.
func (s *scan) separate(by byte) {
	s.norm = bytes.TrimSuffix(s.norm, []byte(" "))
	if n := len(s.norm); n > 0 && s.norm[n-1] != '\n' {
		s.norm = append(s.norm, by)
	}
}
