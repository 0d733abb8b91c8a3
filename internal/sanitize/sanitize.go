// Package sanitize returns texts that are safe to show to a model or on a terminal, within
// a limit.
package sanitize

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxLength is how many bytes of UTF-8 a string of the envelope may have. Chosen:
	// enough for a model to read in one member; four of them fill an envelope.
	MaxLength = 2 << 10
	// ellipsis ends shortened prose.
	ellipsis = "…"
	// gap replaces the middle of a text in [Ends].
	gap = " … "
)

// Text returns s in a form that is safe to show: valid UTF-8 without control characters
// (except newline and tab), terminal escapes, bidi controls and invisible characters. If it
// is longer than limit bytes, it is shortened and ends with an ellipsis. A text that is
// already safe is returned unchanged, without an allocation.
func Text(s string, limit int) string {
	if len(s) <= limit && (IsPlain(s) || IsClean(s)) {
		return s
	}
	if cut, ok := cleanCut(s, limit); ok {
		return s[:cut] + ellipsis
	}
	var b strings.Builder
	b.Grow(min(len(s), limit))
	cut := 0 // how much of b is kept if an ellipsis must follow
	end := 0 // the index of the next terminator of a string sequence
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if isString(s[i:], r) {
			if end < i+2 {
				end = i + 2 + terminator(s[i+2:])
			}
			i = sequenceEnd(s, i, end)
			continue
		}
		if n := escapeLen(s[i:], r); n > 0 {
			i += n
			continue
		}
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

// cleanCut returns the length of s before the ellipsis, if s is longer than limit bytes and
// [Text] would not change these bytes and the next character.
func cleanCut(s string, limit int) (cut int, ok bool) {
	if len(s) <= limit || limit < len(ellipsis) {
		return 0, false
	}
	end := limit + 1
	for end < len(s) && !utf8.RuneStart(s[end]) {
		end++
	}
	if !IsPlain(s[:end]) && !IsClean(s[:end]) {
		return 0, false
	}
	for cut = limit - len(ellipsis); cut > 0 && !utf8.RuneStart(s[cut]); {
		cut--
	}
	return cut, true
}

// Ends is [Text], but it shortens a text by replacing its middle with an ellipsis:
// compilers and test runners report the problem at the end.
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
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + gap + s[tail:]
}

// Identifier returns s unchanged, or "" if it is not safe or too long: a shortened
// identifier is another identifier.
func Identifier(s string) string {
	if len(s) > MaxLength || !IsPlain(s) && !IsClean(s) {
		return ""
	}
	return s
}

// Word is like [Identifier], and returns "" for text of more than one line or with a tab. It
// is for codes and paths.
func Word(s string) string {
	if len(s) <= MaxLength && IsPlain(s) {
		return s
	}
	if strings.ContainsAny(s, "\n\t") {
		return ""
	}
	return Identifier(s)
}

// IsPlain reports whether s is printable ASCII without quotes and backslashes, which JSON
// encodes unchanged. It checks eight bytes at a time: see "Determine if a word has a byte
// less than n" in Anderson's Bit Twiddling Hacks.
func IsPlain(s string) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; len(s) >= 8; s = s[8:] {
		w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		quote, backslash, del := w^(ones*'"'), w^(ones*'\\'), w^(ones*0x7f)
		if (w|(w-ones*' ')|(quote-ones)|(backslash-ones)|(del-ones))&highs != 0 {
			return false
		}
	}
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// IsClean reports whether Text returns s unchanged if the limit is large enough.
func IsClean(s string) bool {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || isDropped(r) {
			return false
		}
		i += size
	}
	return true
}

// isDropped reports whether r is removed from a text for a model or a terminal. The format
// characters (Cf) are the bidi controls, the zero-width characters, tags and soft hyphens.
// Other characters are ignorable by default, or select variants. Text can be hidden in all
// of them. The exceptions are U+200C and U+200D, which join and separate letters in
// Persian, Hindi and emoji, U+FE0E and U+FE0F, which are used in emoji, and the prepended
// marks, which are visible.
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

// escapeLen returns the length of the terminal escape sequence (ECMA-48) at the beginning
// of s, or 0.
func escapeLen(s string, first rune) int {
	const csi, esc = 0x9b, 0x1b
	var i int
	switch {
	case first == csi:
		i = utf8.RuneLen(csi)
	case first == esc && len(s) > 1 && s[1] == '[':
		i = 2
	case first == esc:
		i = 1
		for i < len(s) && s[i] >= 0x20 && s[i] <= 0x2f {
			i++
		}
		if i < len(s) && s[i] >= 0x30 && s[i] <= 0x7e {
			i++
		}
		return i
	default:
		return 0
	}
	for i < len(s) && s[i] >= 0x20 && s[i] <= 0x3f {
		i++
	}
	if i < len(s) && s[i] >= 0x40 && s[i] <= 0x7e {
		i++
	}
	return i
}

// isString reports whether s begins with an escape sequence that contains a string, such as
// a window title or a link.
func isString(s string, first rune) bool {
	return first == 0x1b && len(s) > 1 && strings.IndexByte("]PX^_", s[1]) >= 0
}

// terminator returns the index of the first terminator of such a sequence in s, or the
// length of s.
func terminator(s string) int {
	for i := range len(s) {
		if s[i] == '\a' || s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
			return i
		}
	}
	return len(s)
}

// sequenceEnd returns the end of the sequence that begins at i; end is the index of the
// next terminator. If the terminator is too far away, only the introducer is removed.
func sequenceEnd(s string, i, end int) int {
	const longest = 4 << 10 // chosen: a title or a link is shorter
	switch {
	case end >= len(s) || end-i > longest:
		return i + 2
	case s[end] == '\a':
		return end + 1
	}
	return end + 2
}
