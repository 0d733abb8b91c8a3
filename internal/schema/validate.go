package schema

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Violation is the location at which a value violates a schema, and the reason.
type Violation struct {
	Path    string   // of the location in the value: items[3].sku; empty for the root
	Keyword string   // the violated keyword: required, maximum
	Name    string   // of a member that is missing, or that the schema does not allow
	More    []string // names of the other members of which the same is true
	Value   any      // the value at the location; nil for a missing member
	Place   Schema   // the schema with the keyword; for a missing member its own schema
	steps   []string // of Path, in reverse order
}

const (
	// maxDepth is the maximum nesting depth of a value, including the references followed for it.
	// The SDK rejects arguments nested a third as deep.
	maxDepth = 3000
	// baseSteps and stepsPerByte limit the steps of a validation, each of which takes ten to a
	// hundred nanoseconds. Tools need one or two per value, and a value has two bytes or more.
	baseSteps, stepsPerByte = 10_000, 4
	// perStep is the number of text bytes, or of enum values, that count as one step, because
	// comparing them takes as long.
	perStep = 8
)

// Validate walks through the schema and a JSON value once, and returns the first violation, or nil.
// Certain reports whether the value is known to be valid: it is false if a keyword or a value
// cannot be checked, or if the walk took too many steps. A returned violation is always correct.
//
// Like the SDK, Validate compares numbers as float64, so both agree.
func (s Schema) Validate(raw json.RawMessage) (v *Violation, certain bool) {
	var value any
	if s.root == nil || json.Unmarshal(raw, &value) != nil {
		return nil, false
	}
	w := &walk{root: s.root, left: baseSteps + stepsPerByte*len(raw), patterns: map[string]*regexp.Regexp{}}
	if v = w.check(s.Node, value, 0); v != nil {
		slices.Reverse(v.steps)
		v.Path = strings.ReplaceAll(strings.Join(v.steps, "."), ".[", "[")
	}
	return v, v == nil && !w.unsure
}

// A walk is one validation of a value against a schema.
type walk struct {
	root     map[string]any
	left     int                       // remaining steps
	unsure   bool                      // something could not be checked
	patterns map[string]*regexp.Regexp // by their text; nil for one that is invalid or too large
}

// spend deducts the steps for a size, and reports whether enough were left.
func (w *walk) spend(size int) bool {
	w.left -= 1 + size/perStep
	w.unsure = w.unsure || w.left < 0
	return w.left >= 0
}

var (
	// variant lists keywords that distinguish the variants of an object.
	variant = []string{"const", "enum"}
	// unknown lists keywords that are not checked.
	unknown = []string{
		"$dynamicRef", "additionalItems", "contains", "dependencies", "dependentRequired", "dependentSchemas", "if", "not",
		"patternProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties",
	}
)

func has(node map[string]any, keywords []string) bool {
	return slices.ContainsFunc(keywords, func(keyword string) bool { return node[keyword] != nil })
}

// check returns the first violation of a schema by a value, or nil. Depth is how many calls of check enclose it.
func (w *walk) check(schema, value any, depth int) *Violation {
	node := nodeOf(schema)
	text, _ := value.(string)
	if node == nil || !w.spend(len(text)) {
		return nil
	}
	if refuses(node) {
		return w.violation("not", node, value)
	}
	if depth == maxDepth || depth > 0 && node["$id"] != nil { // a separate document
		w.unsure = true
		return nil
	}
	depth++ // of what is inside
	w.unsure = w.unsure || has(node, unknown)
	if ref, ok := node["$ref"].(string); ok {
		target := lookup(w.root, ref)
		w.unsure = w.unsure || target == nil
		if v := w.check(target, value, depth); v != nil {
			return v
		}
	}
	for _, k := range keywords {
		if argument, ok := node[k.name]; ok && k.breaks(w, argument, value) {
			return w.violation(k.name, node, value)
		}
	}
	if v := w.combined(node, value, depth); v != nil {
		return v
	}
	switch value := value.(type) {
	case []any:
		return w.list(node, value, depth)
	case map[string]any:
		return w.object(node, value, depth)
	}
	return nil
}

// violation returns a violation at a value, or at the first of its members with the names.
func (w *walk) violation(keyword string, node map[string]any, value any, names ...string) *Violation {
	v, n := &Violation{Keyword: keyword, Value: value, Place: Schema{Node: node, root: w.root}}, min(len(names), 1)
	v.Name, v.More, v.steps = strings.Join(names[:n], ""), names[n:min(len(names), maxShown)], names[:n:n]
	return v
}

// combined checks allOf, anyOf and oneOf. If no choice matches, the closest one's violation counts,
// or else the keyword's own.
func (w *walk) combined(node map[string]any, value any, depth int) *Violation {
	parts, _ := node["allOf"].([]any)
	for _, part := range parts {
		if v := w.check(part, value, depth); v != nil {
			return v
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		choices, ok := node[keyword].([]any)
		if !ok {
			continue
		}
		closest, fits := w.violation(keyword, node, value), 0
		for _, choice := range choices {
			if v := w.check(choice, value, depth); v == nil {
				fits++
			} else if v.closeness() > closest.closeness() {
				closest = v
			}
		}
		if fits == 0 {
			return closest
		}
		w.unsure = w.unsure || keyword == "oneOf" && fits > 1
	}
	return nil
}

// farther is how much less a value matches that violates a keyword: const and enum tell variants apart,
// the last step to a missing or additional member is its own, and a choice may be of another type.
var farther = map[string]int{
	"const": 2, "enum": 2, "required": 1, "additionalProperties": 1, "type": 1, "anyOf": 1, "oneOf": 1,
}

// closeness ranks the violations of choices. It is 0 or less for a value of another type or
// variant. Otherwise it grows with the depth to which the value matches.
func (v *Violation) closeness() int { return len(v.steps) + 1 - farther[v.Keyword] }

func (w *walk) list(node map[string]any, list []any, depth int) *Violation {
	prefix, _ := node["prefixItems"].([]any)
	_, isTuple := node["items"].([]any) // of draft 7
	w.unsure = w.unsure || isTuple
	for i, item := range list {
		schema := node["items"]
		if i < len(prefix) {
			schema = prefix[i]
		}
		if v := w.check(schema, item, depth); v != nil {
			v.steps = append(v.steps, "["+strconv.Itoa(i)+"]")
			return v
		}
	}
	return nil
}

// object checks an object's members in the order of their names, but first what tells variants
// apart.
func (w *walk) object(node, object map[string]any, depth int) *Violation {
	const additional = "additionalProperties"
	properties := Schema{Node: node}.Properties()
	if !w.spend(perStep * len(object)) { // what follows sorts the names
		return nil
	}
	names := slices.Sorted(maps.Keys(object))
	for _, first := range []bool{true, false} {
		for _, name := range names {
			schema, ok := properties[name]
			if has(nodeOf(schema), variant) != first || !ok && node["patternProperties"] != nil {
				continue
			}
			if !ok {
				schema = node[additional]
			}
			if !ok && refuses(schema) {
				return w.violation(additional, node, object[name], without(properties, names)...)
			}
			if v := w.check(schema, object[name], depth); v != nil {
				v.steps = append(v.steps, name)
				return v
			}
		}
	}
	if missing := without(object, Texts(node["required"])); len(missing) > 0 {
		v := w.violation("required", node, nil, missing...)
		v.Place = v.Place.Property(v.Name)
		return v
	}
	return nil
}

func without(object map[string]any, names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { _, ok := object[name]; return ok })
}
