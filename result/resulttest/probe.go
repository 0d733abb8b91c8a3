package resulttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
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
	v.vary(s, "", base, 0, func(value any) any { return value })
	return v.list
}

// A variation collects probes.
type variation struct{ list []probe }

func (v *variation) add(forbidden bool, arguments any, format string, args ...any) {
	if len(v.list) < maxProbes {
		v.list = append(v.list, probe{name: fmt.Sprintf(format, args...), arguments: arguments, forbidden: forbidden})
	}
}

// addWrong adds a call with input that is wrong although the schema accepts it.
func (v *variation) addWrong(arguments any, name string) {
	if len(v.list) < maxProbes {
		v.list = append(v.list, probe{name: name, arguments: arguments, wrong: true})
	}
}

// vary adds the possible mistakes in the value at one path. Whole returns the arguments with
// another value at that path.
func (v *variation) vary(s schema, path string, value any, depth int, whole func(any) any) {
	if depth > maxDepth || len(v.list) >= maxProbes {
		return
	}
	if path != "" {
		if other, name, ok := s.mistyped(); ok {
			v.add(true, whole(other), "%s as %s", path, name)
		}
		v.outside(s, path, whole)
	}
	switch value := value.(type) {
	case map[string]any:
		v.varyObject(s, path, value, depth, whole)
	case []any:
		if s.kind() == "array" {
			v.varyArray(s, path, value, depth, whole)
		}
	}
}

func (v *variation) varyObject(s schema, path string, value map[string]any, depth int, whole func(any) any) {
	with := func(name string, member any) map[string]any {
		c := maps.Clone(value)
		c[name] = member
		return c
	}
	for _, name := range s.required() {
		if _, there := value[name]; there {
			c := maps.Clone(value)
			delete(c, name)
			v.add(true, whole(c), "without %s", join(path, name))
		}
	}
	for _, name := range s.names() {
		inner, _ := s.property(name)
		at := join(path, name)
		member, there := value[name]
		if !there {
			member = inner.sample()
		}
		if inner.isIdentifier(name) {
			if absent, ok := inner.absent(); ok && jsonOf(absent) != jsonOf(member) {
				v.addWrong(whole(with(name, absent)), at+" that does not exist")
			}
		}
		v.vary(inner, at, member, depth+1, func(x any) any { return whole(with(name, x)) })
	}
	if s.Node["properties"] != nil && s.Node["patternProperties"] == nil {
		if open, isSchema := s.Node["additionalProperties"].(map[string]any); !isSchema || open == nil {
			v.add(s.Node["additionalProperties"] == false, whole(with(unknownArgument, true)), "with an unknown %s", join(path, "argument"))
		}
	}
}

// unknownArgument is the name of an argument that no tool has.
const unknownArgument = "unexpected_argument"

func (v *variation) varyArray(s schema, path string, value []any, depth int, whole func(any) any) {
	item := s.items().sample()
	if len(value) > 0 {
		item = value[0]
	}
	if n, ok := s.number("minItems"); ok && n >= 1 && n <= 100 {
		v.add(true, whole(slices.Repeat([]any{item}, int(n)-1)), "%s with too few items", path)
	}
	if n, ok := s.number("maxItems"); ok && n >= 0 && n <= 1000 {
		v.add(true, whole(slices.Repeat([]any{item}, int(n)+1)), "%s with too many items", path)
	}
	if s.Node["items"] != nil {
		v.vary(s.items(), path+"[]", item, depth+1, func(x any) any {
			list := slices.Clone(value)
			if len(list) == 0 {
				list = []any{x}
			}
			list[0] = x
			return whole(list)
		})
	}
}

// mistyped returns a value of a type that the schema does not allow. The type is as different
// as possible, because some servers convert similar types.
func (s schema) mistyped() (value any, name string, ok bool) {
	types := s.Types()
	if len(types) == 0 {
		return nil, "", false
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
			return other.value, other.name, true
		}
	}
	return nil, "", false
}

// outside adds values outside an enum, a range, a length, a pattern or a format.
func (v *variation) outside(s schema, path string, whole func(any) any) {
	kind := s.kind()
	if list, ok := s.Node["enum"].([]any); ok && len(list) > 0 {
		switch kind {
		case "string":
			v.add(true, whole("not-one-of-these"), "%s outside its enum", path)
		case "integer", "number":
			v.add(true, whole(999_999_937), "%s outside its enum", path)
		}
		return
	}
	switch kind {
	case "integer", "number":
		low, high := s.bounds()
		// A bound beyond 2^53-1 is only a limit of the representation.
		if low > -1<<53+1 {
			v.add(true, whole(low-1), "%s below its minimum", path)
		}
		if high < 1<<53-1 {
			v.add(true, whole(high+1), "%s above its maximum", path)
		}
		if m, ok := s.number("multipleOf"); ok && m > 0 && !math.IsInf(m, 0) && kind == "number" {
			v.add(true, whole(s.sampleNumber()+m/2), "%s not a multiple of %v", path, m)
		}
	case "string":
		v.outsideText(s, path, whole)
	}
}

func (v *variation) outsideText(s schema, path string, whole func(any) any) {
	if n, ok := s.number("minLength"); ok && n >= 1 && n < 100_000 {
		v.add(true, whole(strings.Repeat("x", int(n)-1)), "%s shorter than its minimum", path)
	}
	if n, ok := s.number("maxLength"); ok && n >= 0 && n < 100_000 {
		v.add(true, whole(strings.Repeat("x", int(n)+1)), "%s longer than its maximum", path)
	}
	if re, err := regexp.Compile(s.text("pattern")); err == nil && s.text("pattern") != "" {
		most, limited := s.number("maxLength")
		for _, text := range []string{"does not match", "!", "0", "x", ""} {
			if !re.MatchString(text) && (!limited || float64(utf8.RuneCountInString(text)) <= most) {
				v.add(true, whole(text), "%s not matching its pattern", path)
				break
			}
		}
	}
	// A format is only an annotation by default: a tool may accept other values.
	if _, known := formats[s.text("format")]; known {
		v.addWrong(whole("not of this format"), path+" not matching its format")
	}
}

// plain returns a value as decoded from its JSON, or nil if it cannot be encoded.
func plain(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	decoded, _ := jsonvalue.Decode(raw)
	return decoded
}
