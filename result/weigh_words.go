package result

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// weighWords takes back what an author's words say of the call's arguments if the
// arguments show that they are about something else: an argument that was sent is not
// missing, a number that was not sent is not out of range, and a text that is not JSON was
// not sent by who has sent none. E is the caller's own copy.
func (f *failedCall) weighWords(e *toolerr.Error) {
	if e.Category != toolerr.CategoryValidation || e.Field != "" {
		return
	}
	text := e.Message[:min(len(e.Message), maxWords)]
	var sent map[string]any
	_ = jsonvalue.Unmarshal(f.arguments, &sent) // what is no object names nothing
	if refutes := refutations[e.Code]; refutes != nil && refutes(f.tool.Input().Properties(), text, sent) {
		e.Category, e.Code, e.Hint = "", "", ""
	}
}

// refutations tell for a code whether what was sent shows that a text with it is about
// something else than the tool's known arguments.
var refutations = map[toolerr.Code]func(known map[string]any, text string, sent map[string]any) bool{
	toolerr.CodeMissingArgument: hasSent,
	toolerr.CodeOutOfRange: func(known map[string]any, text string, sent map[string]any) bool {
		return len(argumentsNamed(text, known)) == 0 && !sendsNumberOf(text, sent)
	},
	toolerr.CodeInvalidArgument: func(_ map[string]any, text string, sent map[string]any) bool {
		return parserWords().MatchString(text) && !sendsDocument(sent)
	},
}

// hasSent reports whether the call has sent what a text may miss: all of the tool's
// arguments, or the one that the text names.
func hasSent(known map[string]any, text string, sent map[string]any) bool {
	all, named, lacks := len(known) > 0, false, false
	for name := range known {
		isSent := sent[name] != nil
		all = all && isSent
		if hasWord(text, name) {
			named, lacks = named || isSent, lacks || !isSent
		}
	}
	return all || named && !lacks
}

// sendsNumberOf reports whether a number of a text stands in the arguments, or the text
// has none.
func sendsNumberOf(text string, sent map[string]any) bool {
	numbers := numberWords().FindAllString(text, maxQuotes)
	return len(numbers) == 0 || slices.ContainsFunc(numbers, func(n string) bool { return contains(sent, n, 0) })
}

// maxLevel is how deep arguments are looked at for a number. Chosen: those of tools have
// one or two levels.
const maxLevel = 8

// contains reports whether a number stands in a value, by itself or in a text.
func contains(v any, n string, level int) bool {
	switch v := v.(type) {
	case json.Number:
		return v.String() == n
	case string:
		return len(v) <= maxWords && hasWord(v, n)
	case []any:
		return level < maxLevel && slices.ContainsFunc(v, func(v any) bool { return contains(v, n, level+1) })
	case map[string]any:
		for _, v := range v {
			if level < maxLevel && contains(v, n, level+1) {
				return true
			}
		}
	}
	return false
}

// sendsDocument reports whether one of the arguments is a text that may be JSON.
func sendsDocument(sent map[string]any) bool {
	for _, v := range sent {
		if s, ok := v.(string); ok && strings.ContainsAny(s, "{[") {
			return true
		}
	}
	return false
}

// parserWords are how parsers of JSON say that a text is none, in Go, JavaScript and
// Python.
var parserWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`looking for beginning of|invalid character '|\b(?:in|of|valid|parse|parsing|invalid) JSON\b|\bJSON (?:input|parse error|at position)|` +
		`JSONDecodeError|\bExpecting (?:value|property name|',' delimiter)`)
})

// numberWords are whole numbers of a text.
var numberWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b\d+\b`) })
