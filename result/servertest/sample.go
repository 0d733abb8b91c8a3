package servertest

import (
	"math"
	"regexp/syntax"
	"strconv"
	"strings"
)

const (
	// maxDepth limits the nesting of arguments, because a schema may be recursive. It is chosen
	// because authors nest two or three levels.
	maxDepth = 6
	// maxValues is the maximum number of values in the arguments, which could grow exponentially
	// with the depth. It is chosen to be far more than any tool needs.
	maxValues = 200
	// maxText is the maximum length of a text for a schema, chosen because more only costs time.
	maxText = 100_000
)

// sample returns a value that fits the schema as far as the schema is understood. Objects have only
// their required members, except in examples.
func (s schema) sample() any {
	left := maxValues
	return s.sampleWithin(0, &left)
}

func (s schema) sampleWithin(depth int, left *int) any {
	*left--
	if c, ok := s.Node["const"]; ok {
		return c
	}
	if v := s.example(); v != nil {
		return v
	}
	if list := s.list("enum"); len(list) > 0 {
		return list[0]
	}
	if _, choices, _ := s.Choices(); len(choices) > 1 && s.Node["type"] == nil {
		return schema{choices[0].Resolved()}.sampleWithin(depth, left)
	}
	more := func() bool { return depth < maxDepth && *left > 0 }
	switch s.kind() {
	case "string":
		return s.sampleText(false)
	case "integer", "number":
		return s.sampleNumber()
	case "boolean":
		return false
	case "array":
		list := []any{}
		least, _ := s.number("minItems", 1, math.Inf(1))
		for range int(min(max(least, 1), 100)) {
			if more() {
				list = append(list, s.items().sampleWithin(depth+1, left))
			}
		}
		return list
	case "object":
		object := map[string]any{}
		for _, name := range s.required() {
			if more() {
				inner := s.property(name)
				object[name] = inner.sampleWithin(depth+1, left)
			}
		}
		return object
	}
	return "example"
}

// example returns an example or default from the schema, or nil.
func (s schema) example() any {
	if list := s.list("examples"); len(list) > 0 {
		return list[0]
	}
	if v := s.Node["example"]; v != nil {
		return v
	}
	return s.Node["default"]
}

// sampleNumber returns the number in the description, or one near 1 in the schema's range, rounded up to multipleOf.
func (s schema) sampleNumber() float64 {
	if n, err := strconv.ParseFloat(s.described(), 64); err == nil && s.fits(n) {
		return n
	}
	low, high := s.bounds()
	v := min(max(1, math.Ceil(low)), high)
	if s.kind() == "integer" {
		v = math.Floor(v)
	}
	if m, ok := s.number("multipleOf", math.SmallestNonzeroFloat64, math.MaxFloat64); ok {
		if multiple := m * math.Ceil(max(v, m)/m); !math.IsInf(multiple, 0) {
			v = multiple
		}
	}
	return v
}

// exampleWords matches an example in a description: quoted, or with a digit, or one word or a capitalized name
// up to the end of the clause, unlike "such as the name of a city".
var exampleWords = lazy(`(?i:\b(?:such as|e\.?g\.?[,:]?|for example[,:]?|examples?:|like))\s+` +
	`(?:"([^"\n]{1,80})"|'([^'\n]{1,80})'|` + "`([^`\n]{1,80})`" +
	`|([\w./:@+-]*[0-9][\w./:@+-]*)|((?:\p{Lu}[\pL'-]* ){0,3}[\pL\d_./:@+-]+)\s*(?:$|[,;)\n]|\. | (?:or|and) ))`)

// described returns the example in the description, or "".
func (s schema) described() string {
	groups := exampleWords().FindStringSubmatch(s.text("description"))
	return strings.TrimRight(strings.Join(groups[min(1, len(groups)):], ""), ".,:") // one group matches
}

// formats holds example texts for formats of JSON Schema. The hosts never exist (RFC 2606), so that
// a tool that fetches one reaches no server.
var formats = map[string]string{
	"date": "2025-01-15", "date-time": "2025-01-15T12:00:00Z", "time": "12:00:00Z", "duration": "P1D",
	"email": "someone@example.invalid", "hostname": "example.invalid", "idn-hostname": "example.invalid",
	"uri": "https://example.invalid/7", "url": "https://example.invalid/7", "iri": "https://example.invalid/7",
	"uri-reference": "/7",
	"uuid":          "8f14e45f-ceea-4672-9f2b-5c0b7f0a1234", "ipv4": "192.0.2.7", "ipv6": "2001:db8::7", "regex": "a+",
	"json-pointer": "/a",
}

// sampleText returns a text that fits the schema or, if absent is set, an id that does not exist.
func (s schema) sampleText(absent bool) string {
	example, _ := s.example().(string)
	list := []string{s.described(), example, formats[s.text("format")], fromPattern(s.text("pattern"))}
	if absent {
		for i, text := range list {
			list[i] = altered(text)
		}
		list = append(list, "does-not-exist-94817", "zq94817", "94817")
	}
	for _, text := range append(list, "example") {
		if text != "" && s.fits(text) {
			return text
		}
	}
	least, _ := s.number("minLength", 0, maxText)
	length := 7
	if most, limited := s.number("maxLength", 0, 7); limited {
		length = int(most)
	}
	length = max(length, int(least))
	return strings.Repeat("example ", length/8+1)[:length]
}

// maxPattern limits the growth of a text made from a pattern, in bytes, because repetitions could
// make it huge. It is chosen because identifiers are shorter.
const maxPattern = 4096

// fromPattern returns a text that probably matches a pattern, or "" if Go cannot parse it.
func fromPattern(pattern string) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	var b strings.Builder
	writePattern(&b, re)
	return b.String()
}

func writePattern(b *strings.Builder, re *syntax.Regexp) {
	subs, times := re.Sub, 1
	switch {
	case b.Len() > maxPattern, re.Op == syntax.OpStar, re.Op == syntax.OpQuest:
		return
	case re.Op == syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case re.Op == syntax.OpCharClass: // pairs of bounds
		for i := 0; i+1 < len(re.Rune); i += 2 {
			if low := max(re.Rune[i], '!'); low <= min(re.Rune[i+1], '~') {
				b.WriteRune(low) // the first that is printable
				break
			}
		}
	case re.Op == syntax.OpAnyChar, re.Op == syntax.OpAnyCharNotNL:
		b.WriteByte('x')
	case re.Op == syntax.OpAlternate:
		subs = subs[:1]
	case re.Op == syntax.OpRepeat:
		times = re.Min
	}
	for range times {
		for _, sub := range subs {
			writePattern(b, sub)
		}
	}
}
