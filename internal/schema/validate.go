package schema

import (
	"encoding/json"
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
	if s.document == nil || json.Unmarshal(raw, &value) != nil {
		return nil, false
	}
	w := &walk{document: s.document, left: baseSteps + stepsPerByte*len(raw), patterns: map[string]*regexp.Regexp{}}
	if v = w.check(s.Node, value); v != nil {
		slices.Reverse(v.steps)
		v.Path = pathOf(v.steps)
	}
	return v, v == nil && !w.unsure
}

// Find follows member names and list indexes through a schema and a JSON value. The place has no
// Node if the schema does not describe it; the value is nil if raw lacks it.
func (s Schema) Find(raw json.RawMessage, names []string) (place Schema, path string, value any) {
	_ = json.Unmarshal(raw, &value)
	steps := slices.Clone(names)
	for n, name := range names {
		switch v := value.(type) {
		case map[string]any:
			property, known := s.Property(name)
			if !known {
				property = s.child(s.Node["additionalProperties"])
			}
			s, value = property, v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return Schema{}, "", nil
			}
			s, value, steps[n] = s.Items(), v[i], step(i)
		default:
			return Schema{}, "", nil
		}
	}
	return s, pathOf(steps), value
}

// step returns a list item's step in a path.
func step(i int) string { return "[" + strconv.Itoa(i) + "]" }

func pathOf(steps []string) string { return strings.ReplaceAll(strings.Join(steps, "."), ".[", "[") }
