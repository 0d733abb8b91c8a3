package codes

import (
	"slices"
	"strings"
)

// MaxCode is the maximum number of bytes read from a code or name. Codes have about thirty.
const MaxCode = 128

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
			word := singular(strings.ToLower(name[start:end]))
			if !slices.Contains(errorWords, word) {
				words = append(words, word)
			}
		}
		start = end
	}
	return words
}

var errorWords = []string{"error", "err", "exception", "fault"}

// has reports whether one of the words is in a list of words separated by spaces.
func has(words []string, list string) bool {
	for word := range strings.FieldsSeq(list) {
		if slices.Contains(words, word) {
			return true
		}
	}
	return false
}

// startsWord reports whether a word of a camel-case name starts at i: an upper-case letter that
// does not follow another one or precedes a lower-case one.
func startsWord(name string, i int) bool {
	if !IsUpper(name[i]) {
		return false
	}
	return !IsUpper(name[i-1]) || i+1 < len(name) && name[i+1] >= 'a'
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
