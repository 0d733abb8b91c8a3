package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// nameLength returns the length of the file, host, address or path that text begins with,
// which has no spaces and which r follows, or 0. A word that stands there says what the
// failure is about, not what it is: deadlock/detect.go, robots.txt, missing@v1.2.3.
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
	// maxName is how many bytes a name may have. Chosen: as a path of most systems has in
	// practice.
	maxName = 260
	// maxExtension is how many bytes may follow the last dot of a file or a host. Chosen:
	// properties and terraform are rare, and sentences without a space behind them are not.
	maxExtension = 5
)

// isExtension reports whether a text may be the end of a file's name or a host's.
func isExtension(text string) bool {
	if len(text) == 0 || len(text) > maxExtension || text[0] < 'a' || text[0] > 'z' {
		return false
	}
	return isPlain(text)
}

// isPlain reports whether a text has only what file and host names have: nothing of
// another script, and no mark of a sentence.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; !codes.IsAlnum(c) && c != '-' && c != '_' && c != '.' && c != '+' && c != '$' && c != '*' {
			return false
		}
	}
	return text != ""
}

// placeholderLength returns the length of what stands for a value that somebody has taken
// out: <ip address>, <nil>. It is 0 for anything else in angle brackets.
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

// A fit says how a phrase lies in the words that marks join: rate-limit, NOT_FOUND,
// TimeoutError.
type fit uint8

const (
	whole  fit = iota // it begins and ends where they do
	ending            // it is the end of a longer name: user-not-found
	inside            // it is another part of a name: timeout_ms
)

// fitOf returns how a phrase lies in a name.
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
		if !codes.IsUpper(r.src[start]) { // a variable's
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

// joins reports whether a name goes on with a rune, which stands before another one.
func joins(r, next rune) bool {
	switch r {
	case '_':
		return true
	case '-', '.', '/', '\\', '@', '#':
		return unicode.IsLetter(next) || unicode.IsDigit(next)
	}
	return r < startOfRuns && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// isErrorWord reports whether a word at the end of a name says that it is an error's.
func isErrorWord(word string) bool {
	switch word {
	case "error", "errors", "err", "exception", "failure", "fault", "warning":
		return true
	}
	return false
}
