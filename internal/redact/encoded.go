package redact

import (
	b64 "encoding/base64"
	hexadecimal "encoding/hex"
	"strings"
)

// minRun is the minimum length, in characters, of a run that is decoded. Chosen: hexadecimal
// digits of a text that is removed, which has four bytes.
const minRun = 8

// An encodedRun is a piece of a part that is decoded to be searched for arguments.
type encodedRun struct {
	part, from, to int
	text           string
}

// runsOf returns the texts that are encoded in the parts of a record as errors print bytes:
// %x (6b6579, 6b 65 79, 0x6b), %v and %#v of a []byte ([107 101 121], []byte{0x6b, 0x65}), and
// base64. It takes linear time.
func runsOf(parts []string) (runs []encodedRun) {
	for p, part := range parts {
		for i := 0; i < len(part); {
			if !isAlnum(part[i]) {
				i++
				continue
			}
			word, kinds := wordEnd(part, i)
			if text := decodeWord(part[i:word], kinds); text != "" {
				runs = append(runs, encodedRun{p, i, word, text})
			} else if word-i <= len("0x6b") && kinds&isHex != 0 {
				for _, hex := range []bool{false, true} { // 31 32 33 34 may be both
					if end, text := byteList(part, i, hex); text != "" {
						runs = append(runs, encodedRun{p, i, end, text})
						word = max(word, end)
					}
				}
			}
			i = word
		}
	}
	return runs
}

// wordKinds are the properties of a word.
type wordKinds byte

const (
	isHex   wordKinds = 1 << iota // it has only hexadecimal digits, perhaps after 0x
	isMixed                       // it has digits, or upper case after the first letter
	isURL                         // it has - or _
)

// wordEnd returns the end of the base64 characters at i, and their properties.
func wordEnd(s string, i int) (end int, k wordKinds) {
	mixed := false
	k = isHex
	for end = i; end < len(s); end++ {
		c := s[end]
		switch {
		case c >= '0' && c <= '9':
			mixed = true
			continue
		case c >= 'a' && c <= 'z':
		case c >= 'A' && c <= 'Z':
			mixed = mixed || end > i
		case c == '-', c == '_':
			k |= isURL
		case c != '+' && c != '/':
			return end, k.mixed(mixed)
		}
		if (c|0x20 < 'a' || c|0x20 > 'f') && (end != i+1 || c|0x20 != 'x' || s[i] != '0') {
			k &^= isHex
		}
	}
	return end, k.mixed(mixed)
}

func (k wordKinds) mixed(is bool) wordKinds {
	if is {
		k |= isMixed
	}
	return k
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
// word of lower-case letters is not read as base64.
func decodeWord(word string, k wordKinds) string {
	switch {
	case len(word) < minRun:
		return ""
	case k&isHex != 0:
		digits := strings.TrimPrefix(strings.TrimPrefix(word, "0x"), "0X")
		raw, _ := hexadecimal.DecodeString(digits[:len(digits)&^1])
		return string(raw)
	case k&isMixed == 0:
		return ""
	}
	encoding := b64.RawStdEncoding
	if k&isURL != 0 {
		encoding = b64.RawURLEncoding
	}
	if len(word)%4 == 1 { // it was cut
		word = word[:len(word)-1]
	}
	raw, err := encoding.DecodeString(word)
	if err != nil {
		return ""
	}
	return string(raw)
}
