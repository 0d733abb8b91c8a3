package redact

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// errorWords are words that errors consist of. Parts of them that equal an argument by
// chance do not reveal it.
var errorWords = sync.OnceValue(func() []string {
	return strings.Fields(`
	permission permissions permitted connection connections connect connected invalid invalidated argument arguments parameter parameters unknown unexpected
	failure failures failed timeout exceeded resource resources request requests requested response responses service services unavailable internal error errors
	username hostname filename pathname operation operations operator transaction transactions database databases unauthorized unauthenticated authorization authentication
	forbidden duplicate constraint violation violates context deadline canceled cancelled message messages directory certificate protocol`)
})

// longestWord is the longest word of errors, in bytes. Chosen: more than any name has.
const longestWord = 64

// isWordOfErrors reports whether what stands from here to there in a part is a piece of a
// word that says nothing of a call.
func (r *remover) isWordOfErrors(part string, from, to int) bool {
	start, end := from, to
	for start > 0 && end-start <= longestWord {
		c, n := utf8.DecodeLastRuneInString(part[:start])
		if c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			break
		}
		start -= n
	}
	for end < len(part) && end-start <= longestWord {
		c, n := utf8.DecodeRuneInString(part[end:])
		if c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			break
		}
		end += n
	}
	if start == from && end == to || end-start > longestWord {
		return false
	}
	word := part[start:end]
	if r.isName != nil && r.isName(word, 2) {
		return true
	}
	for _, known := range errorWords() {
		if strings.EqualFold(word, known) {
			return true
		}
	}
	return false
}
