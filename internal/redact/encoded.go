package redact

import (
	b64 "encoding/base64"
	hexadecimal "encoding/hex"
	"strings"
	"unicode/utf8"
)

// minRun is the minimum length, in characters, of a run that is decoded. Chosen: hexadecimal
// digits of a text that is removed, which has four bytes.
const minRun = 8

// An encodedRun is a piece of a part that is decoded to be searched for arguments.
type encodedRun struct {
	part, from, to int
	text           string
}

// isCut reports whether a part may have been cut in the run: at the end of the part, or
// before an ellipsis.
func (r encodedRun) isCut(parts []string) bool {
	rest := parts[r.part][r.to:]
	return rest == "" || strings.HasPrefix(rest, "…") || strings.HasPrefix(rest, "...")
}

// runsOf returns the texts that are encoded in the parts of a record as errors print bytes:
// %x (6b6579, 6b 65 79, 0x6b), %v and %#v of a []byte ([107 101 121], []byte{0x6b, 0x65}), and
// base64. The first ones, whose number is cut, may have been cut. It takes linear time.
func runsOf(parts []string) (runs []encodedRun, cut int) {
	add := func(part, from, to int, text string) {
		if !isText(text) {
			return
		}
		run := encodedRun{part, from, to, text}
		if runs = append(runs, run); run.isCut(parts) {
			runs[cut], runs[len(runs)-1] = run, runs[cut]
			cut++
		}
	}
	for p, part := range parts {
		for i := 0; i < len(part); {
			if !isAlnum(part[i]) {
				i++
				continue
			}
			word, kinds := wordEnd(part, i)
			if text := decodeWord(part[i:word], kinds); text != "" {
				add(p, i, word, text)
			} else if word-i <= len("0x6b") && kinds&isNoHex == 0 {
				for _, hex := range []bool{false, true} { // 31 32 33 34 may be both
					if end, text := byteList(part, i, hex); text != "" {
						add(p, i, end, text)
						word = max(word, end)
					}
				}
			}
			i = word
		}
	}
	return runs, cut
}

// isText reports whether decoded bytes are UTF-8, as arguments are. At both ends a character
// may be cut.
func isText(s string) bool {
	for range utf8.UTFMax - 1 {
		if s != "" && !utf8.RuneStart(s[0]) {
			s = s[1:]
		}
	}
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 {
			return !utf8.FullRuneInString(s)
		}
		s = s[size:]
	}
	return true
}

// wordKinds are the properties of the characters of a word.
type wordKinds byte

const (
	isBase64 wordKinds = 1 << iota
	isNoHex            // no hexadecimal digit
	isMixed            // a digit, or an upper-case letter after the first
	isURL              // - or _
)

// wordKindOf is the properties of each character, and 0 for those that no word has.
var wordKindOf = func() (list [256]wordKinds) {
	for c := range list {
		switch {
		case c >= '0' && c <= '9':
			list[c] = isBase64 | isMixed
		case c >= 'a' && c <= 'f':
			list[c] = isBase64
		case c >= 'g' && c <= 'z', c == '+', c == '/':
			list[c] = isBase64 | isNoHex
		case c >= 'A' && c <= 'F':
			list[c] = isBase64 | isMixed
		case c >= 'G' && c <= 'Z':
			list[c] = isBase64 | isMixed | isNoHex
		case c == '-', c == '_':
			list[c] = isBase64 | isNoHex | isURL
		}
	}
	return list
}()

// wordEnd returns the end of the base64 characters at i, and their properties.
func wordEnd(s string, i int) (end int, k wordKinds) {
	end = i
	switch {
	case strings.HasPrefix(s[i:], "0x"), strings.HasPrefix(s[i:], "0X"):
		end, k = i+2, isBase64|isMixed
	case i < len(s) && s[i] >= 'A' && s[i] <= 'Z':
		end, k = i+1, wordKindOf[s[i]]&^isMixed
	}
	for ; end < len(s) && wordKindOf[s[end]] != 0; end++ {
		k |= wordKindOf[s[end]]
	}
	return end, k
}

// byteList decodes bytes that are separated by spaces or commas, and returns their end.
func byteList(s string, i int, hex bool) (end int, text string) {
	var short [64]byte
	bytes := short[:0]
	for i < len(s) {
		word, _ := wordEnd(s, i)
		b, ok := byteOf(s[i:word], hex)
		if !ok {
			break
		}
		bytes, end = append(bytes, b), word
		for i = word; i < len(s) && i-word < 2 && (s[i] == ' ' || s[i] == ','); i++ {
		}
	}
	if len(bytes) < shortText {
		return 0, ""
	}
	return end, string(bytes)
}

// byteOf returns the byte that a word is.
func byteOf(word string, hex bool) (byte, bool) {
	if hex {
		word = strings.TrimPrefix(word, "0x")
		if len(word) == 1 {
			word = "0" + word
		}
		if len(word) != 2 {
			return 0, false
		}
		return hexByte(word, 0)
	}
	n := 0
	for i := range len(word) {
		if word[i] < '0' || word[i] > '9' {
			return 0, false
		}
		n = n*10 + int(word[i]-'0')
	}
	return byte(n), len(word) > 0 && len(word) < 4 && n < 256 //nolint:gosec // compared
}

// decodeWord returns the text that a word encodes in hexadecimal digits or base64, or "". A
// word of lower-case letters is not read as base64. Most words encode no text, as their
// first bytes show.
func decodeWord(word string, k wordKinds) string {
	switch {
	case len(word) < minRun:
		return ""
	case k&isNoHex == 0:
		word = strings.TrimPrefix(strings.TrimPrefix(word, "0x"), "0X")
		word = word[:len(word)&^1]
	case k&isMixed == 0:
		return ""
	case len(word)%4 == 1: // it was cut
		word = word[:len(word)-1]
	}
	var first [minRun]byte
	n, err := decode(first[:], []byte(word[:min(len(word), minRun)]), k)
	if err != nil || !isText(string(first[:n])) {
		return ""
	}
	raw := make([]byte, len(word))
	if n, err = decode(raw, []byte(word), k); err != nil {
		return ""
	}
	return string(raw[:n])
}

// decode decodes the characters of a word of these kinds.
func decode(dst, src []byte, k wordKinds) (int, error) {
	switch {
	case k&isNoHex == 0:
		return hexadecimal.Decode(dst, src)
	case k&isURL != 0:
		return b64.RawURLEncoding.Decode(dst, src)
	}
	return b64.RawStdEncoding.Decode(dst, src)
}
