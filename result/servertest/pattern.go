package servertest

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
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	var b strings.Builder
	writePattern(&b, re, last)
	return b.String()
}

func writePattern(b *strings.Builder, re *syntax.Regexp, last bool) {
	subs, times := re.Sub, 1
	switch {
	case b.Len() > maxPattern, re.Op == syntax.OpStar, re.Op == syntax.OpQuest:
		return
	case re.Op == syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case re.Op == syntax.OpCharClass:
		b.WriteRune(oneOf(re.Rune, last))
	case re.Op == syntax.OpAnyChar, re.Op == syntax.OpAnyCharNotNL:
		b.WriteByte('x')
	case re.Op == syntax.OpAlternate:
		subs = subs[:1]
	case re.Op == syntax.OpRepeat:
		times = re.Min
	}
	for range times {
		for _, sub := range subs {
			writePattern(b, sub, last)
		}
	}
}

// oneOf returns a printable character of a class, given as pairs of bounds.
func oneOf(bounds []rune, last bool) rune {
	chosen := 'x'
	for i := 0; i+1 < len(bounds); i += 2 {
		if low, high := max(bounds[i], '!'), min(bounds[i+1], '~'); low <= high && last {
			chosen = high
		} else if low <= high {
			return low
		}
	}
	return chosen
}
