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
	if len(s) <= limit && isClean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(min(len(s), limit))
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
			return strings.ToValidUTF8(b.String()[:max(limit-len(ellipsis), 0)], "") + ellipsis
		}
		b.WriteRune(r) // utf8.RuneError if the bytes are invalid
	}
	return b.String()
}

// Ends is [Text] for a string in the envelope, but it replaces the middle of a long text with an
// ellipsis, because compilers and test runners report the problem at the end.
func Ends(s string) string {
	const half = (MaxLength - len(gap)) / 2
	if s = Text(s, math.MaxInt); len(s) <= MaxLength {
		return s
	}
	return strings.ToValidUTF8(s[:half], "") + gap + strings.ToValidUTF8(s[len(s)-half:], "")
}

// Identifier returns s, or "" if it is unsafe or too long: a shortened one would be different.
func Identifier(s string) string {
	if len(s) > MaxLength || !isClean(s) {
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

// isClean reports whether Text returns s unchanged if the limit is large enough.
func isClean(s string) bool {
	i := 0
	for i < len(s) && s[i] >= ' ' && s[i] <= '~' { // as most texts have nothing else
		i++
	}
	s = s[i:]
	return utf8.ValidString(s) && strings.IndexFunc(s, isDropped) < 0
}

// isDropped reports whether r is removed: a control character, a line separator, a format character
// (Cf: bidi controls, zero-width characters, tags, soft hyphens), or one that is ignorable by
// default or selects a variant. Text can be hidden in all of these. The exceptions are newline and
// tab, U+200C and U+200D, which separate and join letters in Persian, Hindi and emoji, U+FE0E and
// U+FE0F, which are used in emoji, and the prepended marks, which are visible.
func isDropped(r rune) bool {
	isKept := r >= ' ' && r <= '~' || strings.ContainsRune("\n\t\u200c\u200d\ufe0e\ufe0f", r) ||
		unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	return !isKept && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// escapeLen returns the length of the terminal escape sequence (ECMA-48) at the beginning of s, or
// 0. If such a sequence contains a string, such as a window title or a link, this is all before its
// terminator or, if it does not end before the next sequence or within 4 KiB, only the introducer.
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
		if strings.HasPrefix(s[end:], "\a") || strings.HasPrefix(s[end:], esc+`\`) {
			return end // its terminator is removed like any other
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
