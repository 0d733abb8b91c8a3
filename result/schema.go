package result

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A schema is one place in a tool's input schema, and the path of the argument
// that it is about.
type schema struct {
	node  map[string]any
	field string
	named bool // the next step is a property's name
}

// schemaOf returns a tool's input schema. It is decoded anew for each complaint:
// those are rare, and a server holds its schemas in many forms.
func schemaOf(tool *mcp.Tool) schema {
	if tool == nil {
		return schema{}
	}
	raw, err := json.Marshal(tool.InputSchema)
	var node map[string]any
	if err != nil || json.Unmarshal(raw, &node) != nil {
		return schema{}
	}
	return schema{node: node}
}

// steps splits a JSON pointer (RFC 6901).
func steps(pointer string) []string {
	if pointer == "" {
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(strings.ReplaceAll(p, "~1", "/"), "~0", "~")
	}
	return parts
}

// step goes down by one step of a pointer.
func (s schema) step(name string) schema {
	child := s.node[name]
	switch {
	case s.named:
		next, _ := child.(map[string]any)
		return schema{node: next, field: join(s.field, name)}
	case name == "properties":
		next, _ := child.(map[string]any)
		return schema{node: next, field: s.field, named: true}
	case name == "items":
		next, _ := child.(map[string]any)
		return schema{node: next, field: s.field + "[]"}
	}
	next, _ := child.(map[string]any)
	return schema{node: next, field: s.field}
}

func join(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}

// valuesAt returns the values of the arguments at a place of the schema: several
// where items of lists are on the way.
func valuesAt(arguments json.RawMessage, path []string) []any {
	var root any
	if len(arguments) > 0 && json.Unmarshal(arguments, &root) != nil {
		return nil
	}
	if root == nil { // absent, or null
		root = map[string]any{}
	}
	values := []any{root}
	for i := 0; i < len(path); i++ {
		var next []any
		for _, v := range values {
			switch v := v.(type) {
			case map[string]any:
				if path[i] == "properties" && i+1 < len(path) {
					if member, ok := v[path[i+1]]; ok {
						next = append(next, member)
					}
				}
			case []any:
				if path[i] == "items" {
					next = append(next, v...)
				}
			}
		}
		if path[i] == "properties" {
			i++
		}
		values = next
	}
	return values
}

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

// wanted says what a schema wants, in words.
func wanted(s map[string]any) string {
	if list, ok := s["enum"].([]any); ok && len(list) > 0 {
		shown := make([]string, 0, len(list))
		for _, v := range list[:min(len(list), 20)] {
			shown = append(shown, jsonText(v))
		}
		return "one of " + strings.Join(shown, ", ")
	}
	name, _ := s["type"].(string)
	if list := texts(s["type"]); len(list) > 0 {
		if i := slices.Index(list, "null"); i >= 0 {
			list = append(slices.Delete(list, i, i+1), "null") // last: it is seldom what is meant
		}
		name = strings.Join(list, " or ")
	}
	switch {
	case name == "" || s == nil:
		return "what the input schema says"
	case strings.IndexByte("aeiou", name[0]) >= 0:
		return "an " + name
	}
	return "a " + name
}

func texts(list any) []string {
	values, _ := list.([]any)
	out := make([]string, 0, len(values))
	for _, v := range values {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func jsonText(v any) string {
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	text, err := marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}
