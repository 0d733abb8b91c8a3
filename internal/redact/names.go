package redact

import (
	"bytes"
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

// maxName is the maximum number of bytes read at the end of a name. Few names are longer, and their
// ends describe their values.
const maxName = 256

// countsTokens reports whether a number with this name counts a model's tokens, as max_tokens does.
func countsTokens(name string) bool { return strings.Contains(strings.ToLower(name), "tokens") }

func gradeOf(name string) grade {
	var few, joined, both [maxName]byte
	words, folded := appendWords(few[:0], name), joined[:0]
	var word, last, pair []byte
	t, isSecret := rows(), false
	for more := true; more; {
		if word, words, more = bytes.Cut(words, []byte(" ")); len(word) == 0 {
			continue
		}
		pair = append(append(append(both[:0], last...), ' '), word...)
		isSecret = isSecret || has(t.words["word"], word)
		folded, last = append(folded, word...), word
	}
	switch is := func(list string) bool { return has(t.words[list], last) || has(t.words[list], pair) }; {
	case is("about"):
		return plain
	case isSecret, is("end"), len(last) < len(folded) && has(t.words["word"], folded): // p.i.n
		return secret
	}
	for i, c := range folded {
		for _, part := range t.names[c] {
			if bytes.HasPrefix(folded[i:], []byte(part)) {
				return secret
			}
		}
	}
	if has(t.words["key"], last) {
		return maybe
	}
	return plain
}

// has reports whether a word is in a list, also as a plural or with a number, as in pin2.
func has(list map[string]bool, word []byte) bool {
	if list[string(word)] {
		return true
	}
	for len(word) > 0 && isDigit(word[len(word)-1]) {
		word = word[:len(word)-1]
	}
	return list[string(word)] || list[string(bytes.TrimSuffix(word, []byte("s")))]
}

// appendWords appends the words of a name in snake_case, camelCase or the like, in lower case, with
// spaces between them. Marks and invisible characters do not separate words: the envelope omits
// invisible ones.
func appendWords(words []byte, name string) []byte {
	name = name[max(0, len(name)-maxName):]
	var last rune
	for i, r := range name {
		switch {
		case r >= utf8.RuneSelf && unicode.In(r, unicode.Cf, unicode.M):
			// These belong to the letter before.
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			words = append(words, ' ')
		case unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(last) || strings.IndexFunc(name[i:min(i+2*utf8.UTFMax, len(name))], unicode.IsLower) == utf8.RuneLen(r)): // userPin, PINCode
			words = append(words, ' ')
			fallthrough
		default:
			words = utf8.AppendRune(words, unicode.ToLower(r))
		}
		last = r
	}
	return words
}
