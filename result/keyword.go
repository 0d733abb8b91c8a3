package result

import (
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A keyword is one that a complaint may be about: whether a value breaks it, and
// what it says.
type keyword struct {
	code   toolerr.Code
	breaks func(s map[string]any, v any) bool
	says   func(s map[string]any) string
}

var keywords = map[string]keyword{
	"type": {toolerr.CodeInvalidArgument, func(s map[string]any, v any) bool { return !ofType(s["type"], v) }, func(s map[string]any) string { return "must be " + wanted(s) }},
	"enum": {toolerr.CodeInvalidArgument, func(s map[string]any, v any) bool {
		list, _ := s["enum"].([]any)
		return !slices.ContainsFunc(list, func(x any) bool { return reflect.DeepEqual(x, v) })
	}, func(s map[string]any) string { return "must be " + wanted(s) }},
	"const": {toolerr.CodeInvalidArgument, func(s map[string]any, v any) bool { return !reflect.DeepEqual(s["const"], v) }, func(s map[string]any) string { return "must be " + jsonText(s["const"]) }},

	"minimum":          bound("minimum", "must be at least", func(v, b float64) bool { return v < b }),
	"maximum":          bound("maximum", "must be at most", func(v, b float64) bool { return v > b }),
	"exclusiveMinimum": bound("exclusiveMinimum", "must be more than", func(v, b float64) bool { return v <= b }),
	"exclusiveMaximum": bound("exclusiveMaximum", "must be less than", func(v, b float64) bool { return v >= b }),
	"multipleOf": bound("multipleOf", "must be a multiple of", func(v, b float64) bool {
		q := v / b
		return q != math.Trunc(q)
	}),

	"minLength": size("minLength", "must have at least", "characters", length, func(n, b float64) bool { return n < b }),
	"maxLength": size("maxLength", "must have at most", "characters", length, func(n, b float64) bool { return n > b }),
	"minItems":  size("minItems", "must have at least", "items", items, func(n, b float64) bool { return n < b }),
	"maxItems":  size("maxItems", "must have at most", "items", items, func(n, b float64) bool { return n > b }),

	"pattern": {toolerr.CodeInvalidArgument, func(s map[string]any, v any) bool {
		text, isText := v.(string)
		pattern, _ := s["pattern"].(string)
		re, err := regexp.Compile(pattern)
		return isText && err == nil && !re.MatchString(text)
	}, func(s map[string]any) string { return "must match the pattern " + jsonText(s["pattern"]) }},
	"uniqueItems": {toolerr.CodeInvalidArgument, func(_ map[string]any, v any) bool {
		list, _ := v.([]any)
		seen := make(map[string]bool, len(list))
		for _, item := range list {
			raw, err := json.Marshal(item) // sorts the members
			if err != nil || seen[string(raw)] {
				return err == nil
			}
			seen[string(raw)] = true
		}
		return false
	}, func(map[string]any) string { return "must not hold the same item twice" }},
}

func bound(name, words string, breaks func(v, b float64) bool) keyword {
	return keyword{toolerr.CodeOutOfRange, func(s map[string]any, v any) bool {
		n, isNumber := v.(float64)
		b, has := s[name].(float64)
		return isNumber && has && breaks(n, b)
	}, func(s map[string]any) string { return words + " " + jsonText(s[name]) }}
}

func size(name, words, unit string, measure func(any) (float64, bool), breaks func(n, b float64) bool) keyword {
	return keyword{toolerr.CodeInvalidArgument, func(s map[string]any, v any) bool {
		n, ok := measure(v)
		b, has := s[name].(float64)
		return ok && has && breaks(n, b)
	}, func(s map[string]any) string { return words + " " + jsonText(s[name]) + " " + unit }}
}

func length(v any) (float64, bool) {
	text, ok := v.(string)
	return float64(utf8.RuneCountInString(text)), ok
}

func items(v any) (float64, bool) {
	list, ok := v.([]any)
	return float64(len(list)), ok
}

// ofType reports whether v is of a schema's type, or one of its types.
func ofType(types, v any) bool {
	names := texts(types)
	if name, ok := types.(string); ok {
		names = []string{name}
	}
	return slices.ContainsFunc(names, func(name string) bool {
		switch v := v.(type) {
		case nil:
			return name == "null"
		case string:
			return name == "string"
		case bool:
			return name == "boolean"
		case float64:
			return name == "number" || name == "integer" && v == math.Trunc(v)
		case []any:
			return name == "array"
		}
		return name == "object"
	})
}
