package servertest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// A probe describes one call.
type probe struct {
	name      string // such as "without path"
	arguments map[string]any
	forbidden bool  // by the input schema
	wrong     bool  // in a way that the schema does not forbid
	expected  *Case // or nil
	compared  bool  // the answer is only compared with others
}

// maxProbes is the maximum number of calls derived from one schema, chosen because tools with ten
// arguments need half as many.
const maxProbes = 100

const (
	unknownArgument = "unexpected_argument" // an argument that no tool has
	validArguments  = "valid arguments"     // the name of the first call
)

// probes derives calls from a tool's input schema: one is valid, the others have one mistake each.
func probes(s schema, valid map[string]any) []probe {
	v := &variation{{name: validArguments, arguments: valid}}
	v.vary(place{s, "", 0, func(value any) any { return value }}, valid)
	return *v
}

// A variation collects probes.
type variation []probe

// A place is a position in the arguments that holds a value.
type place struct {
	schema

	path  string
	depth int
	whole func(any) any // the arguments with another value here
}

// add adds a call with another value at p, unless there are too many calls.
func (v *variation) add(p place, value any, call probe) {
	if call.arguments, _ = p.whole(value).(map[string]any); len(*v) < maxProbes {
		*v = append(*v, call)
	}
}

// vary adds the possible mistakes in the value at a place.
func (v *variation) vary(p place, value any) {
	if p.depth > maxDepth || len(*v) >= maxProbes {
		return
	}
	if p.path != "" {
		v.outside(p, value)
	}
	if object, ok := value.(map[string]any); ok {
		v.varyObject(p, object)
	} else if list, ok := value.([]any); ok && p.kind() == "array" && p.Node["items"] != nil {
		v.varyItem(p, list)
	}
}

func (v *variation) varyObject(p place, object map[string]any) {
	with := func(name string, member any) map[string]any {
		c := maps.Clone(object)
		c[name] = member
		return c
	}
	for _, name := range p.required() {
		if _, there := object[name]; there {
			c := maps.Clone(object)
			delete(c, name)
			_, optional := p.property(name).Node["default"] // which a server may set before it validates
			v.add(p, c, probe{name: "without " + join(p.path, name), forbidden: !optional})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Properties())) {
		inner := p.property(name)
		at := place{inner, join(p.path, name), p.depth + 1, func(x any) any { return p.whole(with(name, x)) }}
		member, there := object[name]
		if !there {
			member = inner.sample()
		}
		if inner.isIdentifier(name) {
			if absent := inner.absent(); absent != nil && jsonOf(absent) != jsonOf(member) {
				v.add(at, absent, probe{name: at.path + " that does not exist", wrong: true})
			}
		}
		v.vary(at, member)
	}
	if _, others := p.Node["additionalProperties"].(map[string]any); p.Node["properties"] != nil &&
		p.Node["patternProperties"] == nil && !others {
		v.add(p, with(unknownArgument, true),
			probe{name: "with an unknown " + join(p.path, "argument"), forbidden: p.Node["additionalProperties"] == false})
	}
}

// varyItem varies the first item of a list.
func (v *variation) varyItem(p place, list []any) {
	if len(list) == 0 {
		list = []any{p.items().sample()}
	}
	v.vary(place{p.items(), p.path + "[]", p.depth + 1, func(x any) any { return p.whole(append([]any{x}, list[1:]...)) }},
		list[0])
}

// outside adds, for each keyword of a place (type, enum, range, length, pattern), a call with the
// first value that violates it, and one that probably violates its format.
func (v *variation) outside(p place, value any) {
	low, high := p.bounds()
	least, _ := p.number("minLength", 1, maxText)
	most, _ := p.number("maxLength", 0, maxText)
	fewest, _ := p.number("minItems", 1, 100)
	items, _ := p.number("maxItems", 0, 1000)
	item := []any{p.items().sample()}
	if list, _ := value.([]any); len(list) > 0 {
		item = list[:1]
	}
	known := map[string]bool{}
	for _, mistake := range []struct {
		keyword, name string
		value         any
	}{
		// The type is as different as possible, because some servers convert similar types.
		{"type", " as text", "wrong-type"},
		{"type", " as a number", 48291},
		{"type", " as an object", map[string]any{"wrong": "type"}},
		{"type", " as a boolean", true},
		{"enum", " outside its enum", "not-one-of-these"},
		{"enum", " outside its enum", 999_999_937},
		{"minimum", " below its minimum", low - 1},
		{"exclusiveMinimum", " below its minimum", low - 1},
		{"maximum", " above its maximum", high + 1},
		{"exclusiveMaximum", " above its maximum", high + 1},
		{"minLength", " shorter than its minimum", strings.Repeat("x", int(max(least, 1))-1)},
		{"maxLength", " longer than its maximum", strings.Repeat("x", int(most)+1)},
		{"pattern", " not matching its pattern", "does not match"},
		{"pattern", " not matching its pattern", "!"},
		{"pattern", " not matching its pattern", "0"},
		{"pattern", " not matching its pattern", "x"},
		{"pattern", " not matching its pattern", ""},
		{"minItems", " with too few items", slices.Repeat(item, int(max(fewest, 1))-1)},
		{"maxItems", " with too many items", slices.Repeat(item, int(items)+1)},
	} {
		wrong, _ := p.Validate(json.RawMessage(jsonOf(mistake.value)))
		if wrong != nil && wrong.Path == "" && !known[mistake.keyword] &&
			(wrong.Keyword == mistake.keyword || mistake.keyword == "type" && strings.HasSuffix(wrong.Keyword, "Of")) {
			known[mistake.keyword] = true
			v.add(p, mistake.value, probe{name: p.path + mistake.name, forbidden: true})
		}
	}
	// By default, a format is only an annotation: a tool may accept other values.
	if formats[p.text("format")] != "" && p.kind() == "string" {
		v.add(p, "not of this format", probe{name: p.path + " not matching its format", wrong: true})
	}
}
