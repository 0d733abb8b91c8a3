package texts

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// name returns the length of the URL, path, file name, host or address that begins at i, or 0.
// Words in a name, such as deadlock/detect.go, do not describe the failure. Each byte is read once.
func (s *scan) name(i int) int {
	if i < s.looked {
		return 0
	}
	n := fieldLength(s.src[i:])
	s.looked = i + n
	text := strings.TrimRight(s.src[i:i+n], "!?…")
	if !strings.ContainsAny(text, `./\@`) || s.next(i+n) == '(' || strings.HasPrefix(text, "HTTP/") {
		return 0 // a word, a call such as fs.open(...), or a protocol
	}
	slashes := strings.Count(text, "/") + strings.Count(text, `\`)
	isPath := slashes > 1 || slashes == 1 && strings.ContainsAny(text, "._0123456789")
	if isPath || strings.Contains(text, "@") || slashes == 0 && isFile(text) {
		return n
	}
	return 0
}

// isFile reports whether a text is the name of a file or a host, possibly with a port.
func isFile(text string) bool {
	const maxExtension = 5 // bytes; longer ones are rarer than sentences without a space after the period
	host, port, _ := strings.Cut(text, ":")
	extension := path.Ext(host)
	return strings.Trim(port, "0123456789:") == "" && len(extension) > 1 && len(extension) <= 1+maxExtension &&
		len(host) > len(extension) && 'a' <= extension[1] && extension[1] <= 'z' &&
		strings.TrimLeftFunc(host, func(r rune) bool { return isLetter(r) || strings.ContainsRune("-+$*", r) }) == ""
}

// fieldLength returns the length of the text up to the next space, quote, bracket, comma, semicolon
// or bar. Chinese, Japanese or Korean text may follow without a space.
func fieldLength(text string) int {
	rest := strings.TrimLeftFunc(text, func(r rune) bool {
		return r < 0x3000 && !strings.ContainsRune(" \t\r\n\"'`<>|,;(){}[]»”", r)
	})
	return len(strings.TrimRight(text[:len(text)-len(rest)], ".:"))
}

// placeTo adds the text between two offsets as a place, and returns the second offset.
func (s *scan) placeTo(from, to int) int {
	s.separate(' ')
	n := len(s.norm)
	s.norm = append(s.norm, '@')
	s.tokens = append(s.tokens, token{start: n, end: n + 1, from: from, to: to, clause: len(s.clauses) - 1, isPlace: true})
	return to
}

// closers maps opening quotes to the closing ones.
var closers = map[rune]rune{
	'"': '"', '`': '`', '\'': '\'', '“': '”', '„': '“', '«': '»', '»': '«', '「': '」', '『': '』', '‘': '’',
}

// quote reads a quoted span, which is a place unless it is speech. Any other mark separates words.
func (s *scan) quote(i int, r rune, size int, before rune) int {
	const maxQuote = 300 // bytes; names, values and messages are shorter: in anything longer, the mark quotes nothing
	if n := len(s.tokens); unicode.IsSpace(r) && n > 0 && s.tokens[n-1].isRun {
		return i + size // ignored between runs
	}
	s.separate(' ')
	closer := closers[r]
	if closer == 0 || closer == r && isWord(before) {
		return i + size
	}
	line, _, _ := strings.Cut(s.src[i+size:min(i+size+maxQuote, len(s.src))], "\n")
	length := strings.IndexRune(line, closer)
	end := i + size + length
	switch {
	case length <= 0, closer == '\'' && unicode.IsLetter(s.next(end+1)):
	case s.isSpeech(i, line[:length], s.next(end+1)):
		s.begin(',')
		s.clauses[len(s.clauses)-1].member = strings.ContainsAny(s.src[max(0, i-4):i], "\"'")
	default:
		return s.placeTo(i, end+utf8.RuneLen(closer))
	}
	return i + size
}

// isSpeech reports whether a quoted sentence or code starts the text or follows a mark or label.
// Any other quoted span is a name or a value: `Key "noSuchKey" is not known`.
func (s *scan) isSpeech(quote int, quoted string, after rune) bool {
	before := strings.TrimRight(s.src[max(0, quote-4):quote], " \t")
	last, _ := utf8.DecodeLastRuneInString(before)
	n := len(s.tokens) - 1
	isShown := before == "" || strings.ContainsRune(":=([{,\n：，", last) || strings.Contains(quoted, " per ") ||
		n >= 0 && s.tokens[n].to+1 == quote && codes.Labels.Has(s.text(n))
	isSaid := func(r rune) bool { return r == ' ' || r == '_' || isRun(r) }
	return isShown && after != ':' && (isCode(quoted) || strings.ContainsFunc(quoted, isSaid))
}

// isRun reports whether a letter is Chinese, Japanese or Korean, which need no spaces.
func isRun(r rune) bool {
	return r >= 0x3005 && r <= 0x3007 || r >= 0x3040 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff ||
		r >= 0xac00 && r <= 0xd7af || r >= 0xf900 && r <= 0xfaff
}

// isWord reports whether a character is part of a word.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return codes.IsAlnum(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// continues reports whether r belongs to the same word as the character before it, given the next
// character: notFound and HTTPError are two words each.
func continues(last, r, next rune) bool {
	begins := unicode.IsUpper(r) && (unicode.IsLower(last) || unicode.IsUpper(last) && unicode.IsLower(next))
	return isWord(r) && isRun(r) == isRun(last) && !begins
}
