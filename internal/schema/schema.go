// Package schema reads JSON Schemas, such as those of tools. It returns the requirements at a
// location in a schema, and the location at which a value violates the schema.
//
// It supports single documents of draft 2020-12. Schemas and values are not trusted: the work is
// limited by their size, and most invalid keywords are ignored.
package schema

import (
	"encoding/json"
	"net/url"
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
