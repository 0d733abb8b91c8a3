package schema

import (
	"regexp"
	"regexp/syntax"
)

const (
	// maxPattern and maxMatched are the maximum lengths, in bytes, of a pattern and of a matched
	// text: the time is proportional to their product. Authors' patterns are a tenth as long, and a
	// longer text is a document, not a name or a number.
	maxPattern, maxMatched = 1 << 10, 64 << 10
	// maxProgram is the size from which a compiled pattern is too large, in instructions and bounds
	// of character ranges, each of which takes a step. The short \pL{1000} has a million, but a
	// UUID's pattern has about 200.
	maxProgram = 2000
)

// compiled returns a pattern for a text of a size, or nil if it is invalid or too expensive. Each
// pattern is compiled once.
func (w *walk) compiled(pattern string, size int) *regexp.Regexp {
	if len(pattern) > maxPattern || size > maxMatched || !w.spend(perStep*size) {
		return nil
	}
	re, known := w.patterns[pattern]
	if !known {
		if parsed, err := syntax.Parse(pattern, syntax.Perl); err == nil {
			if size := programSize(parsed); size < maxProgram && w.spend(perStep*size) {
				re, _ = regexp.Compile(pattern)
			}
		}
		w.patterns[pattern] = re
	}
	return re
}

// programSize estimates the size of a compiled expression, without compiling it.
func programSize(re *syntax.Regexp) int {
	size := 1 + len(re.Rune)
	for _, sub := range re.Sub {
		size += programSize(sub)
	}
	if re.Op == syntax.OpRepeat {
		size *= max(re.Min, re.Max, 1)
	}
	return min(size, maxProgram)
}
