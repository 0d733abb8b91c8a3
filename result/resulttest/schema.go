package resulttest

import (
	"maps"
	"slices"

	jsonschema "github.com/mcp-toolerr/toolerr-go/internal/schema"
)

// A schema is a part of a tool's schema, from which calls are derived.
type schema struct{ jsonschema.Schema }

// schemaOf reads a tool's schema.
func schemaOf(v any) schema { return schema{jsonschema.Read(v).Resolved()} }

// property returns the schema of an object's member, and whether there is one.
func (s schema) property(name string) (schema, bool) {
	inner, _ := s.Property(name)
	return schema{inner}, inner.Node != nil
}

// names returns the names of an object's members, sorted.
func (s schema) names() []string { return sortedKeys(s.Properties()) }

// required returns the names of an object's required members.
func (s schema) required() (names []string) {
	for _, name := range jsonschema.Texts(s.Node["required"]) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (s schema) items() schema { return schema{s.Items()} }

// allows reports whether the schema allows a type.
func (s schema) allows(name string) bool { return slices.Contains(s.Types(), name) }

// kind returns the type for samples: the first that is not null.
func (s schema) kind() string {
	for _, name := range s.Types() {
		if name != "null" {
			return name
		}
	}
	return ""
}

func (s schema) number(name string) (float64, bool) {
	f, ok := s.Node[name].(float64)
	return f, ok
}

func (s schema) text(name string) string {
	text, _ := s.Node[name].(string)
	return text
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
