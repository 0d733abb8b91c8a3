package retry

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/attempt"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/guard"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/hints"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/session"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// CallTool calls a tool until it succeeds or the policy gives up, and returns the last outcome and
// the decision about it. Each attempt gets a copy of params with its number and the call's
// identifier in _meta. On a session of [Client.AsSession] the call is the client's own: each field
// that p sets, but for IdleTimeout, replaces that of its policy.
//
// To a keyed tool all attempts carry the same key: the one in the arguments, that of an identical
// call in doubt (not without a Client or Guard), that of Policy.Key, or 128 random
// bits. A look-up that finds nothing ends the doubt: one made before the service has finished lets
// the call be done twice. Every failure contains it, but a rejection without effect and a partial result that can be
// continued. If the arguments are no JSON object, or their key no string, the safety is unknown.
//
// A final failure is not retryable. It lists the attempts, with secrets in scalar arguments masked,
// if there were several, if the last was retryable, or after propagate and verify; a wait that the
// server asked for is then in details, as retryAfterMs. Its effect is the worst of any attempt:
// applied, unknown, not stated (with verify, unknown), none.
//
// CallTool does not wait for an attempt that would start after the deadline. If the context ends, it
// returns at once, unless your own session blocks; the failure matches the context's error too.
// A call with InputResponses is not repeated. A nil session or a panic of a *[mcp.ClientSession] is a
// failure; nil params are empty. CallTool is as safe for concurrent use as the session.
func CallTool(ctx context.Context, p Policy, session Session, params *mcp.CallToolParams) (result.Outcome, Decision) {
	if below, ok := session.(clientSession); ok {
		return below.call(ctx, p.over(below.policy()), params)
	}
	of := guard.Identity{Server: session, Params: cmp.Or(params, new(mcp.CallToolParams))}
	c := attempts{loop: newLoop(ctx, p), of: of, sender: sessionSender{session}}
	return c.run()
}

func (c *attempts) run() (result.Outcome, Decision) {
	params := c.of.Params
	c.state.tool, c.requestState = params.Name, params.RequestState
	c.state.Asked = len(params.InputResponses) > 0
	c.of.KeyArgument = c.policy.KeyArgument
	guarded := (*guard.Guard)(c.policy.Guard).Begin(c.ctx, &c.of)
	defer guarded.End()
	if guarded.Stopped != nil {
		d := Decision{Action: Action(guarded.Action), Reason: ReasonRepeatedCall, Tool: params.Name}
		c.report(*guarded.Stopped, d)
		return *guarded.Stopped, d
	}
	kept := c.kept.Keep(&c.of)
	c.started, c.heldKey = time.Now(), cmp.Or(guarded.Key, kept.Key)
	c.object, c.given, c.takesKey = keyIn(params.Arguments, c.of.KeyArgument)
	// until the tool's safety is looked up
	if c.since = c.kept.Since(cmp.Or(c.given, c.heldKey)); !c.since.IsZero() {
		c.state.Safety = cmp.Or(c.state.Safety, SafetyKeyed)
	}
	if c.since = cmp.Or(c.since, guarded.Since); !c.since.IsZero() {
		c.state.past = toolerr.EffectUnknown
	}
	for {
		out := c.attempt()
		if isShed(out) {
			c.requestState = out.Result.RequestState
			out.Kind, out.Err = result.KindFailure, errBusy
		}
		c.state.noResult, c.state.unanswered = out.Result == nil, !session.IsAnswer(out)
		key := c.key // for the model's guard: the server does nothing twice with it
		if out.Err != nil && errors.Is(out.Err, errKeyRefused) {
			key = "" // the new server does not know it
		} else if out.Err != nil {
			key = cmp.Or(key, out.Err.IdempotencyKey)
			out.Err = c.withIdempotencyKey(out.Err)
		}
		d := c.next(out)
		if d.Action == ActionRetry {
			continue
		}
		ending := c.ending(out, d, key)
		hint := guarded.Report(ending)
		ending.Key = cmp.Or(c.key, c.given) // which an identical call without one gets
		_ = kept.Report(ending)
		if out.Err != nil {
			out.Err = c.final(out.Err, d, toolerr.Attempt{Tool: params.Name, Arguments: redact.Arguments(params.Arguments)})
			if ended := contextError(c.ctx); ended != nil {
				out.Err = out.Err.WithCause(errors.Join(out.Err.Unwrap(), ended))
			}
		}
		if hint != "" {
			if !hints.IsDefault(out.Err) {
				hint += " The tool says: " + out.Err.Hint
			}
			out.Err = out.Err.WithHint(hint)
		}
		// the key of a first part is new to Resume if it was created here
		if first, _ := c.ctx.Value(chainKey{}).(*chain); first != nil && first.key == "" && first.tool == params.Name {
			first.argument, first.key = c.of.KeyArgument, cmp.Or(c.key, c.given)
		}
		return out, d
	}
}

// ending describes for the guard how a call ended. If key is not empty, a repeat with it is safe.
func (c *attempts) ending(out result.Outcome, d Decision, key string) guard.Ending {
	end := guard.Ending{
		Outcome: out, Action: int(d.Action), Sent: !c.firstSent.IsZero(), Key: key, OwnKey: c.key != "",
		Since:    cmp.Or(c.since, c.firstSent),
		ReadOnly: c.state.Safety == SafetyReadOnly, Idempotent: c.state.Safety == SafetyIdempotent,
	}
	if e := out.Err; e != nil {
		whole, _ := overall(e, &c.state)
		end.Outcome.Err = e.WithEffect(whole)
		handedUp := len(e.Attempted) > 0 && e.Category == toolerr.CategoryTransient && e.Code != toolerr.CodeInternal
		end.Unresolved, end.Temporary = mayHaveTakenEffect(e, whole), handedUp || isTemporary(e, &c.state)
	}
	return end
}

// withIdempotencyKey returns e with the key of its call, unless e has a key or the call was
// refused. The call that continues a partial result needs another key.
func (c *attempts) withIdempotencyKey(e *toolerr.Error) *toolerr.Error {
	key := cmp.Or(c.key, c.given)
	refused := !e.Retryable && e.Effect == toolerr.EffectNone && e.Category != toolerr.CategoryTransient &&
		!c.state.unsettled()
	if key == "" || refused || e.IdempotencyKey != "" || e.Partial != nil && e.Partial.ContinueFrom != nil {
		return e
	}
	return e.WithIdempotencyKey(key)
}

// attempts holds the state shared by the attempts of one call.
type attempts struct {
	loop

	sender       sender
	of           guard.Identity // with the caller's params, which are never changed
	heldKey      string         // of an identical call that may have taken effect, or ""
	object       map[string]any // the params' arguments, if they are an object
	given        string         // the key in object
	takesKey     bool           // object has or may get a key
	key          string         // the key that the attempts carry
	firstSent    time.Time
	kept         *guard.Guard // the calls that may have taken effect, and their keys, or nil
	since        time.Time    // since when the call may have taken effect, according to kept or the guard
	requestState string
	id           string // the same for all attempts
}

// attempt makes one call. It sends nothing if the context has ended or the call cannot be made.
func (c *attempts) attempt() result.Outcome {
	c.notSent = true
	if err := cmp.Or(c.ctx.Err(), checkUnits(&c.policy)); err != nil {
		return notSent(err)
	}
	limited, cancel := attemptContext(c.ctx, c.policy.AttemptTimeout)
	defer cancel()
	if err := cmp.Or(c.sender.ready(limited, c), c.ctx.Err()); err != nil {
		return notSent(err)
	}
	if c.state.Safety == SafetyKeyed && c.key == "" {
		c.addKey()
	}
	if c.id == "" {
		c.id = rand.Text()
	}
	isRepeat := c.heldKey != "" && c.key == "" || !c.firstSent.IsZero() && c.state.unsettled()
	if isRepeat && c.state.Safety == SafetyUnknown {
		return notSent(errKeyRefused) // the tool has changed
	}
	params := *c.of.Params
	params.RequestState = c.requestState
	params.Meta = mcp.Meta{}
	maps.Copy(params.Meta, c.of.Params.Meta)
	c.firstSent = cmp.Or(c.firstSent, time.Now())
	id := attempt.ID{Call: c.id, Number: c.state.Attempt + 1}
	if c.state.unsettled() { // the age of an attempt, also of an earlier identical call, that may have taken effect
		id.UnknownFor = time.Since(cmp.Or(c.since, c.firstSent))
	}
	attempt.Put(params.Meta, id)
	if _, isMap := params.Arguments.(map[string]any); isMap || c.key != "" {
		own := maps.Clone(c.object)
		if c.key != "" {
			own[c.of.KeyArgument] = c.key
		}
		params.Arguments = own
	}
	c.notSent = false
	return c.sender.send(c.ctx, &params, c)
}

// addKey sets the idempotency key. If the arguments cannot hold one, the tool's safety becomes unknown.
func (c *attempts) addKey() {
	if !c.takesKey {
		c.state.Safety = SafetyUnknown
		return
	}
	if c.key = cmp.Or(c.given, c.heldKey); c.key == "" && c.policy.Key != nil {
		c.key = c.policy.Key(c.ctx, c.of.Params)
		if c.since = cmp.Or(c.kept.Since(c.key), c.since); !c.since.IsZero() { // an earlier run made the call
			c.state.past = toolerr.EffectUnknown
		}
	}
	if c.key == "" {
		c.key = newKey()
		if c.state.Attempt == 0 {
			c.id = attempt.CallOf(c.key) // tells the server that the key is new
		}
	}
}

func notSent(err error) result.Outcome {
	out := result.Parse(nil, err)
	out.Err = out.Err.WithEffect(toolerr.EffectNone)
	out.SessionLost = false // the attempt used no session
	return out
}

// errKeyRefused is the failure of a call that must not be made without its key.
var errKeyRefused = toolerr.Transient("The call may have taken effect before, and the tool no longer makes a repeat " +
	"safe.").
	WithCode(toolerr.CodeConflict).WithRetryable(false).WithEffect(toolerr.EffectNone).
	WithHint("Find out first whether it took effect, or ask the user.")
