package redact

import (
	"bytes"
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
	var few, joined, both [maxName]byte
	words, folded := appendWords(few[:0], name), joined[:0]
	var word, last, pair []byte
	t, isSecret := rows(), false
	list := t.words["word"]
	for more := true; more; {
		if word, words, more = bytes.Cut(words, []byte(" ")); len(word) == 0 {
			continue
		}
		pair = append(append(append(both[:0], last...), ' '), word...)
		isSecret = isSecret || has(list, word)
		folded, last = append(folded, word...), word
	}
	is := func(list string) bool { return has(t.words[list], last) || has(t.words[list], pair) }
	isSecret = isSecret || is("end") || has(list, folded) // p.i.n
	for i := 0; i < len(folded) && !isSecret; i++ {
		isSecret = slices.ContainsFunc(t.names[folded[i]], func(part string) bool {
			return bytes.HasPrefix(folded[i:], []byte(part))
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
func has(list map[string]bool, word []byte) bool {
	base := bytes.TrimRight(word, digits)
	return list[string(word)] || list[string(base)] ||
		bytes.HasSuffix(base, []byte("s")) && list[string(base[:len(base)-1])]
}

// appendWords appends the words of a name in snake_case, camelCase or the like, in lower case, with
// spaces between them.
func appendWords(words []byte, name string) []byte {
	var last rune
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
	return words
}

func isLower(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(first)
}
