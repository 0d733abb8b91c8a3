package resulttest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// A schema is one place in a JSON schema. Servers send what they like: what is
// no schema is one that says nothing.
type schema struct {
	node map[string]any
	root map[string]any // for references
	null bool           // one of several that were left out was null
}

// schemaOf reads a tool's schema.
func schemaOf(v any) schema {
	root, ok := v.(map[string]any)
	if !ok && v != nil {
		if raw, err := json.Marshal(v); err != nil || json.Unmarshal(raw, &root) != nil {
			root = nil
		}
	}
	return schema{node: root, root: root}.resolved()
}

// maxReferences bounds references that lead to each other. Chosen: authors need
// one or two in a row.
const maxReferences = 16

// resolved follows local references, merges allOf, and takes the one choice that
// is left of anyOf or oneOf without null, which is how optional values are
// written.
func (s schema) resolved() schema {
	for range maxReferences {
		if ref, ok := s.node["$ref"].(string); ok {
			s.node = merged(without(s.node, "$ref"), s.lookup(ref))
			continue
		}
		if parts, ok := s.node["allOf"].([]any); ok {
			node := without(s.node, "allOf")
			for _, part := range parts[:min(len(parts), 20)] {
				inner, _ := part.(map[string]any)
				node = merged(node, schema{node: inner, root: s.root}.shallow())
			}
			s.node = node
			continue
		}
		name, choices, null := s.choices()
		s.null = s.null || null
		if len(choices) != 1 {
			break
		}
		s.node = merged(without(s.node, name), choices[0])
	}
	return s
}

// shallow follows only references, since the parts of allOf are merged into what
// is resolved anyway.
func (s schema) shallow() map[string]any {
	for range maxReferences {
		ref, ok := s.node["$ref"].(string)
		if !ok {
			break
		}
		s.node = merged(without(s.node, "$ref"), s.lookup(ref))
	}
	return s.node
}

// choices returns the members of anyOf or oneOf other than null, and whether that
// is one too.
func (s schema) choices() (name string, list []map[string]any, null bool) {
	for _, name := range []string{"anyOf", "oneOf"} {
		parts, ok := s.node[name].([]any)
		if !ok {
			continue
		}
		for _, part := range parts {
			if inner, ok := part.(map[string]any); ok {
				if inner["type"] == "null" {
					null = true
				} else {
					list = append(list, inner)
				}
			}
		}
		return name, list, null
	}
	return "", nil, false
}

// lookup follows a local JSON pointer.
func (s schema) lookup(ref string) map[string]any {
	way, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	node := s.root
	for step := range strings.SplitSeq(strings.TrimPrefix(way, "/"), "/") {
		if step != "" {
			step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
			node, _ = node[step].(map[string]any)
		}
	}
	return node
}

func without(node map[string]any, name string) map[string]any {
	c := maps.Clone(node)
	delete(c, name)
	return c
}

// merged adds what another schema says. Members of both are kept apart only
// where they are lists of names or of properties; else the first one stands.
func merged(node, more map[string]any) map[string]any {
	c := maps.Clone(node)
	if c == nil {
		c = map[string]any{}
	}
	for name, v := range more {
		switch old := c[name].(type) {
		case nil:
			c[name] = v
		case []any:
			if list, ok := v.([]any); ok && name == "required" {
				c[name] = append(slices.Clone(old), list...)
			}
		case map[string]any:
			if inner, ok := v.(map[string]any); ok && name == "properties" {
				both := maps.Clone(inner)
				maps.Copy(both, old)
				c[name] = both
			}
		}
	}
	return c
}

// property returns the schema of an object's member, and whether there is one.
func (s schema) property(name string) (schema, bool) {
	properties, _ := s.node["properties"].(map[string]any)
	node, ok := properties[name].(map[string]any)
	return schema{node: node, root: s.root}.resolved(), ok
}

// names returns the names of an object's members, sorted.
func (s schema) names() []string {
	properties, _ := s.node["properties"].(map[string]any)
	return sortedKeys(properties)
}

// required returns the names that an object must have, and of which the schema
// knows more than the name.
func (s schema) required() []string {
	list, _ := s.node["required"].([]any)
	var names []string
	for _, v := range list {
		if name, ok := v.(string); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (s schema) items() schema {
	node, _ := s.node["items"].(map[string]any)
	return schema{node: node, root: s.root}.resolved()
}

// types returns the types that a value may have; none where it may be anything.
func (s schema) types() []string {
	var list []string
	switch t := s.node["type"].(type) {
	case string:
		list = []string{t}
	case []any:
		for _, v := range t {
			if name, ok := v.(string); ok {
				list = append(list, name)
			}
		}
	default:
		list = s.impliedTypes()
	}
	if len(list) > 0 && (s.null || s.node["nullable"] == true) {
		list = append(list, "null")
	}
	return list
}

// impliedTypes returns the types of a schema that has no word for them.
func (s schema) impliedTypes() []string {
	var list []string
	values, _ := s.node["enum"].([]any)
	if c, ok := s.node["const"]; ok {
		values = []any{c}
	}
	for _, v := range values {
		list = append(list, typeOf(v))
	}
	_, choices, _ := s.choices()
	for _, choice := range choices {
		types := schema{node: choice, root: s.root}.resolved().types()
		if len(types) == 0 {
			return nil
		}
		list = append(list, types...)
	}
	if len(list) == 0 && s.node["properties"] != nil {
		return []string{"object"}
	}
	return list
}

// allows reports whether a value may be of a type.
func (s schema) allows(name string) bool { return slices.Contains(s.types(), name) }

// kind is the type that values are made of: the first that is not null.
func (s schema) kind() string {
	for _, name := range s.types() {
		if name != "null" {
			return name
		}
	}
	return ""
}

func (s schema) number(name string) (float64, bool) {
	f, ok := s.node[name].(float64)
	return f, ok
}

func (s schema) text(name string) string {
	text, _ := s.node[name].(string)
	return text
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
