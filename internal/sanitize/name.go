package sanitize

import (
	"strconv"
	"strings"
	"unicode"
)

// maxName is the maximum length of a name in a sentence, in bytes. Paths of arguments and names of
// tools have a few dozen.
const maxName = 256

// Name returns a name or a number for use in a sentence. One short word, such as the path of an
// argument, is returned unchanged; other text is sanitized, cut and quoted. A name chosen by a
// caller can therefore neither imitate the sentence nor begin a new line.
func Name(s string) string {
	if len(s) <= maxName && strings.IndexFunc(s, breaksWord) < 0 && isClean(s) {
		return s
	}
	return Quote(s, maxName)
}

// Quote returns [Text] as a quoted Go string. Unlike [strconv.Quote], it does not escape U+200C and
// U+200D, without which a model cannot read Persian, Hindi and emoji.
func Quote(s string, limit int) string { return joiners.Replace(strconv.Quote(Text(s, limit))) }

var joiners = strings.NewReplacer(`\\`, `\\`, `\u200c`, "\u200c", `\u200d`, "\u200d")

// Line is [Text] on one line: it replaces newlines and tabs with spaces. It is for names that are
// data rather than identifiers.
func Line(s string, limit int) string { return separators.Replace(Text(s, limit)) }

var separators = strings.NewReplacer("\n", " ", "\t", " ")

func breaksWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("_-.[]$@:/*#+%,~", r)
}
