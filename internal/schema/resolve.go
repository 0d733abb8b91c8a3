package schema

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

const (
	// maxReferences is how many references may follow each other, maxNested how many
	// choices may be nested, and maxParts how many parts allOf may have. Chosen: authors
	// need one or two.
	maxReferences, maxNested, maxParts = 16, 3, 20
	// maxShown is how many values of an enum are listed. Chosen: enough for a model to
	// read.
	maxShown = 20
)

// Resolved follows local references, merges allOf, and replaces anyOf or oneOf by their
// only choice other than null, the usual form of optional values.
func (s Schema) Resolved() Schema {
	for range maxReferences {
		s.Node = s.document.target(s.Node)
		if parts, ok := s.Node["allOf"].([]any); ok {
			s.Node = without(s.Node, "allOf")
			for _, part := range parts[:min(len(parts), maxParts)] {
				s.Node = merged(s.Node, s.document.target(nodeOf(part)))
			}
			continue
		}
		name, choices, null := s.Choices()
		s.nullable = s.nullable || null
		if len(choices) != 1 {
			break
		}
		s.Node = merged(without(s.Node, name), choices[0].Node)
	}
	return s
}

// target follows only the references of a schema.
func (d *document) target(node map[string]any) map[string]any {
	for range maxReferences {
		ref, ok := node["$ref"].(string)
		if !ok {
			break
		}
		node = merged(without(node, "$ref"), d.lookup(ref))
	}
	return node
}

// Choices returns the unresolved schemas of anyOf or oneOf other than null, the keyword,
// and whether null is a choice too.
func (s Schema) Choices() (keyword string, list []Schema, null bool) {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		parts, ok := s.Node[keyword].([]any)
		if !ok {
			continue
		}
		for _, part := range parts {
			if node := nodeOf(part); node["type"] == "null" {
				null = true
			} else if node != nil {
				list = append(list, Schema{Node: node, document: s.document})
			}
		}
		return keyword, list, null
	}
	return "", nil, false
}

func without(node map[string]any, name string) map[string]any {
	c := maps.Clone(node)
	delete(c, name)
	return c
}

// merged adds the keywords of another schema. A keyword of both is merged only if it is a
// list of names or of properties; otherwise the first one is used.
func merged(node, more map[string]any) map[string]any {
	c := maps.Clone(more)
	if c == nil {
		c = map[string]any{}
	}
	for name, v := range node {
		switch other := c[name].(type) {
		case []any:
			if list, ok := v.([]any); ok && name == "required" {
				v = slices.Concat(list, other)
			}
		case map[string]any:
			if inner, ok := v.(map[string]any); ok && name == "properties" {
				both := maps.Clone(other)
				maps.Copy(both, inner)
				v = both
			}
		}
		c[name] = v
	}
	return c
}

// Types returns the types that a value may have, or none if every type is allowed.
func (s Schema) Types() []string { return s.types(maxNested) }

func (s Schema) types(depth int) []string {
	list := typeNames(s.Node["type"])
	if s.Node["type"] == nil {
		list = s.impliedTypes(depth)
	}
	if len(list) > 0 && (s.nullable || s.Node["nullable"] == true) {
		list = append(list, "null")
	}
	return list
}

// impliedTypes returns the types of the values and choices of a schema without a type.
func (s Schema) impliedTypes(depth int) (list []string) {
	values, _ := s.Node["enum"].([]any)
	if c, ok := s.Node["const"]; ok {
		values = []any{c}
	}
	for _, v := range values {
		list = append(list, jsonvalue.TypeOf(v))
	}
	_, choices, _ := s.Choices()
	for _, choice := range choices {
		var types []string
		if depth > 0 {
			types = choice.Resolved().types(depth - 1)
		}
		if len(types) == 0 {
			return nil
		}
		list = append(list, types...)
	}
	if len(list) == 0 && s.Node["properties"] != nil {
		return []string{"object"}
	}
	return list
}

// typeNames returns the names in the keyword type, which is a name or a list of names.
func typeNames(v any) []string {
	if name, ok := v.(string); ok {
		return []string{name}
	}
	return Texts(v)
}

// anything is the requirement if it cannot be put into words.
const anything = "what the input schema says"

// Wanted returns the requirement for a value in words: one of "a", "b"; an integer; a
// string or null.
func (s Schema) Wanted() string {
	if list, ok := s.Node["enum"].([]any); ok && len(list) > 0 {
		shown := make([]string, 0, maxShown)
		for _, v := range list[:min(len(list), maxShown)] {
			shown = append(shown, shownText(v))
		}
		return "one of " + strings.Join(shown, ", ")
	}
	var names []string
	for _, name := range s.Types() {
		if name != "null" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if slices.Contains(s.Types(), "null") {
		names = append(names, "null") // last, because it is seldom intended
	}
	text := strings.Join(names, " or ")
	switch {
	case text == "":
		return anything
	case strings.IndexByte("aeiou", text[0]) >= 0:
		return "an " + text
	}
	return "a " + text
}

// shownText returns a value as JSON, with numbers in decimal notation.
func shownText(v any) string {
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	text, _ := jsonvalue.Marshal(v) // it was decoded from JSON
	return string(text)
}
