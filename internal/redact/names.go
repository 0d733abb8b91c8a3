package redact

import (
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
	folded, words := fold(name)
	t := rows()
	for i := range folded {
		for _, part := range t.name[bucket(folded[i:])] {
			if strings.HasPrefix(folded[i:], part) {
				return secret
			}
		}
	}
	last, from := "", 0
	for _, end := range words {
		if last = folded[from:end]; has(&t.word, last) {
			return secret
		}
		from = end
	}
	switch {
	case has(&t.word, folded): // p.i.n
		return secret
	case has(&t.key, last):
		return maybe
	}
	return plain
}

// has reports whether a word is in a list, also as a plural or with a number: pin2.
func has(list *[1 << 10][]string, word string) bool {
	for word != "" && isDigit(word[len(word)-1]) {
		word = word[:len(word)-1]
	}
	if word == "" {
		return false
	}
	for _, known := range list[bucket(word)] {
		if rest, ok := strings.CutPrefix(word, known); ok && (rest == "" || rest == "s") {
			return true
		}
	}
	return false
}

// fold returns the words of a name in snake_case, camelCase or the like, in lower case and
// without separators, and where each ends. Marks and invisible characters do not separate words:
// the envelope leaves the latter out.
func fold(name string) (folded string, ends []int) {
	name = name[max(0, len(name)-maxName):]
	dst, ends := make([]byte, 0, 96), make([]int, 0, 8)
	end := func(n int) {
		if n > 0 && (len(ends) == 0 || ends[len(ends)-1] < n) {
			ends = append(ends, n)
		}
	}
	capitals := 0 // the number of upper-case letters before the rune
	for _, r := range name {
		isUpper := unicode.IsUpper(r)
		switch {
		case r >= utf8.RuneSelf && unicode.In(r, unicode.Cf, unicode.M):
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end(len(dst))
			capitals = 0
			continue
		case isUpper && capitals == 0: // userPin
			end(len(dst))
		case unicode.IsLower(r) && capitals > 1: // PINCode
			end(len(dst) - 1)
		}
		if capitals++; !isUpper {
			capitals = 0
		}
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
	}
	end(len(dst))
	return string(dst), ends
}
