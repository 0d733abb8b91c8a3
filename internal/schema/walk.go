package schema

import (
	"maps"
	"regexp"
	"slices"
)

// A walk is one validation of a value against a schema.
type walk struct {
	*document

	left     int                       // remaining steps
	depth    int                       // nested calls of check
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

// has reports whether a schema has one of the keywords.
func has(node map[string]any, keywords []string) bool {
	return slices.ContainsFunc(keywords, func(keyword string) bool { return node[keyword] != nil })
}

// check returns the first violation of a schema by a value, or nil.
func (w *walk) check(schema, value any) *Violation {
	node := nodeOf(schema)
	text, _ := value.(string)
	switch {
	case node == nil || !w.spend(len(text)):
		return nil
	case refuses(node):
		return w.violation("not", node, value)
	case w.depth == maxDepth || w.depth > 0 && node["$id"] != nil: // a separate document
		w.unsure = true
		return nil
	}
	w.depth++
	defer func() { w.depth-- }()
	w.unsure = w.unsure || has(node, unknown)
	if ref, ok := node["$ref"].(string); ok {
		target := w.lookup(ref)
		w.unsure = w.unsure || target == nil
		if v := w.check(target, value); v != nil {
			return v
		}
	}
	for _, k := range keywords {
		if argument, ok := node[k.name]; ok && k.breaks(w, argument, value) {
			return w.violation(k.name, node, value)
		}
	}
	if v := w.combined(node, value); v != nil {
		return v
	}
	switch value := value.(type) {
	case []any:
		return w.list(node, value)
	case map[string]any:
		return w.object(node, value)
	}
	return nil
}

func (w *walk) violation(keyword string, node map[string]any, value any) *Violation {
	return &Violation{Keyword: keyword, Value: value, Place: Schema{Node: node, document: w.document}}
}

// below checks a value one level deeper.
func (w *walk) below(name string, schema, value any) *Violation {
	v := w.check(schema, value)
	if v != nil {
		v.steps = append(v.steps, name)
	}
	return v
}

// named returns a violation for a member that is missing or not allowed.
func (w *walk) named(keyword string, node map[string]any, name string, value any) *Violation {
	v := w.violation(keyword, node, value)
	v.Name, v.steps = name, []string{name}
	return v
}

// combined checks allOf, anyOf and oneOf. If no choice matches, the closest one's violation counts,
// or else the keyword's own.
func (w *walk) combined(node map[string]any, value any) *Violation {
	parts, _ := node["allOf"].([]any)
	for _, part := range parts {
		if v := w.check(part, value); v != nil {
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
			if v := w.check(choice, value); v == nil {
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

// closeness ranks the violations of choices. It is 0 or less for a value of another type or
// variant. Otherwise it grows with the depth to which the value matches.
func (v *Violation) closeness() int {
	switch depth := len(v.steps); v.Keyword {
	case "const", "enum":
		return depth - 1
	case "required", "additionalProperties": // the last step is to the member in Name
		return depth
	case "type", "anyOf", "oneOf":
		if depth == 0 {
			return 0
		}
	}
	return len(v.steps) + 1
}

func (w *walk) list(node map[string]any, list []any) *Violation {
	prefix, _ := node["prefixItems"].([]any)
	_, isTuple := node["items"].([]any) // of draft 7
	w.unsure = w.unsure || isTuple
	for i, item := range list {
		schema := node["items"]
		if i < len(prefix) {
			schema = prefix[i]
		}
		if v := w.check(schema, item); v != nil {
			v.steps = append(v.steps, step(i))
			return v
		}
	}
	return nil
}

// object checks an object's members in the order of their names, but first what tells variants
// apart.
func (w *walk) object(node, object map[string]any) *Violation {
	properties := Schema{Node: node}.Properties()
	names := slices.Sorted(maps.Keys(object))
	for _, first := range []bool{true, false} {
		for _, name := range names {
			if has(nodeOf(properties[name]), variant) != first {
				continue
			}
			if v := w.member(node, properties, name, object[name]); v != nil {
				return v
			}
		}
	}
	for _, name := range Texts(node["required"]) {
		if _, ok := object[name]; !ok {
			v := w.named("required", node, name, nil)
			v.Place, _ = v.Place.Property(name)
			return v
		}
	}
	return nil
}

func (w *walk) member(node, properties map[string]any, name string, value any) *Violation {
	if schema, ok := properties[name]; ok {
		return w.below(name, schema, value)
	}
	const keyword = "additionalProperties"
	switch {
	case node["patternProperties"] != nil:
		return nil
	case refuses(node[keyword]):
		return w.named(keyword, node, name, value)
	}
	return w.below(name, node[keyword], value)
}
