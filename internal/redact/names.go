package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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
	folded := strings.Join(words, "")
	isWord := func(word string) bool { return has(t.words["word"], word) }
	ends := func(list string) bool { // with one word, or with two
		last := words[max(0, len(words)-2):]
		return has(t.words[list], strings.Join(last, " ")) || len(last) > 1 && has(t.words[list], last[1])
	}
	isSecret := slices.ContainsFunc(words, isWord) || isWord(folded) || ends("end") // p.i.n
	for i := 0; i < len(folded) && !isSecret; i++ {
		isSecret = slices.ContainsFunc(t.names[folded[i]], func(part string) bool {
			return strings.HasPrefix(folded[i:], part)
		})
	}
	switch {
	case isSecret && !ends("about"):
		return secret
	case !isSecret && ends("key"):
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
	words, last := make([]byte, 0, maxName), rune(0)
	for i, r := range name {
		isPart := unicode.IsLetter(r) || unicode.IsDigit(r)
		isFirst := unicode.IsUpper(r) && (!unicode.IsUpper(last) || isLower(name[i+utf8.RuneLen(r):])) // userPin, PINCode
		if !isPart || isFirst {
			words = append(words, ' ')
		}
		if isPart {
			words = utf8.AppendRune(words, unicode.ToLower(r))
		}
		last = r
	}
	return strings.Fields(string(words))
}

func isLower(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(first)
}
