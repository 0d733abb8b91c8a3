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
		toolerr.CategoryBusiness:   cmp.Or(e.Hint, hints.Default(e, "")),
		toolerr.CategoryPermission: "A repeat does not grant access. Tell the user what is missing.",
	}[e.Category]
	const check = "Before calling again, check whether it took effect: look it up with another tool, by the same number or name, or ask the user."
	switch keyed := e.WithIdempotencyKey(known.key); {
	case known.unresolved && known.key != "" && (known.times > 1 || !hints.IsDefault(keyed)): // with the same key it gets the same answer
		e, instead = keyed, check+" If not, send the same arguments with another key."
	case known.unresolved && known.key != "":
		e, instead = keyed, hints.Default(keyed, hint.AnyArgument)
	case known.unresolved, e.Effect == toolerr.EffectUnknown:
		instead = check
	case known.continues:
		instead = "It was done in part. Call again from partial.continueFrom of the first answer."
	case known.held, e.Effect == toolerr.EffectApplied:
		instead = cmp.Or(e.Hint, "Look up what was done, and tell the user: the call took effect although it failed.")
	case hint.Fixes("", string(e.Code)):
		instead = cmp.Or(e.Hint, hint.Code(string(e.Code)))
	}
	instead = cmp.Or(instead, "Go on without it, or tell the user that it does not work.")
	return e.WithMessage("This exact call has failed before, and was not sent again. The first answer was: " + e.Error()).
		WithHint(firmer(tool, instead, known)).WithCause(hints.ErrStopped)
}

// isFutile reports whether the hint for the stopped call is to stop.
func (r *remembered) isFutile() bool {
	return r.stopped > 2 && r.err != nil && !r.held && r.err.Effect != toolerr.EffectUnknown && r.err.Effect != toolerr.EffectApplied
}

// firmer returns the hint for a stopped call: what to do instead or, from the third stop on and if
// its effect is known, to stop.
func firmer(tool, instead string, known *remembered) string {
	switch {
	case known.stopped == 1:
		return instead
	case !known.isFutile():
		return "This call was stopped before, and is not sent as it is. " + instead
	}
	return fmt.Sprintf("Stop. This call of %s will not be sent, however often you make it. Tell the user now what you could not do, and why.", sanitize.Name(tool))
}

// reportHint is the hint of the last of several temporary failures of a call, or "" if the call can
// be changed.
func (r *remembered) reportHint() string {
	instead := "tell"
	switch {
	case r.unresolved || r.err.Effect == toolerr.EffectUnknown:
		instead = "check whether it took effect, or tell"
	case hint.Fixes(string(r.err.Category), string(r.err.Code)):
		return ""
	}
	return fmt.Sprintf("This exact call has failed %d times. Do not make it again for now: %s the user what you could not do, and why.", r.times, instead)
}

// askHint is the hint of a tool's nth refusal in a row, of different arguments.
func askHint(tool string, n int) string {
	return fmt.Sprintf("Stop guessing: %d calls of %s with different arguments were refused. Ask the user for the right ones before you call it again.", n, sanitize.Name(tool))
}

// Reported returns e with a hint of [Call.Report], followed by the author's hint, if any.
func Reported(e *toolerr.Error, advice string) *toolerr.Error {
	if !hints.IsDefault(e) {
		advice += " The tool says: " + e.Hint
	}
	return e.WithHint(advice)
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
	if e.Hint == "" || e.Retryable && hints.IsDefault(e) {
		short.Hint = ""
	}
	short.Retryable = false
	return short
}
