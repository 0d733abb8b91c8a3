package sanitize

import (
	"strconv"
	"strings"
	"unicode"
)

// maxName is how many bytes of a name stand in a sentence. Chosen: paths of arguments and
// names of tools have some dozen, and a sentence should stay one.
const maxName = 256

// Name returns a name or a number as it stands in a sentence of ours: as it is if it is one
// word, such as a path of an argument, and else in quotes, cleaned and cut. A name that a
// caller has chosen thus cannot pass for the sentence's own words, or begin a new line.
func Name(s string) string {
	if len(s) <= maxName && strings.IndexFunc(s, breaksWord) < 0 && IsClean(s) {
		return s
	}
	return strconv.Quote(Text(s, maxName))
}

func breaksWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("_-.[]$@:/*#+%,~", r)
}
