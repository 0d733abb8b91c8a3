package schema

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

const (
	// maxReferences bounds references that lead to each other, maxNested choices
	// within choices, and maxParts the parts of allOf. Chosen: authors need one or
	// two.
	maxReferences, maxNested, maxParts = 16, 3, 20
	// maxShown bounds the values of an enum that are named. Chosen: more than a
	// model has to read.
	maxShown = 20
)

// Resolved follows local references, merges allOf, and takes the one choice that
// is left of anyOf or oneOf without null, which is how optional values are
// written.
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

// target follows the references of a schema alone.
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

// Choices returns the schemas of anyOf or oneOf other than null, which are not
// resolved, the keyword, and whether null is a choice too.
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

// merged adds what another schema says. Members of both are kept apart only
// if they are lists of names or of properties; else the first one stands.
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

// Types returns the types that a value may have; none if it may be anything.
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

// impliedTypes are those of the values and choices of a schema without a type.
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

// typeNames reads the keyword type, which is a name or a list of names.
func typeNames(v any) []string {
	if name, ok := v.(string); ok {
		return []string{name}
	}
	return Texts(v)
}

// anything is what is wanted if it cannot be said in words.
const anything = "what the input schema says"

// Wanted says in words what a value must be: one of "a", "b"; an integer; a
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
		names = append(names, "null") // last: it is seldom what is meant
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

// shownText is a value as a model reads it best: numbers without an exponent.
func shownText(v any) string {
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	text, _ := jsonvalue.Marshal(v) // it was decoded from JSON
	return string(text)
}
