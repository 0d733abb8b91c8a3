package result

import (
	"regexp"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// weighWords takes back what an author's words say of the call's arguments if the
// arguments show that they are about something else: an argument that was sent is not
// missing, a text that is not JSON was not sent by who has sent none, and what the words
// name ("line 312 is out of range") has to have been sent, or to be an argument. E is the
// caller's own copy.
func (f *failedCall) weighWords(e *toolerr.Error) {
	if e.Category != toolerr.CategoryValidation || e.Field != "" {
		return
	}
	text := e.Message[:min(len(e.Message), maxWords)]
	var sent map[string]any
	_ = jsonvalue.Unmarshal(f.arguments, &sent) // what is no object names nothing
	refutes := refutations[e.Code]
	unfounded := refutes != nil && refutes(f.tool.Input().Properties(), text, sent) &&
		(e.Code != toolerr.CodeInvalidArgument || !f.namesSent(text))
	if unfounded || f.namesOther(text, e.Code) {
		e.Category, e.Code, e.Hint = "", "", ""
	}
}

// refutations tell for a code whether what was sent shows that a text with it is about
// something else than the tool's known arguments.
var refutations = map[toolerr.Code]func(known map[string]any, text string, sent map[string]any) bool{
	toolerr.CodeMissingArgument: hasSent,
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

// namesSent reports whether a text names something that was sent.
func (f *failedCall) namesSent(text string) bool {
	_, fault := f.sent.Words(text)
	return fault == classify.Callers
}

// namesOther reports whether a text names something, and nothing that was sent. Of a call
// without arguments nothing is known, and a status means that a service rejected the request.
func (f *failedCall) namesOther(text string, code toolerr.Code) bool {
	if isCoined(f.name) {
		text = strings.ReplaceAll(text, f.name, "")
	}
	if f.sent.Empty() || f.sent.In(text) || refused().MatchString(text) || parserWords().MatchString(text) {
		return false
	}
	for name := range f.tool.Input().Properties() {
		if hasWord(text, name) && (code != toolerr.CodeOutOfRange && code != toolerr.CodeNotFound || f.sent.Has(name)) {
			return false // what does not exist, or is out of range, was sent
		}
	}
	_, fault := f.sent.Words(text)
	return fault == classify.Own
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

// parserWords are how parsers say that a text is none of theirs, those of JSON in Go,
// JavaScript and Python before all.
var parserWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i:failed|unable|could not|cannot) (?:to )?(?:parse|decode|unmarshal)\b|looking for beginning of|invalid character '|\b(?:in|of|valid|parse|parsing|invalid) JSON\b|\bJSON (?:input|parse error|at position)|` +
		`JSONDecodeError|\bExpecting (?:value|property name|',' delimiter)`)
})

// refused finds the HTTP status of a request that was refused.
var refused = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b4\d\d\b`) })
