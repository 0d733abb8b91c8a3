package resulttest

import (
	"regexp/syntax"
	"strings"
)

// maxPattern is the maximum size of a text made from a pattern, in bytes. Chosen: nested
// repetitions grow without bound.
const maxPattern = 4096

// fromPattern returns a text that matches a pattern, or "" if Go cannot parse it. If last is
// set, it uses the last characters of each class, which are less likely to identify something.
func fromPattern(pattern string, last bool) string {
	if pattern == "" {
		return ""
	}
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	var b strings.Builder
	writePattern(&b, re, last)
	return b.String()
}

func writePattern(b *strings.Builder, re *syntax.Regexp, last bool) {
	if b.Len() > maxPattern {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(oneOf(re.Rune, last))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('x')
	case syntax.OpCapture, syntax.OpConcat, syntax.OpPlus:
		for _, sub := range re.Sub {
			writePattern(b, sub, last)
		}
	case syntax.OpAlternate:
		writePattern(b, re.Sub[0], last)
	case syntax.OpRepeat:
		for range re.Min {
			writePattern(b, re.Sub[0], last)
		}
	case syntax.OpNoMatch, syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpStar, syntax.OpQuest:
		// These match the empty text.
	}
}

// oneOf returns a printable character of a class, given as pairs of bounds.
func oneOf(bounds []rune, last bool) rune {
	var chosen rune = -1
	for i := 0; i+1 < len(bounds); i += 2 {
		low, high := max(bounds[i], '!'), min(bounds[i+1], '~')
		if low > high {
			continue
		}
		if last {
			chosen = high
		} else if chosen < 0 {
			chosen = low
		}
	}
	switch {
	case chosen >= 0:
		return chosen
	case len(bounds) > 0:
		return bounds[0]
	}
	return 'x'
}
