package servertest

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A probe is the description of one call.
type probe struct {
	name      string // such as "without path"
	arguments any
	forbidden bool  // by the input schema
	wrong     bool  // in a way that the schema does not forbid
	expected  *Case // or nil
	compared  bool  // the answer is only compared with others
}

// maxProbes is the maximum number of calls derived from one schema. Chosen: tools with ten
// arguments need half of it.
const maxProbes = 100

// unknownArgument is the name of an argument that no tool has.
const unknownArgument = "unexpected_argument"

// probes derives calls from a tool's input schema: a valid one, and variations of it with a
// single mistake each. The base, if not nil, has the valid arguments.
func probes(s schema, base any) []probe {
	if base == nil {
		base = s.sample()
	}
	if _, ok := base.(map[string]any); !ok {
		base = map[string]any{}
	}
	v := &variation{list: []probe{{name: "valid arguments", arguments: base}}}
	v.vary(place{s, "", 0, func(value any) any { return value }}, base)
	return v.list
}

// A variation collects probes.
type variation struct{ list []probe }

// A place is a value in the arguments.
type place struct {
	schema

	path  string
	depth int
	whole func(any) any // the arguments with another value here
}

// forbidden adds a call with a value that the schema forbids.
func (v *variation) forbidden(p place, value any, format string, args ...any) {
	v.add(probe{name: fmt.Sprintf(format, args...), arguments: p.whole(value), forbidden: true})
}

func (v *variation) add(p probe) {
	if len(v.list) < maxProbes {
		v.list = append(v.list, p)
	}
}

// vary adds the possible mistakes in the value at a place.
func (v *variation) vary(p place, value any) {
	if p.depth > maxDepth || len(v.list) >= maxProbes {
		return
	}
	if p.path != "" {
		v.mistype(p)
		v.outside(p)
	}
	switch value := value.(type) {
	case map[string]any:
		v.varyObject(p, value)
	case []any:
		if p.kind() == "array" {
			v.varyArray(p, value)
		}
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
			v.forbidden(p, c, "without %s", join(p.path, name))
		}
	}
	for _, name := range sortedKeys(p.Properties()) {
		inner, _ := p.property(name)
		at := join(p.path, name)
		member, there := object[name]
		if !there {
			member = inner.sample()
		}
		if inner.isIdentifier(name) {
			if absent := inner.absent(); absent != nil && jsonOf(absent) != jsonOf(member) {
				v.add(probe{name: at + " that does not exist", arguments: p.whole(with(name, absent)), wrong: true})
			}
		}
		v.vary(place{inner, at, p.depth + 1, func(x any) any { return p.whole(with(name, x)) }}, member)
	}
	if more, isSchema := p.Node["additionalProperties"].(map[string]any); p.Node["properties"] != nil && p.Node["patternProperties"] == nil && (!isSchema || more == nil) {
		v.add(probe{
			name: "with an unknown " + join(p.path, "argument"), arguments: p.whole(with(unknownArgument, true)),
			forbidden: p.Node["additionalProperties"] == false,
		})
	}
}

func (v *variation) varyArray(p place, list []any) {
	item := p.items().sample()
	if len(list) > 0 {
		item = list[0]
	}
	if n, ok := p.number("minItems", 1, 100); ok {
		v.forbidden(p, slices.Repeat([]any{item}, int(n)-1), "%s with too few items", p.path)
	}
	if n, ok := p.number("maxItems", 0, 1000); ok {
		v.forbidden(p, slices.Repeat([]any{item}, int(n)+1), "%s with too many items", p.path)
	}
	if p.Node["items"] != nil {
		v.vary(place{p.items(), p.path + "[]", p.depth + 1, func(x any) any {
			return p.whole(append([]any{x}, list[min(1, len(list)):]...))
		}}, item)
	}
}

// mistype adds a value of a type that the schema does not allow. The type is as different as
// possible, because some servers convert similar types.
func (v *variation) mistype(p place) {
	types := p.Types()
	if len(types) == 0 {
		return
	}
	for _, other := range []struct {
		types []string
		value any
		name  string
	}{
		{[]string{"string"}, "wrong-type", "text"},
		{[]string{"number", "integer"}, 48291, "a number"},
		{[]string{"object"}, map[string]any{"wrong": "type"}, "an object"},
		{[]string{"boolean"}, true, "a boolean"},
	} {
		if !slices.ContainsFunc(other.types, func(t string) bool { return slices.Contains(types, t) }) {
			v.forbidden(p, other.value, "%s as %s", p.path, other.name)
			return
		}
	}
}

// outside adds values outside an enum, a range, a length, a pattern or a format.
func (v *variation) outside(p place) {
	isNumber := p.kind() == "integer" || p.kind() == "number"
	switch {
	case len(p.list("enum")) > 0 && isNumber:
		v.forbidden(p, 999_999_937, "%s outside its enum", p.path)
	case len(p.list("enum")) > 0 && p.kind() == "string":
		v.forbidden(p, "not-one-of-these", "%s outside its enum", p.path)
	case len(p.list("enum")) > 0:
	case isNumber:
		low, high := p.bounds()
		// A bound beyond 2^53-1 is only a limit of the representation.
		if low > -1<<53+1 {
			v.forbidden(p, low-1, "%s below its minimum", p.path)
		}
		if high < 1<<53-1 {
			v.forbidden(p, high+1, "%s above its maximum", p.path)
		}
		if m, ok := p.number("multipleOf", math.SmallestNonzeroFloat64, math.MaxFloat64); ok && p.kind() == "number" {
			v.forbidden(p, p.sampleNumber()+m/2, "%s not a multiple of %v", p.path, m)
		}
	case p.kind() == "string":
		v.outsideText(p)
	}
}

func (v *variation) outsideText(p place) {
	if n, ok := p.number("minLength", 1, maxText); ok {
		v.forbidden(p, strings.Repeat("x", int(n)-1), "%s shorter than its minimum", p.path)
	}
	most, limited := p.number("maxLength", 0, maxText)
	if limited {
		v.forbidden(p, strings.Repeat("x", int(most)+1), "%s longer than its maximum", p.path)
	}
	if re, err := regexp.Compile(p.text("pattern")); err == nil && p.text("pattern") != "" {
		for _, text := range []string{"does not match", "!", "0", "x", ""} {
			if !re.MatchString(text) && (!limited || utf8.RuneCountInString(text) <= int(most)) {
				v.forbidden(p, text, "%s not matching its pattern", p.path)
				break
			}
		}
	}
	// A format is only an annotation by default: a tool may accept other values.
	if formats[p.text("format")] != "" {
		v.add(probe{name: p.path + " not matching its format", arguments: p.whole("not of this format"), wrong: true})
	}
}
