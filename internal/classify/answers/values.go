package answers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// delay adds a delay.
func (c *Claims) delay(m member) {
	n, ok := seconds(m.value)
	if m.Meaning == spelling.Milliseconds {
		n /= 1000
	}
	if ok {
		c.After = max(c.After, class.Seconds(n))
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
	return strings.Join(all, " ")
}

// maxSentences is the maximum depth of a sentence in a list or object of errors.
const maxSentences = 4

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
		for _, inner := range sorted(v) {
			if depth > 0 {
				all = collect(all, inner, v[inner], depth-1)
			}
		}
	}
	return all
}
