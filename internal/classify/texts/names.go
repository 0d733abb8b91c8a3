package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

const (
	// maxName limits the length, in bytes, of a name other than a URL or a path like /tmp/x. It is
	// the path limit of Windows.
	maxName = 260
	// maxExtension is the maximum length, in bytes, of the text after the last dot of a file or
	// host name. Longer extensions are rarer than sentences without a space after the period.
	maxExtension = 5
	// maxQuote is the maximum length of a quoted span, in bytes. Names, values and messages are
	// shorter; in anything longer, the mark quotes nothing.
	maxQuote = 300
)

// name returns the length of the URL, path, file name, host or address that begins at i, or 0.
// Words in a name, such as deadlock/detect.go, do not describe the failure. Each byte is read once.
func (s *scan) name(i int) int {
	if i < s.looked {
		return 0
	}
	n := fieldLength(s.src[i:])
	s.looked = i + n
	s.steps += n
	text := s.src[i : i+n]
	if !strings.ContainsAny(text, `./\@`) {
		return 0
	}
	text = strings.TrimRight(text, "!?…")
	switch slashes := strings.Count(text, "/") + strings.Count(text, `\`); {
	case s.next(i+n) == '(', strings.HasPrefix(text, "HTTP/"), n > maxName && !strings.Contains(text, "://"): // a call: fs.open(...)
		return 0
	case slashes > 1, slashes == 1 && strings.ContainsAny(text, "._0123456789"), strings.Contains(text, "@"):
		return n
	case slashes == 0 && isFile(text):
		return n
	}
	return 0
}

// isFile reports whether a text is the name of a file or a host, possibly with a port.
func isFile(text string) bool {
	if host, port, ok := strings.Cut(text, ":"); ok && strings.Trim(port, "0123456789:") == "" {
		text = host
	}
	dot := strings.LastIndexByte(text, '.')
	if dot <= 0 || dot+1 == len(text) || len(text)-dot-1 > maxExtension || text[dot+1] < 'a' || text[dot+1] > 'z' {
		return false
	}
	for i := range len(text) {
		if c := text[i]; !codes.IsAlnum(c) && !strings.ContainsRune("-_.+$*", rune(c)) {
			return false
		}
	}
	return true
}

// fieldLength returns the length of the text up to the next space, quote, bracket, comma, semicolon
// or bar. Chinese, Japanese or Korean text may follow without a space.
func fieldLength(text string) (n int) {
	for n < len(text) {
		r, size := rune(text[n]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[n:])
		}
		if strings.ContainsRune(" \t\r\n\"'`<>|,;(){}[]»”", r) || r >= 0x3000 {
			break
		}
		n += size
	}
	for n > 0 && (text[n-1] == '.' || text[n-1] == ':') {
		n--
	}
	return n
}

// pathLength returns the length of the path that a mark begins, such as /tmp/x or ~/x, or 0.
func pathLength(text string, mark, before, after rune) int {
	begins := mark == '\\' && before == ':' || mark != '\\' && (unicode.IsSpace(before) || strings.ContainsRune("\"'`(=:[,", before))
	if !begins || !isWord(after) && after != '/' {
		return 0
	}
	return fieldLength(text)
}

// placeTo adds the text between two offsets as a place, and returns the second offset.
func (s *scan) placeTo(from, to int) int {
	s.separate(' ')
	s.norm = append(s.norm, '@')
	s.tokens = append(s.tokens, token{start: len(s.norm) - 1, end: len(s.norm), from: from, to: to, clause: len(s.clauses) - 1, kind: placeToken})
	s.steps += to - from
	return to
}

// closers maps opening quotes to the closing ones.
var closers = map[rune]rune{
	'"': '"', '`': '`', '\'': '\'', '“': '”', '„': '“', '«': '»', '»': '«', '「': '」', '『': '』', '‘': '’',
}

// quote reads a quoted span, which is a place unless it is speech. Any other mark separates words.
func (s *scan) quote(i int, r rune, size int, before rune) int {
	if n := len(s.tokens); unicode.IsSpace(r) && n > 0 && s.tokens[n-1].kind == runToken {
		return i + size // ignored between runs
	}
	if i > 0 && i == s.quoteEnd {
		s.begin(',', true)
		return i + size
	}
	s.separate(' ')
	closer := closers[r]
	if closer == 0 || closer == r && isWord(before) {
		return i + size
	}
	switch end := s.closing(i+size, closer); {
	case end == 0:
	case s.isSpeech(i, i+size, end):
		s.quoteEnd = end
		s.begin(',', true)
		s.clauses[len(s.clauses)-1].member = strings.ContainsAny(s.src[max(0, i-4):i], "\"'")
	default:
		return s.placeTo(i, end+utf8.RuneLen(closer))
	}
	return i + size
}

// closing returns where the quoted span that begins at i ends, or 0.
func (s *scan) closing(i int, closer rune) int {
	rest := s.src[i:min(i+maxQuote, len(s.src))]
	if line := strings.IndexByte(rest, '\n'); line >= 0 {
		rest = rest[:line]
	}
	end := strings.IndexRune(rest, closer)
	if end <= 0 || closer == '\'' && unicode.IsLetter(s.next(i+end+1)) {
		return 0
	}
	return i + end
}

// isSpeech reports whether a quoted sentence or code starts the text or follows a mark or label.
// Any other quoted span is a name or a value: `Key "noSuchKey" is not known`.
func (s *scan) isSpeech(quote, from, to int) bool {
	before := strings.TrimRight(s.src[max(0, quote-4):quote], " \t")
	isShown := before == "" || strings.HasSuffix(before, "：") || strings.HasSuffix(before, "，") || strings.ContainsRune(":=([{,\n", rune(before[len(before)-1]))
	if last := len(s.tokens) - 1; last >= 0 && s.tokens[last].to+1 == quote {
		isShown = isShown || labels[string(s.norm[s.tokens[last].start:s.tokens[last].end])]
	}
	inner := s.src[from:to]
	return isShown && s.next(to+1) != ':' && (isCode(inner) || strings.Contains(inner, "_") || strings.ContainsFunc(inner, func(r rune) bool { return r == ' ' || isRun(r) }))
}
