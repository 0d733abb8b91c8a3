package retry

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/hints"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// outcome returns the outcome of a call that the guard has stopped.
func (g *guarded) outcome(tool string) result.Outcome {
	if g.err == nil {
		return g.empty.outcome()
	}
	return result.Outcome{Kind: result.KindFailure, Err: repeated(tool, g)}
}

// repeated returns the failure of a call that the guard has stopped.
func repeated(tool string, known *guarded) *toolerr.Error {
	e := known.err
	instead := map[toolerr.Category]string{
		toolerr.CategoryValidation: "Call again with other arguments: " + cmp.Or(e.Hint, "correct what the message says."),
		toolerr.CategoryBusiness:   "Do what the first answer said: " + cmp.Or(e.Hint, "explain it to the user, or hand over to a person."),
		toolerr.CategoryPermission: "Access does not come by asking again. Tell the user what is missing.",
	}[e.Category]
	switch {
	case known.unresolved && known.key != "":
		e = e.WithIdempotencyKey(known.key)
		instead = "It may have taken effect. If you call again, pass this idempotencyKey back as the tool's key argument, and no other."
	case known.unresolved:
		instead = "Find out first whether it took effect: look it up with another tool, by the same number or name, or ask the user."
	case known.held:
		instead = cmp.Or(e.Hint, "It has taken effect although it failed. Tell the user what was done and what was not.")
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
	return fmt.Sprintf("Stop. This call of %s will not be sent, however often you make it. Tell the user now what you could not do, and why.", sanitize.Name(tool))
}

// reported returns the failure of a call that has failed n times, each time with a
// failure that may pass: the hint is not to retry any more. An author's hint stays
// behind ours.
func reported(e *toolerr.Error, n int) *toolerr.Error {
	hint := fmt.Sprintf("This exact call has failed %d times. Do not make it again for now: tell the user what you could not do, and why.", n)
	if !hints.IsDefault(e) {
		hint += " The tool says: " + e.Hint
	}
	return e.WithHint(hint)
}

// The bounds of what a guard remembers of an answer, in bytes and items. Those of a
// failure are chosen as those of an envelope.
const (
	maxBrief = 8 << 10
	maxItems = 20
	maxKey   = 255 // as long as a key may be for Stripe, and for package idempotency
)

// An emptyAnswer is what is remembered of an answer that found nothing.
type emptyAnswer struct {
	text       string
	structured json.RawMessage // nil if there is none, or too much
}

func newEmptyAnswer(o result.Outcome) emptyAnswer {
	a := emptyAnswer{text: o.Text()}
	if len(a.text) > maxBrief/2 {
		a.text = sanitize.Text(a.text, maxBrief/2)
	}
	if o.Result == nil || o.Result.StructuredContent == nil {
		return a
	}
	if raw, err := jsonvalue.Marshal(o.Result.StructuredContent); err == nil && len(raw) <= maxBrief/2 {
		a.structured = raw
	}
	return a
}

// outcome returns the answer once more, with a result of its own.
func (a emptyAnswer) outcome() result.Outcome {
	res := result.Empty(a.text, nil)
	var value any
	if json.Unmarshal(a.structured, &value) == nil { // as the SDK's client decodes it
		res.StructuredContent = value
	}
	return result.Parse(res, nil)
}

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
	if first, ok := e.Details["first"].(string); ok && e.Code == toolerr.CodeFailedPrecondition {
		if first = identifier(first); first != "" {
			short.Details = map[string]any{"first": first}
		}
	}
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
