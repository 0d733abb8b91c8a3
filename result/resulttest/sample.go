package resulttest

import (
	"math"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxDepth is the maximum nesting of arguments; a schema may be recursive. Chosen: authors
// nest two or three levels.
const maxDepth = 6

// maxValues is the maximum number of values in the arguments, which grows exponentially with
// the depth. Chosen: many times what a tool requires.
const maxValues = 500

// sample returns a value that fits the schema as far as it is understood. Objects have only
// their required members.
func (s schema) sample() any {
	left := maxValues
	return s.sampleWithin(0, &left)
}

func (s schema) sampleWithin(depth int, left *int) any {
	*left--
	if c, ok := s.Node["const"]; ok {
		return c
	}
	if v, ok := s.example(); ok {
		return v
	}
	if list, ok := s.Node["enum"].([]any); ok && len(list) > 0 {
		return list[0]
	}
	if _, choices, _ := s.Choices(); len(choices) > 1 && s.Node["type"] == nil {
		return schema{choices[0].Resolved()}.sampleWithin(depth, left)
	}
	switch s.kind() {
	case "string":
		return s.sampleText(false)
	case "integer", "number":
		return s.sampleNumber()
	case "boolean":
		return false
	case "array":
		list := []any{}
		least, _ := s.number("minItems")
		for range int(min(max(least, 1), 100)) {
			if depth < maxDepth && *left > 0 {
				list = append(list, s.items().sampleWithin(depth+1, left))
			}
		}
		return list
	case "object":
		object := map[string]any{}
		for _, name := range s.required() {
			if depth < maxDepth && *left > 0 {
				inner, _ := s.property(name)
				object[name] = inner.sampleWithin(depth+1, left)
			}
		}
		return object
	}
	return "example"
}

// example returns an example or default from the schema.
func (s schema) example() (any, bool) {
	if list, ok := s.Node["examples"].([]any); ok && len(list) > 0 {
		return list[0], true
	}
	for _, name := range []string{"example", "default"} {
		if v, ok := s.Node[name]; ok && v != nil {
			return v, true
		}
	}
	return nil, false
}

// exampleWords matches an example in a description. It must be quoted or have a digit, so
// that it is not an ordinary word.
var exampleWords = lazy(`(?i)\b(?:such as|e\.?g\.?,?|for example,?|example:|like)\s+(?:"([^"\n]{1,80})"|'([^'\n]{1,80})'|` + "`([^`\n]{1,80})`" + `|([\w./:@+-]*[0-9][\w./:@+-]*))`)

// sampleText returns a text that fits the schema; if absent is set, an identifier that does
// not exist.
func (s schema) sampleText(absent bool) string {
	for _, text := range s.textCandidates(absent) {
		if text != "" && s.fitsText(text) {
			return text
		}
	}
	least, _ := s.number("minLength")
	length := int(min(max(least, 0), 10_000))
	text := strings.Repeat("example ", length/8+1)
	return text[:min(len(text), max(length, min(s.maxLength(), 7)))]
}

// maxLength returns the maximum number of characters of a text.
func (s schema) maxLength() int {
	if n, ok := s.number("maxLength"); ok && n >= 0 && n < 1<<20 {
		return int(n)
	}
	return math.MaxInt
}

// fitsText reports whether a text fits the length and the pattern of the schema.
func (s schema) fitsText(text string) bool {
	length := utf8.RuneCountInString(text)
	if n, ok := s.number("minLength"); ok && length < int(n) || length > s.maxLength() {
		return false
	}
	re, err := regexp.Compile(s.text("pattern"))
	return err != nil || re.MatchString(text)
}

// textCandidates returns texts that may fit the schema, best first.
func (s schema) textCandidates(absent bool) []string {
	var list []string
	if found := exampleWords().FindStringSubmatch(s.text("description")); found != nil {
		list = append(list, strings.TrimRight(strings.Join(found[1:], ""), ".,:"))
	}
	if v, ok := s.example(); ok {
		text, _ := v.(string)
		list = append(list, text)
	}
	list = append(list, formats[s.text("format")])
	if !absent {
		return append(list, fromPattern(s.text("pattern"), false), "example")
	}
	for i, text := range list {
		list[i] = altered(text)
	}
	return append(list, fromPattern(s.text("pattern"), true), "does-not-exist-94817", "zq94817", "94817", "example")
}

// formats has a text for each format of JSON Schema. The hosts never exist (RFC 2606), so
// that a tool that fetches one reaches no server.
var formats = map[string]string{
	"date": "2025-01-15", "date-time": "2025-01-15T12:00:00Z", "time": "12:00:00Z", "duration": "P1D",
	"email": "someone@example.invalid", "hostname": "example.invalid", "idn-hostname": "example.invalid",
	"uri": "https://example.invalid/7", "url": "https://example.invalid/7", "iri": "https://example.invalid/7", "uri-reference": "/7",
	"uuid": "8f14e45f-ceea-4672-9f2b-5c0b7f0a1234", "ipv4": "192.0.2.7", "ipv6": "2001:db8::7", "regex": "a+", "json-pointer": "/a",
}

// sampleNumber returns a number in the schema's range, 1 if possible.
func (s schema) sampleNumber() float64 {
	low, high := s.bounds()
	v := min(max(1, math.Ceil(low)), high)
	if s.kind() == "integer" {
		v = math.Floor(v)
	}
	if m, ok := s.number("multipleOf"); ok && m > 0 {
		if multiple := m * math.Ceil(max(v, m)/m); !math.IsInf(multiple, 0) {
			v = multiple
		}
	}
	return v
}

// bounds returns the minimum and the maximum, infinite if there is none.
func (s schema) bounds() (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	step := 1.0
	if s.kind() == "number" {
		step = 0.5
	}
	if n, ok := s.number("minimum"); ok {
		low = n
	}
	if n, ok := s.number("exclusiveMinimum"); ok {
		low = max(low, n+step)
	}
	if n, ok := s.number("maximum"); ok {
		high = n
	}
	if n, ok := s.number("exclusiveMaximum"); ok {
		high = min(high, n-step)
	}
	return low, high
}
