package redact

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// A symbol is a character for comparison: folded, and without the effects of quoting,
// escaping and cleaning. Zero is a character that is ignored.
type symbol = rune

// next returns the symbol at i and its length in bytes. It reads the escapes of JSON, of Go
// and similar languages, of URLs and of HTML, so that texts compare equal however they are
// quoted, and however often, because any number of backslashes is read as one.
func next(s string, i int) (symbol, int) {
	c := s[i]
	if c < utf8.RuneSelf {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			return symbol(c), 1
		case c >= 'A' && c <= 'Z':
			return symbol(c | 0x20), 1
		case c == '\\':
			return escaped(s, i)
		case c == '%':
			mark := percents(s, i)
			switch b, ok := hexByte(s, mark); {
			case ok && b == '\\':
				return escaped(s, i)
			case ok:
				return assembled(s, i, b, s[i:mark])
			}
		case c == '&':
			return 0, entity(s, i)
		case c == 0x1b:
			return 0, 1 + sequence(s, i+1)
		}
		return foldASCII(c), 1
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	if r == 0x9b {
		n += sequence("["+s[i+n:min(len(s), i+n+maxName)], 0) - 1
	}
	return foldRune(r), n
}

// special marks a byte whose symbol depends on the bytes around it: [next] reads it.
const special = 0xff

// allFolds holds the symbol of each byte, wordFolds the symbol of each letter and digit. 0 is
// a byte that is left out. Dots are special among the words because three of them are a cut.
var allFolds, wordFolds = func() (all, words [256]uint8) {
	for c := range 256 {
		switch {
		case c >= utf8.RuneSelf, c == '\\', c == '%', c == '&', c == 0x1b:
			all[c], words[c] = special, special
		case c == '.':
			all[c], words[c] = '.', special
		default:
			s := foldASCII(byte(c))
			all[c] = uint8(s) //nolint:gosec // ASCII
			if isWordSymbol(s) {
				words[c] = uint8(s) //nolint:gosec // ASCII
			}
		}
	}
	return all, words
}()

// percents returns where the digits behind a percent sign at i begin, which may have been
// escaped itself, or i.
func percents(s string, i int) int {
	if s[i] != '%' {
		return i
	}
	i++
	for strings.HasPrefix(s[i:], "25") {
		if _, ok := hexByte(s, i+2); !ok {
			break
		}
		i += 2
	}
	return i
}

// foldASCII returns the symbol of an ASCII character. It is zero for spaces, control
// characters and characters that quoting changes.
func foldASCII(c byte) symbol {
	switch {
	case c <= ' ', c == 0x7f, c == '"', c == '\'', c == '`', c == '\\', c == '/', c == '+', c == '&', c == '<', c == '>':
		return 0
	case c >= 'A' && c <= 'Z':
		return symbol(c | 0x20)
	}
	return symbol(c)
}

// foldRune returns the symbol of a character.
func foldRune(r rune) symbol {
	switch {
	case r < utf8.RuneSelf:
		return foldASCII(byte(r))
	case utf16.IsSurrogate(r), r == utf8.RuneError, unicode.IsSpace(r), unicode.In(r, unicode.Cf, unicode.Cc, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		return 0
	}
	return unicode.ToLower(r)
}

// isWordSymbol reports whether a symbol is a letter or digit.
func isWordSymbol(r symbol) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// escaped reads backslashes and the character that they escape.
func escaped(s string, i int) (symbol, int) {
	end := backslashes(s, i)
	if end == len(s) {
		return 0, end - i
	}
	var r rune
	digits := 0
	switch s[end] {
	case 'n', 'r', 't', 'b', 'f', 'v', 'a', '0', '"', '\'', '/', '`', 'N', 'R', 'T', 'B', 'F', 'V', 'A': // letters may be upper case in folded texts
		return 0, end + 1 - i
	case 'x', 'X':
		if b, ok := hexByte(s, end+1); ok {
			return assembled(s, i, b, s[i:end+1])
		}
	case 'U':
		if r, digits = hexRune(s, end+1, 8); digits == 0 { // \u in a text that was folded
			r, digits = hexRune(s, end+1, 4)
		}
	case 'u':
		r, digits = hexRune(s, end+1, 4)
	}
	if digits == 0 {
		return 0, end - i
	}
	to := end + 1 + digits
	switch {
	case r == 0x1b:
		to += sequence(s, to)
	case utf16.IsSurrogate(r):
		if low, n := lowSurrogate(s, to); n > 0 {
			r, to = utf16.DecodeRune(r, low), to+n
		}
	}
	return foldRune(r), to - i
}

// lowSurrogate returns the second half of a surrogate pair that is escaped at i, and the
// length of its escape, or 0. JSON writes characters beyond the basic plane in two escapes.
func lowSurrogate(s string, i int) (r rune, n int) {
	end := backslashes(s, i)
	if end == i || end == len(s) || s[end]|0x20 != 'u' {
		return 0, 0
	}
	if r, n = hexRune(s, end+1, 4); n == 0 || r < 0xdc00 || r > 0xdfff {
		return 0, 0
	}
	return r, end + 1 + n - i
}

// backslashes returns the end of the backslashes at i, which may be escaped as in a URL.
func backslashes(s string, i int) int {
	for i < len(s) {
		if s[i] == '\\' {
			i++
		} else if mark := percents(s, i); mark+1 < len(s) && mark > i && strings.EqualFold(s[mark:mark+2], "5c") {
			i = mark + 2
		} else {
			break
		}
	}
	return i
}

// assembled returns the symbol of the character that begins with the escaped byte at i, and
// includes the following escapes with the same mark that belong to it.
func assembled(s string, i int, first byte, mark string) (symbol, int) {
	each := len(mark) + 2
	if first < utf8.RuneSelf {
		if first == 0x1b {
			return 0, each + sequence(s, i+each)
		}
		return foldASCII(first), each
	}
	raw := [utf8.UTFMax]byte{first}
	n := 1
	for n < len(raw) && !utf8.FullRune(raw[:n]) && strings.HasPrefix(s[min(len(s), i+n*each):], mark) {
		b, ok := hexByte(s, i+n*each+len(mark))
		if !ok {
			break
		}
		raw[n] = b
		n++
	}
	r, _ := utf8.DecodeRune(raw[:n])
	return foldRune(r), n * each
}

// hexRune returns the character that a number of hexadecimal digits at i stand for, and their
// number, or 0 if there are fewer.
func hexRune(s string, i, digits int) (r rune, n int) {
	for n < digits && i+n < len(s) {
		d, ok := hexDigit(s[i+n])
		if !ok {
			return 0, 0
		}
		r = r<<4 | rune(d)
		n++
	}
	if n < digits {
		return 0, 0
	}
	return r, n
}

func hexByte(s string, i int) (byte, bool) {
	if i+1 >= len(s) {
		return 0, false
	}
	high, ok := hexDigit(s[i])
	low, ok2 := hexDigit(s[i+1])
	return high<<4 | low, ok && ok2
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// entity returns the length of the HTML entity at i if its character is ignored, otherwise
// 1.
func entity(s string, i int) int {
	for _, name := range [...]string{"&amp;", "&quot;", "&lt;", "&gt;", "&apos;", "&#39;", "&#34;", "&#x27;"} {
		if strings.HasPrefix(s[i:], name) {
			return len(name)
		}
	}
	return 1
}

// sequence returns the length of the rest of an escape sequence (ECMA-48) at i.
func sequence(s string, i int) int {
	end := i
	switch {
	case i < len(s) && s[i] == '[':
		end++
	case i+2 < len(s) && strings.EqualFold(s[i:i+3], "%5b"):
		end += 3
	default:
		return 0
	}
	for end < len(s) && s[end] >= 0x20 && s[end] <= 0x3f {
		end++
	}
	if end < len(s) && s[end] >= 0x40 && s[end] <= 0x7e {
		end++
	}
	return end - i
}
