package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// nameLength returns the length of the file, host, address or path name at the beginning of
// text, or 0. Text has no spaces, and r follows it. Words in a name do not describe the
// failure: deadlock/detect.go, robots.txt, missing@v1.2.3.
func nameLength(text string, r rune) int {
	if r == '(' { // a call: fs.open(...)
		return 0
	}
	for text != "" && (text[len(text)-1] == '!' || text[len(text)-1] == '?' || strings.HasSuffix(text, "…")) {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	if host, port, ok := strings.Cut(text, ":"); ok && strings.Trim(port, "0123456789:") == "" {
		text = host
	}
	n := len(text)
	dot := strings.LastIndexByte(text, '.')
	slashes := strings.Count(text, "/") + strings.Count(text, "\\")
	switch {
	case n < len("a.b") || n > maxName, strings.HasPrefix(text, "HTTP/"):
		return 0
	case slashes > 1, slashes == 1 && strings.ContainsAny(text, "._0123456789"), strings.Contains(text, "@"):
		return n
	case slashes == 0 && dot > 0 && isExtension(text[dot+1:]) && isPlain(text[:dot]):
		return n
	}
	return 0
}

const (
	// maxName is the maximum length of a name in bytes. Chosen: the longest path of most
	// systems in practice.
	maxName = 260
	// maxExtension is the maximum number of bytes after the last dot of a file or host
	// name. Chosen: longer extensions are rare, and sentences without a space after the
	// full stop are not.
	maxExtension = 5
)

// isExtension reports whether a text may be the extension of a file name or the last label
// of a host name.
func isExtension(text string) bool {
	if len(text) == 0 || len(text) > maxExtension || text[0] < 'a' || text[0] > 'z' {
		return false
	}
	return isPlain(text)
}

// isPlain reports whether a text has only characters of file and host names: no other
// script and no punctuation of a sentence.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; !codes.IsAlnum(c) && c != '-' && c != '_' && c != '.' && c != '+' && c != '$' && c != '*' {
			return false
		}
	}
	return text != ""
}

// placeholderLength returns the length of the placeholder at the beginning of text, such as
// <ip address> or <nil>. It is 0 for other text in angle brackets.
func placeholderLength(text string) int {
	const longest = 30
	for i := 1; i < len(text) && i < longest; i++ {
		switch c := text[i]; {
		case c == '>' && i > 1:
			return i + 1
		case c != ' ' && c != '_' && c != '-' && (c < 'a' || c > 'z'):
			return 0
		}
	}
	return 0
}

// A fit is the position of a phrase in a word that is joined by marks or capitals:
// rate-limit, NOT_FOUND, TimeoutError.
type fit uint8

const (
	whole  fit = iota // it is the whole word
	ending            // it is the end of a longer word: user-not-found
	inside            // it is another part of a word: timeout_ms
)

// fitOf returns the position of a phrase in its word.
func (r *reader) fitOf(h *hit) fit {
	from, to := r.tokens[h.first].from, r.tokens[h.last].to
	if r.tokens[h.last].kind == runToken || r.tokens[h.first].kind == runToken {
		return whole
	}
	if joins(r.next(to), r.next(to+1)) {
		if next := h.last + 1; next >= len(r.tokens) || r.tokens[next].from > to+1 || !isErrorWord(r.text(next)) || joins(r.next(r.tokens[next].to), r.next(r.tokens[next].to+1)) {
			return inside
		}
	}
	if h.first > 0 && r.tokens[h.first-1].to == from { // CamelCase
		start := from
		for start > 0 && from-start < codes.MaxCode && codes.IsAlnum(r.src[start-1]) {
			start--
		}
		if !codes.IsUpper(r.src[start]) { // the name of a variable
			return ending
		}
		return whole
	}
	before := r.next(from - 1)
	if from > 1 && joins(before, r.next(from)) && joins(r.next(from-2), 'a') && (before != '.' || !unicode.IsUpper(r.next(from))) {
		return ending
	}
	return whole
}

// joins reports whether the rune r, followed by next, continues a word.
func joins(r, next rune) bool {
	switch r {
	case '_':
		return true
	case '-', '.', '/', '\\', '@', '#':
		return unicode.IsLetter(next) || unicode.IsDigit(next)
	}
	return r < startOfRuns && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// isErrorWord reports whether a name's last word means error.
func isErrorWord(word string) bool {
	switch word {
	case "error", "errors", "err", "exception", "failure", "fault", "warning":
		return true
	}
	return false
}
