package redact

import (
	"slices"
	"strings"
	"unicode"
)

// A grade says how likely the value beside a name is a secret.
type grade byte

const (
	plain  grade = iota // nothing
	maybe               // a secret if it looks random
	secret              // a secret
)

// maxName is the maximum number of bytes of a name that are read in a text. Few names are longer, and
// their ends describe their values.
const maxName = 256

// countsTokens reports whether a number with this name counts a model's tokens, as max_tokens does.
func countsTokens(name string) bool { return strings.Contains(strings.ToLower(name), "tokens") }

func gradeOf(name string) grade {
	t, words := rows(), wordsOf(name)
	folded, pair := strings.Join(words, ""), strings.Join(words[max(len(words)-2, 0):], " ")
	last := pair[strings.LastIndexByte(pair, ' ')+1:]
	is := func(list string) bool { return has(t.words[list], last) || has(t.words[list], pair) }
	isWord := func(word string) bool { return has(t.words["word"], word) }
	isSecret := slices.ContainsFunc(words, isWord) || isWord(folded) || is("end") // p.i.n
	for i := 0; i < len(folded) && !isSecret; i++ {
		isSecret = slices.ContainsFunc(t.names[folded[i]], func(part string) bool {
			return strings.HasPrefix(folded[i:], part)
		})
	}
	switch {
	case isSecret && !is("about"):
		return secret
	case !isSecret && has(t.words["key"], last):
		return maybe
	}
	return plain
}

// has reports whether a word is in a list, also as a plural or with a number, as in pin2.
func has(list map[string]bool, word string) bool {
	base := strings.TrimRight(word, digits)
	return list[word] || list[base] || list[strings.TrimSuffix(base, "s")]
}

// wordsOf returns the words of a name in snake_case, camelCase or the like, in lower case.
func wordsOf(name string) []string {
	var words []rune
	runes := []rune(" " + name + " ")
	for i, r := range runes[1 : len(runes)-1] {
		isPart := unicode.IsLetter(r) || unicode.IsDigit(r)
		isFirst := unicode.IsUpper(r) && (!unicode.IsUpper(runes[i]) || unicode.IsLower(runes[i+2])) // userPin, PINCode
		if !isPart || isFirst {
			words = append(words, ' ')
		}
		if isPart {
			words = append(words, unicode.ToLower(r))
		}
	}
	return strings.Fields(string(words))
}
