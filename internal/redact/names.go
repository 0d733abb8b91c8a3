package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A grade is how much a name says of the value beside it.
type grade byte

const (
	plain  grade = iota // nothing
	maybe               // a secret if it looks random
	secret              // a secret
)

// maxName is the number of bytes at the end of a name that are read. Chosen: names are
// shorter, and the end of a longer one describes its value.
const maxName = 256

// countsTokens reports whether a number of this name counts a model's tokens, as max_tokens does.
func countsTokens(name string) bool { return strings.Contains(strings.ToLower(name), "tokens") }

// gradeOf returns the grade of a name.
func gradeOf(name string) grade {
	words := wordsOf(name)
	folded := strings.Join(words, "")
	t := rows()
	for i := range folded {
		if slices.ContainsFunc(t.names[folded[i]], func(part string) bool { return strings.HasPrefix(folded[i:], part) }) {
			return secret
		}
	}
	switch {
	case slices.ContainsFunc(append(words, folded), func(word string) bool { return has(t.words["word"], word) }): // also p.i.n
		return secret
	case len(words) > 0 && has(t.words["key"], words[len(words)-1]):
		return maybe
	}
	return plain
}

// has reports whether a word is in a list, also as a plural or with a number: pin2.
func has(list map[string]bool, word string) bool {
	word = strings.TrimRight(word, digits)
	return list[word] || list[strings.TrimSuffix(word, "s")]
}

// wordsOf returns the words of a name in snake_case, camelCase or the like, in lower case. Marks
// and invisible characters do not separate words: the envelope leaves the latter out.
func wordsOf(name string) []string {
	runes := []rune(name[max(0, len(name)-maxName):])
	words := make([]rune, 0, 2*len(runes))
	for i, r := range runes {
		switch {
		case r >= utf8.RuneSelf && unicode.In(r, unicode.Cf, unicode.M):
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])): // userPin, PINCode
			words = append(words, ' ')
		}
		words = append(words, unicode.ToLower(r))
	}
	return strings.Fields(string(words))
}
