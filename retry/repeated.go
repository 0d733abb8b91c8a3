package retry

import (
	"cmp"
	"fmt"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// repeated returns the failure of a call that the guard stopped.
func repeated(tool string, known *guarded) *toolerr.Error {
	e := known.err
	if e == nil {
		e = toolerr.Validation(fmt.Sprintf("This exact call of %s found nothing %d times. It was not sent again.", tool, known.times)).
			WithCode("repeated_call")
		instead := "Search for something else, or take it that there is nothing and go on."
		return e.WithEffect(toolerr.EffectNone).WithHint(firmer(tool, instead, known.stopped))
	}
	instead := map[toolerr.Category]string{
		toolerr.CategoryValidation: "Call again with other arguments: " + cmp.Or(e.Hint, "correct what the message says."),
		toolerr.CategoryBusiness:   "Do what the first answer said: " + cmp.Or(e.Hint, "explain it to the user, or hand over to a person."),
		toolerr.CategoryPermission: "Access does not come by asking again. Tell the user what is missing.",
	}[e.Category]
	if known.unsettled {
		instead = "Find out first whether it took effect, with another tool or by asking the user."
	}
	instead = cmp.Or(instead, "Go on without it, or tell the user that it does not work.")
	return e.WithMessage("This exact call has failed before, and was not sent again. The first answer was: " + e.Error()).
		WithHint(firmer(tool, instead, known.stopped))
}

// firmer returns the hint at the nth stop.
func firmer(tool, instead string, n int) string {
	switch n {
	case 1:
		return instead
	case 2:
		return "You have been told already. Do not make this call again. " + instead
	}
	return fmt.Sprintf("Stop. This call of %s will not be sent, however often you make it. Tell the user now what you could not do, and why.", tool)
}

// The bounds of what a guard remembers of a failure. Chosen as those of an envelope.
const (
	maxBrief = 8 << 10
	maxItems = 20
)

// brief returns a copy of e for the guard to remember, with at most maxBrief bytes.
func brief(e *toolerr.Error) *toolerr.Error {
	left := maxBrief
	fits := func(n int) bool {
		left -= n
		return left >= 0
	}
	identifier := func(s string) string {
		if s = sanitize.Identifier(s); fits(len(s)) {
			return s
		}
		return ""
	}
	text := func(s string) string {
		if s = sanitize.Text(s, sanitize.MaxLength); fits(len(s)) {
			return s
		}
		return ""
	}
	short := &toolerr.Error{
		Category: toolerr.Category(identifier(string(e.Category))),
		Code:     toolerr.Code(identifier(string(e.Code))),
		Effect:   toolerr.Effect(identifier(string(e.Effect))),
		Field:    identifier(e.Field),
	}
	if short.Effect != e.Effect {
		short.Effect = toolerr.EffectUnknown
	}
	short.Message, short.Hint, short.CustomerMessage = text(e.Error()), text(e.Hint), text(e.CustomerMessage)
	short.Suggestions, short.Options, short.Alternatives = few(e.Suggestions, fits), few(e.Options, fits), few(e.Alternatives, fits)
	return short
}

// few returns the items of a list that an envelope holds and that fit.
func few[T any](list []T, fits func(int) bool) (kept []T) {
	defer func() { _ = recover() }() // a MarshalJSON method may panic
	for _, item := range list[:min(len(list), maxItems)] {
		if raw, err := jsonvalue.Marshal(item); err == nil && fits(len(raw)) {
			kept = append(kept, item)
		}
	}
	return kept
}
