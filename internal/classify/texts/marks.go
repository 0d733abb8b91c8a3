package texts

import (
	"slices"
	"strings"
	"unicode"
)

// mark reads a character that is neither a letter nor a digit, and returns where it ends.
func (s *scan) mark(i int, r rune, size int) int {
	if r == ' ' && len(s.open) == 0 {
		s.space()
		return i + size
	}
	if n := len(s.open); n > 0 && s.closes(i, r) {
		return i + size
	}
	before, after := s.next(i-1), s.next(i+size)
	switch r {
	case '\n':
		s.begin('.')
		s.clauses[s.clause].listed = isListed(s.src[i+1:])
	case '!', '?', '。', '！', '？', '|':
		s.begin('.')
	case '.', ':', '：', ',', '，', '、', '-', '–', '—', '→':
		s.beginIf(endsClause(r, before, after))
	case ';', '；':
		s.begin(';')
	case '<':
		if n := placeholderLength(s.src[i:]); n > 0 {
			return s.placeTo(i, i+n)
		}
		s.separate('\n')
	case '=', '>':
		s.separate('\n')
	case '(', '[', '{', '（', '［', '【':
		s.interrupt(interruption{closer: closers[r]}, false)
	case '/', '~', '\\':
		if beginsPath(r, before, after) {
			length, _ := placeLength(s.src[i:])
			return s.placeTo(i, i+max(length, size))
		}
		s.separate(' ')
	default:
		s.quoteOrSpace(i, r, size, before)
	}
	return i + size
}

// endsClause returns the kind of clause that a mark begins, or 0 if it is part of a number,
// a name or a word.
func endsClause(mark, before, after rune) byte {
	switch mark {
	case '.':
		if isEnd(after) {
			return '.'
		}
	case ':':
		if !unicode.IsDigit(after) && after != ':' && before != ':' {
			return ':'
		}
	case '：':
		return ':'
	case ',', '，', '、':
		if !unicode.IsDigit(before) || !unicode.IsDigit(after) {
			return ','
		}
	default: // dashes
		if unicode.IsSpace(before) && unicode.IsSpace(after) {
			return ':'
		}
	}
	return 0
}

// beginIf begins a clause, or separates words if opener is 0.
func (s *scan) beginIf(opener byte) {
	if opener == 0 {
		s.separate(' ')
		return
	}
	s.begin(opener)
}

// quoteOrSpace begins a quoted span, or separates words.
func (s *scan) quoteOrSpace(i int, r rune, size int, before rune) {
	closer, ok := closers[r]
	switch {
	case !ok && unicode.IsSpace(r):
		s.space()
	case !ok || r == '\'' && (unicode.IsLetter(before) || unicode.IsDigit(before)):
		s.separate(' ')
	case s.noClose[r] > i, s.isSpeechToTheEnd(i, r, size):
		s.separate(' ')
	default:
		if end := s.quoteEnd(i+size, closer); end > 0 {
			isShown := s.isShown(i)
			s.interrupt(interruption{closer: closer, at: end}, true)
			inner := &s.clauses[s.clause]
			inner.shown = isShown
			inner.speech = isShown && strings.IndexFunc(s.src[i+size:end], func(r rune) bool { return r == ' ' || isRunLetter(r) }) >= 0
			return
		}
		if s.noClose == nil {
			s.noClose = map[rune]int{}
		}
		s.noClose[r] = i + maxQuote
		s.separate(' ')
	}
}

// space separates words. Between runs it is ignored.
func (s *scan) space() {
	if last := len(s.tokens) - 1; last < 0 || s.tokens[last].kind != runToken {
		s.separate(' ')
	}
}

// closers maps opening quotes and parentheses to the closing ones.
var closers = map[rune]rune{
	'(': ')', '[': ']', '{': '}', '（': '）', '［': '］', '【': '】',
	'"': '"', '`': '`', '\'': '\'', '“': '”', '„': '“', '«': '»', '»': '«', '「': '」', '『': '』', '‘': '’',
}

// quoteEnd returns where the quoted span that begins at i ends, or 0.
func (s *scan) quoteEnd(i int, closer rune) int {
	rest := s.src[i:min(i+maxQuote, len(s.src))]
	end := strings.IndexRune(rest, closer)
	if line := strings.IndexByte(rest, '\n'); line >= 0 && line < end {
		end = -1
	}
	s.steps += len(rest) / maxQuote
	if end < 0 || closer == '\'' && unicode.IsLetter(s.next(i+end+1)) {
		return 0
	}
	return i + end
}

// interrupt begins a quote or a parenthesis.
func (s *scan) interrupt(by interruption, quoted bool) {
	outer := s.clauses[s.clause]
	if len(s.open) == maxOpen {
		s.separate('\n')
		return
	}
	by.clause = s.clause
	s.open = append(s.open, by)
	s.separate('\n')
	inner := outer
	inner.opener, inner.ended = '(', 0
	inner.quoted, inner.aside = outer.quoted || quoted, outer.aside || !quoted
	if quoted {
		inner.opener = '"'
	}
	s.add(inner)
}

// closes ends a quote or a parenthesis, and reports whether the rune at i does so.
func (s *scan) closes(i int, r rune) bool {
	for n, by := range slices.Backward(s.open) {
		if by.at == i || by.at == 0 && by.closer == r {
			s.open, s.clause = s.open[:n], by.clause
			s.separate('\n')
			return true
		} else if by.at > 0 {
			return false // only its own end ends a quote
		}
	}
	return false
}

// begin begins a clause.
func (s *scan) begin(opener byte) {
	s.separate('\n')
	s.clauses[s.clause].ended = opener
	c := s.clauses[s.clause]
	c.opener, c.ended = opener, 0
	switch opener {
	case '.':
		c.sentence, c.colons = c.sentence+1, 0
		if !c.quoted {
			s.open, c.aside = s.open[:0], false
		}
	case ':':
		c.colons++
	}
	s.add(c)
}

// add adds a clause. It replaces the last clause if that has no words.
func (s *scan) add(c clause) {
	last := len(s.clauses) - 1
	isEmpty := s.clause == last && (len(s.tokens) == 0 || s.tokens[len(s.tokens)-1].clause != last)
	if was := s.clauses[last]; isEmpty && len(s.open) == 0 && c.quoted == was.quoted && c.aside == was.aside {
		if was.opener != ':' || c.opener == '.' {
			s.clauses[last] = c
		}
		return
	}
	s.clauses = append(s.clauses, c)
	s.clause = len(s.clauses) - 1
}

// isListed reports whether a line is an item of a list, a log or a stack trace.
func isListed(line string) bool {
	line = strings.TrimLeft(line[:min(len(line), 32)], " \t")
	for _, start := range []string{"- ", "* ", "• ", "> ", "at ", "File \"", "... "} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}

// isEnd reports whether a full stop before r ends a sentence.
func isEnd(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(")]}\"'`*…", r) }

// beginsPath reports whether a mark begins a path: /tmp/x, ~/x, or C:\x without its drive
// letter.
func beginsPath(mark, before, after rune) bool {
	if mark == '\\' {
		return before == ':'
	}
	return (unicode.IsSpace(before) || strings.ContainsRune("\"'`(=:[,", before)) && (after == '/' || unicode.IsLetter(after) || unicode.IsDigit(after))
}
