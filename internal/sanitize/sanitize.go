// Package sanitize makes texts safe to show to a model or on a terminal, and limits their length.
package sanitize

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxLength is the maximum length, in bytes of UTF-8, of a string in the envelope. It is enough
	// for one member; four such strings fill an envelope.
	MaxLength = 2 << 10
	// ellipsis ends shortened prose.
	ellipsis = "…"
	// gap replaces the middle of a text in [Ends].
	gap = " … "
)

// Text returns s in a form that is safe to show: valid UTF-8 without control characters (except
// newline and tab), terminal escapes, bidi controls or most invisible ones. If it is longer than
// limit bytes, it is shortened and ends with an ellipsis. A text that is already safe and short
// enough is returned unchanged, without an allocation.
func Text(s string, limit int) string {
	if len(s) <= limit && IsClean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(min(len(s), limit))
	cut := 0 // how much of b is kept if an ellipsis must follow
	for i := 0; i < len(s); {
		if n := escapeLen(s[i:]); n != 0 {
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if isDropped(r) {
			continue
		}
		if b.Len()+utf8.RuneLen(r) > limit {
			return b.String()[:cut] + ellipsis
		}
		b.WriteRune(r) // utf8.RuneError if the bytes are invalid
		if b.Len() <= limit-len(ellipsis) {
			cut = b.Len()
		}
	}
	return b.String()
}

// Ends is [Text], but it replaces the middle of a long text with an ellipsis, because compilers and
// test runners report the problem at the end.
func Ends(s string, limit int) string {
	s = Text(s, math.MaxInt)
	switch {
	case len(s) <= limit:
		return s
	case limit < 2*len(gap): // no room for two ends
		return Text(s, limit)
	}
	half := (limit - len(gap)) / 2
	head, tail := half, len(s)-half
	for !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + gap + s[tail:]
}

// Identifier returns s, or "" if it is unsafe or too long: a shortened one would be different.
func Identifier(s string) string {
	if len(s) > MaxLength || !IsClean(s) {
		return ""
	}
	return s
}

// Word is like [Identifier], but also returns "" for text with a newline or a tab.
func Word(s string) string {
	if strings.ContainsAny(s, "\n\t") {
		return ""
	}
	return Identifier(s)
}

// IsClean reports whether Text returns s unchanged if the limit is large enough.
func IsClean(s string) bool {
	const each, high = 0x0101010101010101, 0x8080808080808080 // a 1 in each of eight bytes, and their highest bits
	for ; len(s) >= 8; s = s[8:] {
		w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		if (w|(w-' '*each)|(w+each))&high != 0 {
			break
		}
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || isDropped(r) {
			return false
		}
		i += size
	}
	return true
}

// isDropped reports whether r is removed: a control character, a line separator, a format character
// (Cf: bidi controls, zero-width characters, tags, soft hyphens), or one that is ignorable by
// default or selects a variant. Text can be hidden in all of these. The exceptions are newline and
// tab, U+200C and U+200D, which separate and join letters in Persian, Hindi and emoji, U+FE0E and
// U+FE0F, which are used in emoji, and the prepended marks, which are visible.
func isDropped(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ', r >= 0x7f && r <= 0x9f:
		return true
	case r < 0xad, r == 0x200c, r == 0x200d, r == 0xfe0e, r == 0xfe0f:
		return false
	case r == 0x2028, r == 0x2029:
		return true
	}
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// escapeLen returns the length of the terminal escape sequence (ECMA-48) at the beginning of s, or
// 0. If such a sequence contains a string, such as a window title or a link, that does not end
// before the next sequence or within 4 KiB, it returns the length of the introducer.
func escapeLen(s string) int {
	const csi, esc = "\u009b", "\x1b"
	if !strings.HasPrefix(s, esc) && !strings.HasPrefix(s, csi) {
		return 0
	}
	const introducer = 2 // bytes, of CSI in both forms and of a string
	if strings.HasPrefix(s, csi) || strings.HasPrefix(s, esc+"[") {
		return sequenceLen(s, introducer, '?', '@')
	}
	if len(s) > 1 && strings.IndexByte("]PX^_", s[1]) >= 0 {
		const longest = 4 << 10 // bytes; a title or a link is shorter
		end := introducer + max(0, strings.IndexAny(s[introducer:min(len(s), longest+1)], "\a"+esc))
		for _, terminator := range []string{"\a", esc + `\`} {
			if strings.HasPrefix(s[end:], terminator) {
				return end + len(terminator)
			}
		}
		return introducer
	}
	return sequenceLen(s, len(esc), '/', '0')
}

// sequenceLen returns the length of a sequence that continues at i with bytes from a space
// to last, and may end with a byte from final to a tilde.
func sequenceLen(s string, i int, last, final byte) int {
	for i < len(s) && s[i] >= ' ' && s[i] <= last {
		i++
	}
	if i < len(s) && s[i] >= final && s[i] <= '~' {
		i++
	}
	return i
}
