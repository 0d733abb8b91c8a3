package evidence

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// shortText is the length in bytes from which a text is searched for in a longer one.
	// Chosen: shorter ones are in every sentence.
	shortText = 4
	// maxWord is the length in bytes up to which a text is searched for in a longer one.
	// Chosen: names are shorter, except for paths.
	maxWord = 512
	// maxNumber is the length in bytes up to which a number is compared by its value, and
	// maxExponent its largest exponent. Chosen: a float64 has at most 24 characters, and
	// exponents up to 308.
	maxNumber, maxExponent = 400, 400
)

// scoreText returns the score of an argument for the text or number in an error.
func scoreText(l *leaf, name string) int {
	text, name := strings.TrimSpace(l.text), strings.TrimSpace(name)
	switch {
	case text == "" || name == "":
		return noMatch
	case text == name:
		return same
	case sameNumber(text, name), unescaped(text) == name, text == unescaped(name):
		return same
	case l.number:
		return noMatch
	case isItem(text, name):
		return joined
	case len(text) >= shortText && isPart(name, text):
		return similar // the tool has appended something, such as a time to a date
	}
	return scoreWithin(l, name)
}

// isPart reports whether a text begins or ends with another one, and the boundary between
// them is not inside a number or a word.
func isPart(text, part string) bool {
	rest, ok := strings.CutPrefix(text, part)
	if ok && kindOfByte(part[len(part)-1]) != kindOfByte(rest[0]) {
		return true
	}
	rest, ok = strings.CutSuffix(text, part)
	return ok && kindOfByte(part[0]) != kindOfByte(rest[len(rest)-1])
}

// kindOfByte distinguishes digits, letters and other bytes.
func kindOfByte(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return 1
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= utf8.RuneSelf:
		return 2
	}
	return int(c) + 3
}

// scoreWithin returns the score of an argument for a text in an error that may be a part of it.
func scoreWithin(l *leaf, name string) int {
	text := l.text[:min(len(l.text), maxText)]
	if l.number || len(name) > len(text) {
		return noMatch
	}
	isName := len(text) <= 128 && !strings.ContainsFunc(text, unicode.IsSpace)
	if (isName || len(name) >= shortText || strings.HasPrefix(name, "%")) && holds(text, name) {
		return similar
	}
	return noMatch
}

// isItem reports whether a text is a list in one string, and item is one of its items.
func isItem(text, item string) bool {
	if len(text) > maxText || !strings.ContainsAny(text, ",;|\n") {
		return false
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",;|\n", r) }) {
		if strings.TrimSpace(part) == item {
			return true
		}
	}
	return false
}

// holds reports whether a text contains a word that is not part of a longer one.
func holds(text, word string) bool {
	if len(word) > maxWord {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		from += i
		if isWord(text, from, from+len(word)) {
			return true
		}
		from++
	}
}

// isWord reports whether text[from:to] is not continued at either end.
func isWord(text string, from, to int) bool {
	first, _ := utf8.DecodeRuneInString(text[from:to])
	last, _ := utf8.DecodeLastRuneInString(text[from:to])
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	behind, _ := utf8.DecodeRuneInString(text[to:])
	return (!isAlnum(first) || !isAlnum(before)) && (!isAlnum(last) || !isAlnum(behind))
}

func isAlnum(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// unescaped returns a text without percent-encoding, or the text itself if that is invalid.
func unescaped(text string) string {
	if !strings.ContainsRune(text, '%') {
		return text
	}
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// sameNumber reports whether two texts are spellings of one number: 1000, 1e3 and 1000.0.
func sameNumber(a, b string) bool {
	x, ok := newDecimal(a)
	if !ok {
		return false
	}
	y, ok := newDecimal(b)
	return ok && x == y
}

// A decimal is a number: digits without zeros around them, times a power of ten.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

func newDecimal(text string) (d decimal, ok bool) {
	if len(text) > maxNumber || text == "" {
		return d, false
	}
	mantissa, power := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, power = text[:i], text[i+1:]
		if d.exponent, _ = strconv.Atoi(power); d.exponent == 0 && strings.Trim(power, "+-0") != "" ||
			d.exponent > maxExponent || d.exponent < -maxExponent {
			return d, false
		}
	}
	mantissa, d.negative = strings.CutPrefix(mantissa, "-")
	mantissa = strings.TrimPrefix(mantissa, "+")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	d.digits = whole + fraction
	if d.digits == "" || strings.Trim(d.digits, "0123456789") != "" {
		return d, false
	}
	d.exponent -= len(fraction)
	trimmed := strings.TrimRight(d.digits, "0")
	d.exponent += len(d.digits) - len(trimmed)
	if d.digits = strings.TrimLeft(trimmed, "0"); d.digits == "" {
		return decimal{}, true
	}
	return d, true
}
