package foreign

import (
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// readReport reads an object that reports a failure, or returns nil. Flagged says
// that the result itself has isError set; without that the object has to say so,
// and nothing beside it may look like data.
func readReport(m map[string]any, flagged bool) *toolerr.Error {
	if !flagged && !saysFailure(m) {
		return nil
	}
	own, all := layersOf(m)
	message, codes := messageIn(m, own, all, flagged), codesIn(m, own)
	e := newError(classifyReport(codes, statusIn(own), message, all), message)
	setMembers(e, own, all, codes)
	claimed, claims := claimIn(own, all)
	switch {
	case !flagged:
		// The result is not flagged as a failure, and a server may echo its input:
		// nothing in it controls the agent.
		e.Retryable, e.RetryAfter, e.Effect = false, 0, toolerr.EffectUnknown
		e.Hint, e.CustomerMessage, e.Options, e.Suggestions = "", "", nil, nil
	case claims:
		e.Retryable = claimed
		if claimed && e.Category == "" {
			e.Category = toolerr.CategoryTransient
		}
		if claimed && all.text(names.effect) == "" {
			e.Effect = "" // it states that a repeat is safe; the effect is not guessed
		}
	}
	if e.Partial = partialIn(m, flagged); e.Partial != nil {
		e.Retryable = false
	}
	return e
}

// messageIn returns what the report says in prose. A sentence under error comes
// first if the result is not flagged as a failure.
func messageIn(m map[string]any, own, all layers, flagged bool) string {
	message := own.text(names.message)
	if message == "" {
		message = all.text(names.innerMessage)
	}
	if s, ok := m["error"].(string); ok && !isCode(s) && (message == "" || message == m["message"] && !flagged) {
		message = s
	}
	if list, ok := m["errors"].([]any); ok && message == "" && len(list) > 0 {
		message, _ = list[0].(string)
	}
	return message
}

// codesIn returns the codes of a report, the most telling first.
func codesIn(m map[string]any, own layers) (codes []string) {
	if s, ok := m["error"].(string); ok && isCode(s) {
		codes = append(codes, s)
	}
	for _, layer := range own {
		for _, name := range names.code {
			s, ok := layer[name].(string)
			if ok && isCode(s) && !states()[strings.ToLower(s)] && (strings.HasSuffix(strings.ToLower(name), "code") || mayBeCode(s)) {
				codes = append(codes, s)
			}
		}
	}
	return codes
}

// statusIn returns the HTTP status of a report, or 0.
func statusIn(own layers) int {
	for _, name := range names.status {
		if n, ok := number(own.get(name)); ok && n >= 400 && n < 600 {
			return int(n)
		}
	}
	return 0
}

// claimIn returns what a report says itself about a retry, and whether it says
// anything. In what may be the request that was sent only a no counts.
func claimIn(own, all layers) (retryable, ok bool) {
	for _, name := range names.retryable {
		if v, is := flag(own.get(name)); is {
			return v, true
		}
		if v, is := flag(all.get(name)); is && !v {
			ok = true
		}
	}
	return false, ok
}

// classifyReport classifies by the codes, then by what the words mean, then by the
// status.
func classifyReport(codes []string, n int, message string, all layers) classify.Classification {
	for _, code := range codes {
		if !tradeWords()[strings.ToLower(code)] && word(code).Known() {
			return codeOrStatus(code, n)
		}
	}
	words := readText(message)
	byText := words.Classification
	if !byText.Known() {
		byText = readText(all.text(names.advice)).Classification
		byText.Retryable = false
	}
	byStatus := status(n)
	if !byStatus.Known() || isSpecific(byText) && byText.Category != byStatus.Category || forbids(byText) && byStatus.Retryable {
		return byText
	}
	byStatus.Retryable = byStatus.Retryable && !words.Forbids
	return byStatus
}

// tradeWords are codes of some library that elsewhere are words of the trade.
var tradeWords = set("accepted busy backend network transport circuit not_ready notready try_again tryagain aborted")

// states are what a status or type says that names no kind of failure.
var states = set("error failed failure fail ok success exception text object string")

// mayBeCode reports whether a status, type, reason or kind is a code and not a
// state of the server's own business: it forbids a retry, or is one of the words
// that only codes are.
func mayBeCode(s string) bool {
	c := word(s)
	return !c.Retryable || c.Code == string(toolerr.CodeRateLimited) || s == strings.ToUpper(s) || strings.HasPrefix(strings.ToLower(s), "overloaded")
}

// isCode reports whether s is a word to branch on rather than a sentence.
func isCode(s string) bool {
	if len(s) < 2 || len(s) > 80 || strings.ContainsAny(s, " \t\n:/") {
		return false
	}
	c := s[0] | 0x20 // in lower case
	return 'a' <= c && c <= 'z'
}
