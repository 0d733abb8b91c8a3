package codes

import (
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// stems returns the words of a code or a Go name in lower case and in the singular, without words
// that mean error, such as quota and exceeded for QuotasExceededError.
func stems(name string) (words []string) {
	name = name[:min(len(name), MaxCode)]
	for start := 0; start < len(name); {
		end := start + 1
		if IsAlnum(name[start]) {
			for end < len(name) && IsAlnum(name[end]) && !startsWord(name, end) {
				end++
			}
			if word := singular(strings.ToLower(name[start:end])); !errorWords.Has(word) {
				words = append(words, word)
			}
		}
		start = end
	}
	return words
}

// startsWord reports whether a word of a camel-case name starts at i: an upper-case letter that
// does not follow another one or precedes a lower-case one.
func startsWord(name string, i int) bool {
	return IsUpper(name[i]) && (!IsUpper(name[i-1]) || i+1 < len(name) && name[i+1] >= 'a')
}

// singular removes the plural ending of a word.
func singular(word string) string {
	if n := len(word); n > 3 && word[n-1] == 's' && word[n-2] != 's' && word[n-2] != 'u' && word[n-2] != 'i' {
		return word[:n-1]
	}
	return word
}

// IsUpper reports whether c is an ASCII upper-case letter.
func IsUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// IsAlnum reports whether c is an ASCII letter or digit.
func IsAlnum(c byte) bool {
	return IsUpper(c) || 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
}

// maxRun is the maximum number of words of a known code.
const maxRun = 5

// byStems classifies two or more words of a code. The longest sequence of them that is a known code
// counts first: it allows a retry only for a rate limit, and not for a plan's, which no short wait
// lifts. Then the rows of the table stem count.
func byStems(words []string) class.Class {
	for n := min(len(words), maxRun); n > 1; n-- {
		for i := range len(words) - n + 1 {
			switch c := all().stems[strings.Join(words[i:i+n], "")]; {
			case c.IsVague() || c.Retryable() && c != class.Throttled:
			case c == class.Throttled && slices.ContainsFunc(words, plans.Has):
				return class.Limit
			default:
				return c
			}
		}
	}
	isWord := func(word string) bool { return slices.Contains(words, word) }
	for _, row := range all().byName["stem"].rows {
		if len(words) > 1 && slices.ContainsFunc(row.codes, isWord) && (len(row.beside) == 0 || slices.ContainsFunc(row.beside, isWord)) {
			return row.class
		}
	}
	return class.Unknown
}
