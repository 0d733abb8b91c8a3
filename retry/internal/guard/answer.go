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

// outcome returns the outcome of a stopped call, whose hint is what to do instead, and the action.
func (r *remembered) outcome(tool string) (*result.Outcome, int) {
	e, action := r.err, r.action
	if e == nil {
		res := new(mcp.CallToolResult)
		out := result.Parse(res, json.Unmarshal(r.empty, res))
		return &out, action
	}
	instead := map[toolerr.Category]string{
		toolerr.CategoryValidation: "Call again with other arguments: " + cmp.Or(e.Hint, "correct what the message says."),
		toolerr.CategoryPermission: "A repeat does not grant access. Tell the user what is missing.",
	}[e.Category]
	const check = "Before calling again, check whether it took effect: look it up with another tool, by the same number " +
		"or name, or ask the user."
	switch keyed := e.WithIdempotencyKey(r.key); {
	case r.unresolved && r.key != "":
		e, instead = keyed, hints.Default(keyed, hint.AnyArgument)
		if r.answered && (r.times > 1 || !hints.IsDefault(keyed)) { // with the same key it gets the same answer
			instead = check + " If it is not there after a minute, send the same arguments with another key."
		}
	case r.unresolved, e.Effect == toolerr.EffectUnknown:
		instead = check
	case r.continues:
		instead = "It was done in part. Call again from partial.continueFrom of the last answer."
	case e.Effect == toolerr.EffectApplied, e.Category == toolerr.CategoryBusiness, hint.Fixes("", string(e.Code)):
		instead = cmp.Or(e.Hint, hints.Default(e, ""))
	}
	instead = cmp.Or(instead, "Go on without it, or tell the user that it does not work.")
	if r.stopped >= reportFrom && e.Effect != toolerr.EffectUnknown && e.Effect != toolerr.EffectApplied {
		if hint.Fixes(string(e.Category), string(e.Code)) {
			action = 0 // tell the user
		}
		instead = fmt.Sprintf("Stop. This call of %s will not be sent, however often you make it. Tell the user now what "+
			"you could not do, and why.", sanitize.Name(tool))
	}
	e = e.WithMessage("This exact call has failed before, and was not sent again. The last answer was: " + e.Error()).
		WithHint(instead).WithCause(hints.ErrStopped)
	return &result.Outcome{Kind: result.KindFailure, Err: e}, action
}

// advice returns the hint of a failure that should be reported rather than retried, or after which
// the user should be asked, otherwise "". Now is what is remembered about the call, or nil, and
// refused how many of the tool's calls with different arguments were refused in a row.
func (c *Call) advice(now *remembered, refused int) string {
	if now != nil && now.times >= reportFrom && (now.temporary || now.key != "") {
		isOpen, instead := now.unresolved || now.err.Effect == toolerr.EffectUnknown, "tell"
		if isOpen {
			instead = "check whether it took effect, or tell"
		}
		if isOpen || !hint.Fixes(string(now.err.Category), string(now.err.Code)) { // else the call can be changed
			return fmt.Sprintf("This exact call has failed %d times. Do not make it again for now: "+
				"%s the user what you could not do, and why.", now.times, instead)
		}
	}
	if refused >= askFrom {
		return fmt.Sprintf("Stop guessing: %d calls of %s with different arguments were refused. Ask the user for the "+
			"right ones before you call it again.", refused, sanitize.Name(c.of.Params.Name))
	}
	return ""
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
	_ = short.UnmarshalJSON(c.AppendJSON(nil)) // an envelope
	if e.Hint == "" || e.Retryable && hints.IsDefault(e) {
		short.Hint = ""
	}
	short.Retryable = false
	return short
}
