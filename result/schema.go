package result

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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
	case name == "additionalProperties":
		next, _ := child.(map[string]any)
		return schema{node: next, field: join(s.field, "*")}
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
// where items of lists, or members of any name, are on the way. Other ways it
// cannot follow, and says so.
func valuesAt(arguments json.RawMessage, path []string) (values []any, ok bool) {
	var root any
	if len(arguments) > 0 && json.Unmarshal(arguments, &root) != nil {
		return nil, true
	}
	if root == nil { // absent, or null
		root = map[string]any{}
	}
	values = []any{root}
	for i := 0; i < len(path); i++ {
		if path[i] != "properties" && path[i] != "items" && path[i] != "additionalProperties" {
			return nil, false
		}
		var next []any
		for _, v := range values {
			switch v := v.(type) {
			case map[string]any:
				if path[i] == "properties" && i+1 < len(path) {
					if member, ok := v[path[i+1]]; ok {
						next = append(next, member)
					}
				} else if path[i] == "additionalProperties" { // those that have a schema of their own do no harm
					next = slices.AppendSeq(next, maps.Values(v))
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
	return values, true
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
