package result

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// maxQuotes is the maximum number of quotations that are read. Chosen: a sentence has a few.
const maxQuotes = 50

// quotation matches a span in quotes.
var quotation = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("\"([^\"\n]{1,300})\"|`([^`\n]{1,300})`|(?:^|[\\s(=:\\[,])'([^'\n]{1,300})'")
})

// quotedSpans returns the quoted spans of a text, except member names in JSON.
func quotedSpans(text string) (spans []string) {
	for _, m := range quotation().FindAllStringSubmatchIndex(text, maxQuotes) {
		if strings.HasPrefix(text[m[1]:], ":") {
			continue
		}
		for group := 2; group < len(m); group += 2 {
			if m[group] >= 0 {
				spans = append(spans, text[m[group]:m[group+1]])
			}
		}
	}
	return spans
}

// hasWord reports whether a text contains a word.
func hasWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 || word == "" {
			return false
		}
		i += from
		from = i + len(word)
		if isWord(text, i, from) {
			return true
		}
	}
}

// isWord reports whether text[from:to] is a whole word or name.
func isWord(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	behind, _ := utf8.DecodeRuneInString(text[to:])
	return !slices.ContainsFunc([]rune{before, behind}, func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) })
}
