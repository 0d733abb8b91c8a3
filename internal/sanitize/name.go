package sanitize

import (
	"strconv"
	"strings"
	"unicode"
)

// maxName is the maximum length of a name in a sentence, in bytes. Chosen: paths of arguments
// and names of tools have a few dozen.
const maxName = 256

// Name returns a name or a number for use in a sentence. One word, such as the path of an
// argument, is returned unchanged; other text is sanitized, cut and quoted. A name chosen by
// a caller can therefore neither imitate the sentence nor begin a new line.
func Name(s string) string {
	if len(s) <= maxName && strings.IndexFunc(s, breaksWord) < 0 && IsClean(s) {
		return s
	}
	return strconv.Quote(Text(s, maxName))
}

func breaksWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("_-.[]$@:/*#+%,~", r)
}
