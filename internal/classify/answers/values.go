package answers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// delay adds the delays in an object.
func (c *Claims) delay(o object) {
	add := func(m spelling.Meaning, perSecond float64) {
		for _, name := range spelling.Names(m) {
			if n, ok := seconds(o[name]); ok {
				c.After, c.HasAfter = max(c.After, class.Seconds(n/perSecond)), true
			}
		}
	}
	add(spelling.Milliseconds, 1000)
	add(spelling.Seconds, 1)
	for _, name := range spelling.Names(spelling.NotBefore) {
		text, _ := o[name].(string)
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			c.After, c.HasAfter = max(c.After, class.ClampDelay(time.Until(at))), true
		}
	}
}

// seconds returns a number, or a text such as 1.5s.
func seconds(v any) (float64, bool) {
	if n, ok := Number(v); ok {
		return n, true
	}
	text, _ := v.(string)
	d, err := time.ParseDuration(text)
	return d.Seconds(), err == nil
}

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
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil || math.IsInf(f, 0)
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

// texts accepts a text, or a list of texts, which it joins. Of a path that begins with the part of
// the request, only what follows is the argument.
func texts(name string, v any) (string, bool) {
	list, _ := v.([]any)
	words := make([]string, 0, len(list))
	for i, item := range list[:min(len(list), MaxItems)] {
		switch word := fmt.Sprint(item); {
		case name == "loc" && i == 0 && len(list) > 1:
		case name == "loc":
			words = append(words, word)
		default:
			if s, ok := item.(string); ok {
				words = append(words, s)
			}
		}
	}
	s, _ := v.(string)
	switch {
	case name == "loc":
		s = strings.Join(words, ".")
	case name != "path":
		s = cmp.Or(s, strings.Join(words, " "))
	}
	return s, s != ""
}

// sentence returns the first text with a meaning that is no code.
func (c *Claims) sentence(m spelling.Meaning, last level) string {
	s, _ := first(c, m, last, func(name string, v any) (string, bool) {
		s, _ := v.(string)
		return s, s != "" && (name != "error" && name != "reason" || !IsCode(s))
	})
	return s
}

// sentences returns the texts in lists and objects of errors, each after the name of its argument.
func (c *Claims) sentences() string {
	var all []string
	for _, o := range c.parts[whole] {
		for _, name := range spelling.Names(spelling.Errors) {
			all = collect(all, "", o[name], maxSentences)
		}
	}
	if m := c.parts[whole]; len(all) == 0 && len(m) == 1 && m[0].isErrorsByField() {
		all = collect(all, "", map[string]any(m[0]), maxSentences)
	}
	return strings.Join(all, " ")
}

// isErrorsByField reports whether all members are lists of texts: {"title": ["This field may not be
// blank."]}.
func (o object) isErrorsByField() bool {
	for _, v := range o {
		list, _ := v.([]any)
		if len(list) == 0 || slices.ContainsFunc(list, func(v any) bool { _, isText := v.(string); return !isText }) {
			return false
		}
	}
	return len(o) > 0
}

// maxSentences is the maximum depth of a sentence in a list or object of errors.
const maxSentences = 3

func collect(all []string, name string, v any, depth int) []string {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, " ") && len(all) < MaxItems {
			if spelling.Means(name, spelling.Message, spelling.Code, spelling.Errors) {
				name = ""
			}
			all = append(all, strings.TrimPrefix(name+": "+v, ": "))
		}
	case []any:
		for _, item := range v[:min(len(v), MaxItems)] {
			if depth > 0 {
				all = collect(all, name, item, depth-1)
			}
		}
	case map[string]any:
		for _, inner := range slices.Sorted(maps.Keys(v)) {
			if depth > 0 {
				all = collect(all, inner, v[inner], depth-1)
			}
		}
	}
	return all
}
