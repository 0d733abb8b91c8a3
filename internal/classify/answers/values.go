package answers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// Number returns the value of a number, or of a text that contains one.
func Number(v any) (float64, bool) {
	var text string
	switch v := v.(type) {
	case json.Number:
		text = string(v)
	case float64:
		return v, true
	case string:
		text = strings.TrimSpace(v)
	}
	if text == "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

// Bool returns the value of a boolean, or of a text that contains one.
func Bool(v any) (value, ok bool) {
	if s, is := v.(string); is {
		b, err := strconv.ParseBool(strings.ToLower(s))
		return b, err == nil
	}
	value, ok = v.(bool)
	return value, ok
}

// sorted returns the names of the members of an object, in alphabetical order.
func sorted(members map[string]any) []string {
	names := slices.AppendSeq(make([]string, 0, len(members)), maps.Keys(members))
	slices.Sort(names)
	return names
}

// joined returns the texts and numbers in a list.
func joined(list []any, separator string) string {
	var all []string
	for _, v := range list[:min(len(list), MaxItems)] {
		switch v.(type) {
		case string, json.Number, float64:
			all = append(all, fmt.Sprint(v))
		}
	}
	return strings.Join(all, separator)
}

// sentences returns the texts in lists and objects of errors, each after the name of its argument.
func (c *Claims) sentences() string {
	var all []string
	for _, o := range c.wholes {
		for _, name := range sorted(o) {
			if spelling.Means(name, spelling.Errors) {
				all = collect(all, "", o[name], maxSentences)
			}
		}
	}
	if len(all) == 0 && len(c.wholes) == 1 && isErrorsByField(c.wholes[0], maxSentences) {
		all = collect(all, "", c.wholes[0], maxSentences)
	}
	return strings.Join(all, " ")
}

// isErrorsByField reports whether all members are lists of texts: {"title": ["This field may not be
// blank."]}, or such objects in turn, or lists of these, in which an item without errors is empty.
func isErrorsByField(v any, depth int) bool {
	list, isList := v.([]any)
	m, _ := v.(map[string]any)
	isOther := func(v any) bool {
		_, isText := v.(string)
		return (!isText || !isList) && !isErrorsByField(v, depth-1)
	}
	all := slices.AppendSeq(slices.Clone(list), maps.Values(m))
	return depth > 0 && (len(all) > 0 || m != nil && depth < maxSentences) && !slices.ContainsFunc(all, isOther)
}

// maxSentences is the maximum depth of a sentence in a list or object of errors.
const maxSentences = 4

func collect(all []string, name string, v any, depth int) []string {
	if depth < 0 {
		return all
	}
	switch v := v.(type) {
	case string:
		if strings.Contains(v, " ") && len(all) < MaxItems {
			if spelling.Means(name, spelling.Message, spelling.Code, spelling.Errors) {
				name = ""
			}
			if said := strings.TrimPrefix(name+": "+v, ": "); !slices.Contains(all, said) { // a part is in two lists
				all = append(all, said)
			}
		}
	case []any:
		for _, item := range v[:min(len(v), MaxItems)] {
			all = collect(all, name, item, depth-1)
		}
	case map[string]any:
		for _, inner := range sorted(v) {
			all = collect(all, inner, v[inner], depth-1)
		}
	}
	return all
}
