package schema

import (
	"math"
	"reflect"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// A keyword is a schema keyword whose check needs only the value.
type keyword struct {
	name   string
	rule   string // what a value must be, with %s for the keyword's argument; if empty, Wanted is used
	breaks func(w *walk, argument, value any) bool
}

// keywords are checked in this order.
var keywords = []keyword{
	{"type", "", func(_ *walk, argument, value any) bool {
		return argument != nil && !ofType(typeNames(argument), value)
	}},
	{"enum", "", func(w *walk, argument, value any) bool {
		list, ok := argument.([]any)
		return ok && w.spend(len(list)) && !slices.ContainsFunc(list, func(v any) bool { return reflect.DeepEqual(v, value) })
	}},
	{"const", "must be %s", func(_ *walk, argument, value any) bool { return !reflect.DeepEqual(argument, value) }},

	{"multipleOf", "must be a multiple of %s", measured("number", func(n, unit float64) bool {
		_, rest := math.Modf(n / unit)
		return rest != 0
	})},
	{"minimum", "must be at least %s", measured("number", less)},
	{"maximum", "must be at most %s", measured("number", more)},
	{"exclusiveMinimum", "must be more than %s", measured("number", func(n, bound float64) bool { return n <= bound })},
	{"exclusiveMaximum", "must be less than %s", measured("number", func(n, bound float64) bool { return n >= bound })},

	{"minLength", "must have at least %s characters", measured("string", less)},
	{"maxLength", "must have at most %s characters", measured("string", more)},
	{"pattern", "must match the pattern %s", (*walk).mismatches},

	{"minItems", "must have at least %s items", measured("array", less)},
	{"maxItems", "must have at most %s items", measured("array", more)},
	{"uniqueItems", "must not hold the same item twice", (*walk).repeats},
	{"minProperties", "must be " + anything, measured("object", less)},
	{"maxProperties", "must be " + anything, measured("object", more)},
}

// Rule returns the rule to write after the value's name, such as must be at least 1.
func (v *Violation) Rule() string {
	i := slices.IndexFunc(keywords, func(k keyword) bool { return k.name == v.Keyword })
	if i < 0 {
		return "must be " + anything
	}
	if keywords[i].rule == "" {
		mistaken := map[string]string{"type null": ", not null", "type string": ", not a string"} // as JSON text
		return "must be " + v.Place.Wanted() + mistaken[v.Keyword+" "+jsonvalue.TypeOf(v.Value)]
	}
	return strings.ReplaceAll(keywords[i].rule, "%s", textOf(v.Place.Node[v.Keyword]))
}

// measured returns a check that compares a number or a value's length with the argument.
func measured(name string, breaks func(n, bound float64) bool) func(*walk, any, any) bool {
	return func(_ *walk, argument, value any) bool {
		bound, ok := argument.(float64)
		return ok && jsonvalue.TypeOf(value) == name && breaks(measure(value), bound)
	}
}

func less(n, bound float64) bool { return n < bound }
func more(n, bound float64) bool { return n > bound }

func measure(v any) float64 {
	if n, ok := v.(float64); ok {
		return n
	}
	if text, ok := v.(string); ok {
		return float64(utf8.RuneCountInString(text))
	}
	return float64(reflect.ValueOf(v).Len()) // of a list or an object
}

func ofType(types []string, v any) bool {
	n, isNumber := v.(float64)
	return slices.Contains(types, jsonvalue.TypeOf(v)) ||
		isNumber && n == math.Trunc(n) && slices.Contains(types, "integer")
}

func (w *walk) repeats(argument, value any) bool {
	list, _ := value.([]any)
	if argument != true {
		return false
	}
	seen := make(map[string]bool, len(list))
	for _, item := range list {
		text := textOf(item)
		if !w.spend(len(text)) || seen[text] {
			return seen[text]
		}
		seen[text] = true
		w.unsure = w.unsure || strings.Contains(text, "-0") // equals 0
	}
	return false
}

func (w *walk) mismatches(argument, value any) bool {
	pattern, _ := argument.(string)
	text, isText := value.(string)
	if !isText {
		return false
	}
	re := w.compiled(pattern, len(text))
	w.unsure = w.unsure || re == nil
	return re != nil && !re.MatchString(text)
}

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
		parsed, err := syntax.Parse(pattern, syntax.Perl)
		if err == nil && programSize(parsed) < maxProgram && w.spend(perStep*programSize(parsed)) {
			re, _ = regexp.Compile(pattern)
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
