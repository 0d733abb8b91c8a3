package result

import (
	"regexp"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// readSteps sets a neutral hint if the message itself states the next step ("use
// branch_unprotect first"), because the default hint of the code may contradict it. Failures
// that are retryable, or that may have had an effect, keep their hints. It changes e.
func (f *failedCall) readSteps(e *toolerr.Error) {
	if e.Hint != "" || e.Category == "" || e.Retryable || e.Partial != nil || e.Effect == toolerr.EffectUnknown || e.Effect == toolerr.EffectApplied {
		return
	}
	if e.Message == hint.Sentence(string(e.Code)) {
		return
	}
	text := e.Message[:min(len(e.Message), maxWords)]
	if steps().MatchString(text) || f.namesTool(text) {
		e.Hint = hint.Steps
	}
}

// statement returns the part of a text before the next step, or the whole text. The arguments
// at fault are named in that part.
func statement(text string) string {
	if at := steps().FindStringIndex(text); at != nil && strings.TrimSpace(text[:at[0]]) != "" {
		return text[:at[0]]
	}
	return text
}

// namesTool reports whether a text names another tool of the server, by a name that is not an
// ordinary word.
func (f *failedCall) namesTool(text string) bool {
	listed := f.tools.listed()
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isNameRune(r) }) {
		if word = strings.Trim(word, "-."); isCoined(word) && word != f.name && listed[word].Tool != nil {
			return true
		}
	}
	return false
}

// isNameRune reports whether a rune may be part of a tool's name.
func isNameRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.'
}

// steps matches an imperative at the beginning of a clause, and phrases that introduce one.
var steps = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[.:;!?()\n\x{2014}] *|[-*\x{2022}] |, |\bor |\band |\bplease )(?:use|try|call|run|check|verify|ensure|make sure|provide|specify|set|add|remove|choose|pick|` +
		`consider|create|enable|install|ask|contact|go to|visit|see|open|start|stop|unlock|wait|pass|omit|read|look up|search|first) [\w\x60'"]|` +
		`\b(?:suggestions?|next steps?|hints?|tips?|to fix this|to resolve this):|\binstead\b`)
})
