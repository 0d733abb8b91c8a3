package schema

import (
	"math"
	"reflect"
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
	{"type", "", func(_ *walk, argument, value any) bool { return argument != nil && !ofType(typeNames(argument), value) }},
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
	{"pattern", "must match the pattern %s", func(w *walk, argument, value any) bool {
		pattern, _ := argument.(string)
		text, isText := value.(string)
		if !isText {
			return false
		}
		re := w.compiled(pattern, len(text))
		w.unsure = w.unsure || re == nil
		return re != nil && !re.MatchString(text)
	}},

	{"minItems", "must have at least %s items", measured("array", less)},
	{"maxItems", "must have at most %s items", measured("array", more)},
	{"uniqueItems", "must not hold the same item twice", func(w *walk, argument, value any) bool {
		list, _ := value.([]any)
		return argument == true && w.repeats(list)
	}},
	{"minProperties", "must be " + anything, measured("object", less)},
	{"maxProperties", "must be " + anything, measured("object", more)},
}

// Rule returns the rule to write after the value's name, such as must be at least 1.
func (v *Violation) Rule() string {
	i := slices.IndexFunc(keywords, func(k keyword) bool { return k.name == v.Keyword })
	switch {
	case i < 0:
		return "must be " + anything
	case keywords[i].rule == "":
		return "must be " + v.Place.Wanted()
	}
	return strings.ReplaceAll(keywords[i].rule, "%s", shownText(v.Place.Node[v.Keyword]))
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
	switch v := v.(type) {
	case float64:
		return v
	case string:
		return float64(utf8.RuneCountInString(v))
	case []any:
		return float64(len(v))
	}
	object, _ := v.(map[string]any)
	return float64(len(object))
}

// ofType reports whether v is of one of the types.
func ofType(types []string, v any) bool {
	n, isNumber := v.(float64)
	return slices.Contains(types, jsonvalue.TypeOf(v)) || isNumber && n == math.Trunc(n) && slices.Contains(types, "integer")
}

// repeats reports whether two items are equal.
func (w *walk) repeats(list []any) bool {
	seen := make(map[string]bool, len(list))
	for _, item := range list {
		text := textOf(item)
		if !w.spend(len(text)) {
			return false
		}
		if seen[text] {
			return true
		}
		seen[text] = true
		w.unsure = w.unsure || strings.Contains(text, "-0") // equals 0
	}
	return false
}
