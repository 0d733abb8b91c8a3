package foreign

import (
	"cmp"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// report reads an object that reports a failure, in a failed result or a protocol error.
func (r reader) report(m map[string]any) *toolerr.Error {
	own, all := layersOf(m)
	e := r.kind(m, own, all)
	if d, ok := all.delay(); ok {
		e.RetryAfter = d
	}
	fill(e, all)
	if recovery, ok := all.get("recovery").(map[string]any); ok && e.Hint == "" {
		e.Hint = layers{recovery}.prose(spelling.Hint[:1])
	}
	e.Field, e.Suggestions = all.identifier(spelling.Field), all.suggestions()
	hasEffect := all.text(spelling.Effect) != ""
	if hasEffect {
		if e.Effect = toolerr.Effect(all.identifier(spelling.Effect)); e.Effect == "" {
			e.Effect = toolerr.EffectUnknown
		}
	}
	if claimed, claims := claimIn(own, all); claims {
		mayMeanOthers := e.Category != "" && e.Category != toolerr.CategoryTransient && own.get("isRetryable", "is_retryable") == nil
		e.Retryable = claimed && !mayMeanOthers // with other arguments, or after something else
		if claimed && e.Category == "" {
			e.Category = toolerr.CategoryTransient
		}
		if claimed && !hasEffect {
			e.Effect = "" // the report allows a retry, and the effect is not guessed
		}
	}
	if e.Partial = partialIn(m, true); e.Partial != nil {
		e.Retryable = false
	}
	return e
}

// kind returns the category, code and message of a report, and what they say about a retry.
func (r reader) kind(m map[string]any, own, all layers) *toolerr.Error {
	message, codes := messageIn(m, own, all), codesIn(m, own)
	e := newError(r.classify(codes, statusIn(own), message, all), message)
	switch c := toolerr.Category(strings.ToLower(own.text(spelling.Category))); c {
	case toolerr.CategoryTransient, toolerr.CategoryValidation, toolerr.CategoryBusiness, toolerr.CategoryPermission:
		e.Retryable = e.Retryable && c == toolerr.CategoryTransient
		e.Category = c
	}
	if len(codes) > 0 {
		e.Code = toolerr.Code(codes[0])
	}
	return e
}

// messageIn returns the message of a report.
func messageIn(m map[string]any, own, all layers) string {
	message := own.text(spelling.Message)
	message = cmp.Or(message, all.text(spelling.InnerMessage))
	if s, ok := m["error"].(string); ok && !isCode(s) && message == "" {
		message = s
	}
	return message
}

// codesIn returns the codes of a report, the most specific first.
func codesIn(m map[string]any, own layers) (codes []string) {
	if s, ok := m["error"].(string); ok && isCode(s) {
		codes = append(codes, s)
	}
	for _, layer := range own {
		for _, name := range spelling.Code {
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
	for _, name := range spelling.Status {
		if n, ok := number(own.get(name)); ok && n >= 400 && n < 600 {
			return int(n)
		}
	}
	return 0
}

// claimIn reports whether a report allows a retry, and whether it says anything about retries.
// Layers that may repeat the request can only forbid a retry.
func claimIn(own, all layers) (retryable, ok bool) {
	for _, name := range spelling.Retryable {
		if v, is := flag(own.get(name)); is {
			return v, true
		}
		if v, is := flag(all.get(name)); is && !v {
			ok = true
		}
	}
	return false, ok
}

// classify classifies by the codes, then by the HTTP status, then by the message, which takes
// precedence over the status if it is more specific or forbids a retry.
func (r reader) classify(codes []string, n int, message string, all layers) classify.Classification {
	for _, code := range codes {
		if (!r.prose || !businessWords()[strings.ToLower(code)]) && informative(classify.Word(code)).Known() {
			return informative(classify.Code(code, n)) // the status may refine it
		}
	}
	words := r.text(message)
	byText := words.Classification
	if !byText.Known() {
		byText = r.text(all.text(spelling.Advice)).Classification
		byText.Retryable = false
	}
	byStatus := informative(classify.HTTPStatus(n, nil, "", time.Time{}))
	specific := byText.Category == string(toolerr.CategoryBusiness) || byText.Code == string(toolerr.CodeRateLimited)
	if !byStatus.Known() || specific && byText.Category != byStatus.Category || forbids(byText) && byStatus.Retryable {
		return byText
	}
	byStatus.Retryable = byStatus.Retryable && !words.Forbids
	return byStatus
}

// informative returns c, or the zero value if c only says that something failed. The effect is
// never none: words may concern something else, and a proxy may have made up the status.
func informative(c classify.Classification) classify.Classification {
	if c.Code == string(toolerr.CodeInternal) {
		return classify.Classification{}
	}
	if c.Effect == string(toolerr.EffectNone) {
		c.Effect = ""
	}
	if c.Retryable {
		c.Effect = string(toolerr.EffectUnknown)
	}
	return c
}

// forbids reports whether a classification rules out a retry.
func forbids(c classify.Classification) bool {
	return c.Category != "" && c.Category != string(toolerr.CategoryTransient)
}

// newError turns a classification into an envelope.
func newError(c classify.Classification, message string) *toolerr.Error {
	return &toolerr.Error{
		Category: toolerr.Category(c.Category), Code: toolerr.Code(c.Code), Message: message,
		Retryable: c.Retryable, RetryAfter: c.After, Effect: toolerr.Effect(c.Effect),
	}
}

var (
	// businessWords lists codes of some libraries that are ordinary words in other programs.
	businessWords = set("accepted busy backend network transport circuit not_ready notready try_again tryagain aborted")
	// states lists values of a status or type that do not name a kind of failure.
	states = set("error failed failure fail ok success exception text object string")
)

// mayBeCode reports whether a status, type, reason or kind may be a code rather than the state of a
// business object: it allows no retry, or is a word used only as a code.
func mayBeCode(s string) bool {
	c := informative(classify.Word(s))
	return !c.Retryable || c.Code == string(toolerr.CodeRateLimited) || s == strings.ToUpper(s) || strings.HasPrefix(strings.ToLower(s), "overloaded")
}

// isCode reports whether s is an identifier rather than a sentence.
func isCode(s string) bool {
	if len(s) < 2 || len(s) > 80 || strings.ContainsAny(s, " \t\n:/") {
		return false
	}
	c := s[0] | 0x20 // in lower case
	return 'a' <= c && c <= 'z'
}
