package foreign

import (
	"encoding/json"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
)

// readText reads the text of a failure, and the report that may follow a prefix in it: API
// error: {"error": ...}.
func readText(text string) classify.Reading {
	text = unframe(text)
	words := classify.Text(text)
	prefix, m := embedded(text)
	if m == nil {
		return words
	}
	own, all := layersOf(m)
	said := classifyReport(codesIn(m, own), statusIn(own), messageIn(m, own, all, true), all)
	switch {
	case !said.Known():
	case !said.Retryable:
		if !words.Known() || words.Retryable || !forbids(words.Classification) {
			words.Classification, words.Forbids = said, true
		}
	case !words.Forbids && !words.Known() && (isErrorLabel(prefix) || isAnswer(prefix, m)):
		words.Classification = said
	}
	return words
}

// embedded returns the first JSON object in a text, and the text before it.
func embedded(text string) (prefix string, m map[string]any) {
	const longest = 4 << 10 // as much text as is classified
	i := strings.IndexByte(text[:min(len(text), longest)], '{')
	if i <= 0 || !strings.ContainsRune(" \n(:", rune(text[i-1])) {
		return "", nil
	}
	d := json.NewDecoder(strings.NewReader(text[i:min(len(text), i+longest)]))
	d.UseNumber()
	if d.Decode(&m) != nil {
		return "", nil
	}
	return text[:i], m
}

// isAnswer reports whether an object after "Failed to ...:" is a service's answer: it has a
// code, and otherwise only codes and messages. The arguments of the call have other
// members.
func isAnswer(prefix string, m map[string]any) bool {
	label, ok := strings.CutSuffix(strings.TrimSpace(prefix), ":")
	coded := false
	for name := range m {
		name = strings.ToLower(name)
		isCode := strings.HasSuffix(name, "code") || strings.HasSuffix(name, "_cd") || strings.HasPrefix(name, "err")
		if coded = coded || isCode; !isCode && !hasAnyIn(name, "msg", "message", "status", "request_id", "requestid") {
			return false
		}
	}
	return ok && coded && strings.HasPrefix(strings.ToLower(label), "failed to ")
}

// isErrorLabel reports whether a prefix introduces the error, and not the arguments of the
// call.
func isErrorLabel(prefix string) bool {
	label, ok := strings.CutSuffix(strings.TrimSpace(prefix), ":")
	label, dash := strings.CutSuffix(label, "-")
	fields := strings.Fields(label)
	if !ok && !dash || len(fields) == 0 {
		return false
	}
	last := strings.ToLower(strings.Trim(fields[len(fields)-1], "()[]:"))
	for _, word := range []string{"error", "failed", "failure", "exception", "response", "returned", "message", "body", "details", "reason"} {
		if strings.HasSuffix(last, word) {
			return true
		}
	}
	return len(last) == 3 && (last[0] == '4' || last[0] == '5')
}
