// Package schema reads JSON Schemas, such as those of tools. It returns the requirements at a
// location in a schema, and the location at which a value violates the schema.
//
// It supports single documents of draft 2020-12. Schemas and values are not trusted: the work is
// limited by their size, and most invalid keywords are ignored.
package schema

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// A Schema is a location in a JSON Schema, safe for concurrent use; the zero one requires nothing.
type Schema struct {
	// Node holds the keywords at the location. Do not change it.
	Node     map[string]any
	root     map[string]any // the whole schema, into which references point
	nullable bool           // null was a choice, and is not in Node
}

// Read returns a schema's root. V is a decoded JSON object, which is kept, or encodes as one.
func Read(v any) Schema {
	root, ok := v.(map[string]any)
	if !ok {
		raw, _ := json.Marshal(v)
		_ = json.Unmarshal(raw, &root)
	}
	return Schema{Node: root, root: root}
}

func textOf(v any) string {
	raw, _ := jsonvalue.Marshal(v)
	return string(raw)
}

// Mentions reports whether the whole schema contains a text, as a name or as a value.
func (s Schema) Mentions(text string) bool { return strings.Contains(textOf(s.root), textOf(text)) }

// Properties returns the schemas of an object's members.
func (s Schema) Properties() map[string]any {
	properties, _ := s.Node["properties"].(map[string]any)
	return properties
}

// Property returns the schema of an object's member; without one, it requires nothing.
func (s Schema) Property(name string) Schema { return s.child(s.Properties()[name]) }

// Items returns the schema of a list's items.
func (s Schema) Items() Schema { return s.child(s.Node["items"]) }

func (s Schema) child(v any) Schema { return Schema{Node: nodeOf(v), root: s.root}.Resolved() }

// nodeOf returns the keywords of a schema, which may also be true or false.
func nodeOf(v any) map[string]any {
	if v == false {
		return map[string]any{"not": true}
	}
	node, _ := v.(map[string]any)
	return node
}

// refuses reports whether a schema is false or its "not" excludes every value.
func refuses(v any) bool {
	not, ok := nodeOf(v)["not"]
	node, isNode := not.(map[string]any)
	return ok && (not == true || isNode && len(node) == 0)
}

// lookup follows a local JSON pointer (RFC 6901) from the root, but not into lists.
func lookup(root map[string]any, ref string) map[string]any {
	pointer, err := url.PathUnescape(ref)
	if err != nil || ref != "#" && !strings.HasPrefix(ref, "#/") {
		return nil
	}
	for _, step := range strings.Split(pointer, "/")[1:] {
		root = nodeOf(root[strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")])
	}
	return root
}

// Texts returns the strings in a list.
func Texts(list any) (texts []string) {
	values, _ := list.([]any)
	for _, v := range values {
		if text, ok := v.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

const (
	// maxReferences is the maximum number of references followed in a row, and maxParts of parts
	// read from allOf. Authors need one or two.
	maxReferences, maxParts = 16, 20
	// maxShown limits the enum values in a text, so that it stays readable.
	maxShown = 20
)

// Resolved follows local references, merges allOf, and replaces anyOf or oneOf with its only choice
// other than null, the usual form of optional values.
func (s Schema) Resolved() Schema {
	for range maxReferences {
		s.Node = s.target(s.Node)
		if parts, ok := s.Node["allOf"].([]any); ok {
			s.Node = merged(s.Node, nil, "allOf")
			for _, part := range parts[:min(len(parts), maxParts)] {
				s.Node = merged(s.Node, s.target(nodeOf(part)), "")
			}
			continue
		}
		name, choices, null := s.Choices()
		s.nullable = s.nullable || null
		if len(choices) != 1 {
			break
		}
		s.Node = merged(s.Node, choices[0].Node, name)
	}
	return s
}

func (s Schema) target(node map[string]any) map[string]any {
	for range maxReferences {
		ref, ok := node["$ref"].(string)
		if !ok {
			break
		}
		node = merged(node, lookup(s.root, ref), "$ref")
	}
	return node
}

// merged returns node without one keyword, completed with the keywords of more.
func merged(node, more map[string]any, without string) map[string]any {
	c := maps.Clone(node)
	delete(c, without)
	if all := maps.Clone(more); all != nil {
		maps.Copy(all, c)
		return all
	}
	return c
}

// Choices returns which of anyOf and oneOf the schema has, the unresolved choices other than null,
// and whether null is a choice too.
func (s Schema) Choices() (keyword string, list []Schema, null bool) {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		parts, ok := s.Node[keyword].([]any)
		for _, part := range parts {
			if node := nodeOf(part); node["type"] == "null" {
				null = true
			} else if node != nil {
				list = append(list, Schema{Node: node, root: s.root})
			}
		}
		if ok {
			return keyword, list, null
		}
	}
	return "", nil, false
}

// Types returns the types that a value may have, or none if every type is allowed. Without a type,
// the types of enum, const or choices count, or properties mean an object.
func (s Schema) Types() []string {
	list := typeNames(s.Node["type"])
	if s.Node["type"] == nil {
		values, _ := s.Node["enum"].([]any)
		if c, ok := s.Node["const"]; ok {
			values = []any{c}
		}
		for _, v := range values {
			list = append(list, jsonvalue.TypeOf(v))
		}
		_, choices, _ := s.Choices()
		for _, choice := range choices {
			names := typeNames(choice.Resolved().Node["type"])
			if len(names) == 0 {
				return nil
			}
			list = append(list, names...)
		}
	}
	if len(list) > 0 && s.nullable {
		return append(list, "null")
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

// anything stands for a requirement that cannot be put into words.
const anything = "what the input schema says"

// Wanted returns the requirement for a value in words, such as: one of "a", "b"; a string or null.
func (s Schema) Wanted() string {
	if list, ok := s.Node["enum"].([]any); ok && len(list) > 0 {
		shown := make([]string, 0, maxShown)
		for _, v := range list[:min(len(list), maxShown)] {
			shown = append(shown, textOf(v))
		}
		return "one of " + strings.Join(shown, ", ")
	}
	var names []string
	for _, isNull := range []bool{false, true} { // null is last, because it is seldom intended
		for _, name := range s.Types() {
			if (name == "null") == isNull && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	text := strings.Join(names, " or ")
	if text == "" {
		return anything
	}
	if strings.IndexByte("aeiou", text[0]) >= 0 {
		return "an " + text
	}
	return "a " + text
}
