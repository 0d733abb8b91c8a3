package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Violation says where a value does not fit a schema, and why.
type Violation struct {
	Path    string   // of the place in the value: items[3].sku; empty for the whole
	Keyword string   // the one that is broken: required, maximum
	Name    string   // of a member that is missing, or that the schema does not have
	Value   any      // what stands there; nil for a missing member
	Place   Schema   // the one with the keyword; of a missing member its own
	steps   []string // of Path, the last one first
}

const (
	// maxDepth bounds the nesting of a value and of the references on the way.
	// Chosen: the SDK refuses arguments of a third of it.
	maxDepth = 3000
	// baseSteps and stepsPerByte bound the steps of a validation, each of some ten
	// to a hundred nanoseconds. Chosen: tools need one or two for each value, and a
	// value has two bytes or more.
	baseSteps, stepsPerByte = 10_000, 4
	// perStep is how many bytes of a text, or values of an enum, cost a step. Chosen:
	// they are compared in about its time.
	perStep = 8
)

// Validate walks over the schema and a JSON value, once, and returns the first
// violation it finds, or nil. Certain reports that there is none: it is false if
// the schema has keywords that the walk does not know, or if it took too long. A
// violation is always one.
//
// As the SDK does, Validate sets the schema's defaults first and compares numbers
// as float64, so that the two agree.
func (s Schema) Validate(raw json.RawMessage) (v *Violation, certain bool) {
	var value any
	if s.document == nil || json.Unmarshal(raw, &value) != nil {
		return nil, false
	}
	value, _ = withDefaults(s, value)
	w := &walk{document: s.document, left: baseSteps + stepsPerByte*len(raw)}
	if v = w.check(s.Node, value); v != nil {
		slices.Reverse(v.steps)
		v.Path = pathOf(v.steps)
	}
	return v, v == nil && !w.unsure
}

// withDefaults returns the value with the defaults of the schema's properties, and
// whether there are any. It is what the SDK does: it sets none in lists, behind
// references, and for what is required, and adds the objects that hold them.
func withDefaults(s Schema, value any) (filled any, found bool) {
	object, ok := value.(map[string]any)
	if !ok {
		return value, false
	}
	object = maps.Clone(object)
	required := Texts(s.Node["required"])
	for name, v := range s.Properties() {
		property := Schema{Node: nodeOf(v)}
		preset, ok := property.Node["default"]
		member, there := object[name]
		if !there {
			if member = preset; !ok {
				member = map[string]any{}
			}
		}
		member, below := withDefaults(property, member)
		found = found || ok || below
		if !slices.Contains(required, name) && (there || ok || below) {
			object[name] = member
		}
	}
	return object, found
}

// Find follows names, and indexes of lists, through a schema and a JSON value. The
// place has no Node, or the value is nil, if one of the two does not have them.
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

// step is the step of a path to an item of a list.
func step(i int) string { return "[" + strconv.Itoa(i) + "]" }

func pathOf(steps []string) string { return strings.ReplaceAll(strings.Join(steps, "."), ".[", "[") }
