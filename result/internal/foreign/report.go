package foreign

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// report reads an object that reports a failure, in a failed result or a protocol error.
func (r reader) report(m map[string]any) *toolerr.Error {
	c := answers.Read(answerIn(m))
	e := r.kind(c)
	r.addClaims(e, c)
	if p := partialIn(m, true); p != nil && (p.Processed > 0 || p.ContinueFrom != nil || p.Results != nil) {
		e.Partial, e.Retryable = p, false
	} else if c.Text(spelling.Traces) != "" {
		e.Effect, e.Retryable = cmp.Or(e.Effect, toolerr.EffectUnknown), false
	}
	return e
}

// kind returns the category, code and message that claims amount to, and whether a repeat may
// succeed. Only the envelope's own members, a category beside isRetryable, promise that it is safe.
func (r reader) kind(c *answers.Claims) *toolerr.Error {
	e := newError(r.classify(c), c.Message())
	if about := c.Text(spelling.ErrorText); sdktext.IsOutput(about) && about != e.Message {
		e.Message = about + ": " + e.Message
	}
	e.Category = cmp.Or(categoryOf(c), e.Category)
	e.Retryable = e.Retryable && e.Category == toolerr.CategoryTransient
	isApart := e.Code == toolerr.CodeAlreadyExists || e.Code == toolerr.CodeConflict || e.Code == toolerr.CodeCanceled
	if code := c.Text(spelling.Code); code != "" && (!r.prose || !isApart) { // else the next step is not the category's
		e.Code = toolerr.Code(code)
	}
	return e
}

// categoryOf returns the category if it is one of the envelope's, or "".
func categoryOf(c *answers.Claims) toolerr.Category {
	category := strings.ToLower(c.Text(spelling.Category))
	if !slices.Contains(class.Categories, category) {
		return ""
	}
	return toolerr.Category(category)
}

// addClaims sets the members of e that do not classify the failure, where they are missing, and what
// the flag means.
func (r reader) addClaims(e *toolerr.Error, c *answers.Claims) {
	addMissing(e, c)
	stated := toolerr.Effect(sanitize.Identifier(c.Text(spelling.Effect)))
	if c.Text(spelling.Effect) != "" {
		stated = cmp.Or(stated, toolerr.EffectUnknown)
	}
	e.Effect = cmp.Or(stated, e.Effect)
	e.Retryable = e.Retryable && e.Effect != toolerr.EffectApplied
	allows, states := c.Flag()
	if !states {
		return
	}
	// with other arguments, or after something else
	mayMeanOthers := slices.Contains(class.Categories[1:], string(e.Category))
	e.Retryable = allows && (c.Own || !mayMeanOthers && !r.forbids(c)) && e.Effect != toolerr.EffectApplied
	switch {
	case !allows:
		return
	case stated != "":
	case c.Own: // it says that a repeat is safe
		e.Effect = ""
	case e.Retryable && isLimitOrDial(c):
		e.Effect = toolerr.EffectNone
	case e.Retryable: // that the cause is temporary does not make a repeat safe
		e.Effect = toolerr.EffectUnknown
	}
	e.Category = cmp.Or(e.Category, toolerr.CategoryTransient)
}

// isLimitOrDial reports whether the code or the status says that the request was refused before it was
// carried out: by a rate limit, or by a host that took no connection.
func isLimitOrDial(c *answers.Claims) bool {
	code, isAlone := c.Alone()
	isDial := slices.Contains([]string{"econnrefused", "connectionrefused", "connectrefused"}, spelling.Fold(code))
	return isAlone && (isDial || classify.Code(code, c.Status()).Code == string(toolerr.CodeRateLimited))
}

// addMissing sets members of e that neither classify the failure nor decide about a retry.
func addMissing(e *toolerr.Error, c *answers.Claims) {
	const maxList, maxOptions = 20, 8 << 10 // items of a list, and bytes of all options: the limits of an envelope
	prose := func(s string) string { return sanitize.Text(s, sanitize.MaxLength) }
	e.RetryAfter = cmp.Or(e.RetryAfter, c.After)
	e.Hint = cmp.Or(e.Hint, prose(c.Text(spelling.Hint)))
	e.CustomerMessage = cmp.Or(e.CustomerMessage, prose(c.Text(spelling.CustomerMessage)))
	e.CorrelationID = cmp.Or(e.CorrelationID, sanitize.Identifier(c.Text(spelling.CorrelationID)))
	e.IdempotencyKey = cmp.Or(e.IdempotencyKey, sanitize.Identifier(c.Text(spelling.IdempotencyKey)))
	if e.Category != toolerr.CategoryTransient { // no argument is at fault: the name may be that of a file
		e.Field = cmp.Or(e.Field, sanitize.Identifier(c.Text(spelling.Field)))
	}
	if len(e.Suggestions) == 0 {
		for _, v := range c.List(spelling.Suggestions) {
			if s, ok := v.(string); ok && len(e.Suggestions) < maxList {
				e.Suggestions = append(e.Suggestions, prose(s))
			}
		}
	}
	var options []any
	for _, v := range c.List(spelling.Options)[:min(len(c.List(spelling.Options)), maxList)] {
		if s, ok := v.(string); ok {
			v = prose(s)
		}
		options = append(options, v)
	}
	if raw, err := jsonvalue.Marshal(options); err == nil && len(raw) <= maxOptions && len(e.Options) == 0 {
		e.Options = options
	}
}

// classify classifies by the codes, unless the status says more than a vague one, then by the HTTP status, then by the
// message. A limit in the message takes
// precedence over a code that only says invalid, and over the status, as a state of business and a refusal do.
func (r reader) classify(c *answers.Claims) classify.Classification {
	code := c.Word(r.prose)
	if categoryOf(c) == "" && !coded(code, 0).Known() {
		code = c.Text(spelling.Category) // permission_denied, for example
	}
	words, said := r.text(c.Message()), coded(code, 0)
	isVague := said.Code == string(toolerr.CodeInvalidArgument) // of services that refuse everything with it
	isLimit := words.Code == string(toolerr.CodeRateLimited) || words.Code == string(toolerr.CodeLimitExceeded)
	if said.Known() && (!isVague || !isLimit) {
		said = coded(code, c.Status()) // the status may refine it
	} else {
		said = coded("", c.Status())
		sure := isLimit || words.Category == string(toolerr.CategoryBusiness) &&
			said.Code != string(toolerr.CodeUnauthenticated)
		if !said.Known() || sure && words.Category != said.Category || said.Retryable && words.Known() && words.Forbids {
			said = words.Classification
		}
	}
	if !said.Known() {
		said = coded(c.RPCCode(), 0)
	}
	if said.Retryable = said.Retryable && !c.IsPlan && !r.forbids(c); said.Retryable {
		said.After = cmp.Or(c.After, words.After)
	}
	return said
}

// forbids reports whether the sender's message or advice rules out a repeat: do not retry.
func (r reader) forbids(c *answers.Claims) bool {
	return r.text(c.Message()).Forbids || r.text(c.Text(spelling.Hint)).Forbids || r.text(c.Beside()).Forbids
}

// coded classifies a code, or "", and an HTTP status, or 0. It returns the zero value if they only say that
// something failed. The effect is never none: words may concern something else, and a proxy may have made up
// the status.
func coded(code string, status int) classify.Classification {
	c := classify.Code(code, status)
	if c.Code == string(toolerr.CodeInternal) {
		return classify.Classification{}
	}
	c.Effect = map[bool]string{true: class.EffectUnknown}[c.Retryable || c.Effect == class.EffectUnknown]
	return c
}

// newError turns a classification into an envelope.
func newError(c classify.Classification, message string) *toolerr.Error {
	return &toolerr.Error{
		Category: toolerr.Category(c.Category), Code: toolerr.Code(c.Code), Message: message,
		Retryable: c.Retryable, RetryAfter: c.After, Effect: toolerr.Effect(c.Effect),
	}
}
