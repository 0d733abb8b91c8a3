package guard

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/hints"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// outcome returns the outcome of a stopped call.
func (r *remembered) outcome(tool string) result.Outcome {
	if r.err == nil {
		res := new(mcp.CallToolResult)
		return result.Parse(res, json.Unmarshal(r.empty, res))
	}
	return result.Outcome{Kind: result.KindFailure, Err: repeated(tool, r)}
}

// repeated returns the failure of a stopped call.
func repeated(tool string, known *remembered) *toolerr.Error {
	e := known.err
	instead := map[toolerr.Category]string{
		toolerr.CategoryValidation: "Call again with other arguments: " + cmp.Or(e.Hint, "correct what the message says."),
		toolerr.CategoryBusiness:   cmp.Or(e.Hint, "Explain it to the user, or hand over to a person."),
		toolerr.CategoryPermission: "A repeat does not grant access. Tell the user what is missing.",
	}[e.Category]
	switch {
	case known.unresolved && known.key != "":
		e = e.WithIdempotencyKey(known.key)
		instead = hints.Default(e.WithEffect(toolerr.EffectUnknown), hint.AnyArgument)
	case known.unresolved:
		instead = "Before calling again, check whether it took effect: look it up with another tool, by the same number or name, or ask the user."
	case known.held:
		instead = cmp.Or(e.Hint, "Tell the user what was done and what was not: the call took effect although it failed.")
	}
	instead = cmp.Or(instead, "Go on without it, or tell the user that it does not work.")
	return e.WithMessage("This exact call has failed before, and was not sent again. The first answer was: " + e.Error()).
		WithHint(firmer(tool, instead, known)).WithCause(hints.ErrStopped)
}

// firmer returns the hint for a stopped call: what to do instead or, from the third stop on and if
// its effect is known, to stop.
func firmer(tool, instead string, known *remembered) string {
	switch {
	case known.stopped == 1:
		return instead
	case known.stopped == 2 || known.unresolved:
		return "This call was stopped before, and is not sent as it is. " + instead
	}
	return fmt.Sprintf("Stop. This call of %s will not be sent, however often you make it. Tell the user now what you could not do, and why.", sanitize.Name(tool))
}

// Reported returns e, the nth temporary failure of a call, with a hint not to make the call again,
// followed by the author's hint, if any.
func Reported(e *toolerr.Error, n int) *toolerr.Error {
	hint := fmt.Sprintf("This exact call has failed %d times. Do not make it again for now: tell the user what you could not do, and why.", n)
	if !hints.IsDefault(e) {
		hint += " The tool says: " + e.Hint
	}
	return e.WithHint(hint)
}

// maxBrief is the maximum size of a remembered answer, in bytes. Envelopes have the same limit.
const maxBrief = 8 << 10

// emptyAnswer returns the JSON of an empty answer, reduced to its text if it is large.
func emptyAnswer(o result.Outcome) []byte {
	raw, err := jsonvalue.Marshal(o.Result)
	if err != nil || len(raw) > maxBrief {
		raw, _ = jsonvalue.Marshal(result.Empty(sanitize.Text(o.Text(), maxBrief/2), nil))
	}
	return raw
}

// brief returns the copy of e to remember, which is no larger than an envelope may be.
func brief(e *toolerr.Error) *toolerr.Error {
	c := *e
	c.Attempted, c.Partial, c.IdempotencyKey = nil, nil, ""
	short := new(toolerr.Error)
	if err := short.UnmarshalJSON(c.AppendJSON(nil)); err != nil { // never: it is an envelope
		return &toolerr.Error{Effect: toolerr.EffectUnknown}
	}
	if e.Hint == "" {
		short.Hint = ""
	}
	short.Retryable = false
	return short
}
