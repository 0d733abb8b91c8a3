package result

import (
	"regexp"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// dropRefuted removes a validation category that was read from an author's text if the call's
// arguments refute it: an argument that was sent is not missing, invalid JSON is not the
// caller's if no argument holds JSON, and a name or value in the text ("line 312 is out of
// range") has to be in the call. It changes e.
func (f *failedCall) dropRefuted(e *toolerr.Error) {
	if e.Category != toolerr.CategoryValidation || e.Field != "" {
		return
	}
	text := e.Message[:min(len(e.Message), maxWords)]
	var sent map[string]any
	_ = jsonvalue.Unmarshal(f.arguments, &sent) // empty if it is not an object
	refutes := refutations[e.Code]
	unfounded := refutes != nil && refutes(f.tool.Input().Properties(), text, sent) &&
		(e.Code != toolerr.CodeInvalidArgument || !f.namesSent(text))
	if unfounded || f.namesOther(text, e.Code) {
		e.Category, e.Code, e.Hint = "", "", ""
	}
}

// refutations has for a code the function that reports whether the arguments refute a text
// with that code.
var refutations = map[toolerr.Code]func(known map[string]any, text string, sent map[string]any) bool{
	toolerr.CodeMissingArgument: hasSent,
	toolerr.CodeInvalidArgument: func(_ map[string]any, text string, sent map[string]any) bool {
		return parserWords().MatchString(text) && !sendsDocument(sent)
	},
}

// hasSent reports whether the call has all of the tool's arguments, or the argument that the
// text names.
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

// namesSent reports whether a text contains a value from the call.
func (f *failedCall) namesSent(text string) bool {
	_, fault := f.sent.Words(text)
	return fault == classify.Callers
}

// namesOther reports whether a text names things, none of which is in the call. It is false
// for a call without arguments, and for a text with the HTTP status of a rejected request.
func (f *failedCall) namesOther(text string, code toolerr.Code) bool {
	if isCoined(f.name) {
		text = strings.ReplaceAll(text, f.name, "")
	}
	if f.sent.Empty() || f.sent.In(text) || refused().MatchString(text) || parserWords().MatchString(text) {
		return false
	}
	for name := range f.tool.Input().Properties() {
		if hasWord(text, name) && (code != toolerr.CodeOutOfRange && code != toolerr.CodeNotFound || f.sent.Has(name)) {
			return false // the argument that does not exist or is out of range
		}
	}
	_, fault := f.sent.Words(text)
	return fault == classify.Own
}

// sendsDocument reports whether one of the arguments may be JSON text.
func sendsDocument(sent map[string]any) bool {
	for _, v := range sent {
		if s, ok := v.(string); ok && strings.ContainsAny(s, "{[") {
			return true
		}
	}
	return false
}

// parserWords matches the errors of parsers, mostly of JSON in Go, JavaScript and Python.
var parserWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i:failed|unable|could not|cannot) (?:to )?(?:parse|decode|unmarshal)\b|looking for beginning of|invalid character '|\b(?:in|of|valid|parse|parsing|invalid) JSON\b|\bJSON (?:input|parse error|at position)|` +
		`JSONDecodeError|\bExpecting (?:value|property name|',' delimiter)`)
})

// refused matches the HTTP status of a rejected request.
var refused = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b4\d\d\b`) })
