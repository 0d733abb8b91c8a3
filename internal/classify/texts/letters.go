package texts

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// isRun reports whether a letter is Chinese, Japanese or Korean, which need no spaces.
func isRun(r rune) bool {
	return r >= 0x3005 && r <= 0x3007 || r >= 0x3040 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff ||
		r >= 0xac00 && r <= 0xd7af || r >= 0xf900 && r <= 0xfaff
}

// isWord reports whether a character is part of a word.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return codes.IsAlnum(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// continues reports whether r belongs to the same word as the character before it, given the next
// character: notFound and HTTPError are two words each.
func continues(last, r, next rune) bool {
	switch {
	case !isWord(r), isRun(r) != isRun(last):
		return false
	case !unicode.IsUpper(r):
		return true
	}
	return !unicode.IsLower(last) && (!unicode.IsUpper(last) || !unicode.IsLower(next))
}

// appendFolded appends a letter in lower case without its accent.
func appendFolded(dst []byte, r rune) []byte {
	switch {
	case 'A' <= r && r <= 'Z':
		return append(dst, byte(r)+'a'-'A')
	case r < utf8.RuneSelf:
		return append(dst, byte(r))
	case r == 'ß':
		return append(dst, "ss"...)
	case unicode.Is(unicode.Mn, r):
		return dst
	}
	r = unicode.ToLower(r)
	if plain, ok := folds()[r]; ok {
		r = plain
	}
	return utf8.AppendRune(dst, r)
}

// letters has a plain letter in each line, followed by those that writers use for it, or it for.
//
//go:embed phrases/letters.txt
var letters string

// folds maps the letters to plain ones.
var folds = sync.OnceValue(func() map[rune]rune {
	m := map[rune]rune{}
	for line := range strings.Lines(letters) {
		plain, size := utf8.DecodeRuneInString(line)
		for _, r := range strings.TrimSpace(line[size:]) {
			m[r] = plain
		}
	}
	return m
})
