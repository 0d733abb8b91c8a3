package result

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"reflect"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// How often a repeat looks whether the first call has ended: the pause doubles.
// Chosen: a short call is answered without a delay that anybody would notice, and
// a store in a database is asked at most five times a second by each repeat.
const (
	firstLook = 5 * time.Millisecond
	lastLook  = 200 * time.Millisecond
)

// A keyedCall is one call under a key.
type keyedCall struct {
	keys    *Keys
	ctx     context.Context //nolint:containedctx // lives as long as the call
	key     string
	made    bool // by us, for a call without one
	id      string
	meta    mcp.Meta // of a failed result
	settled bool     // the store knows how it ended
}

// begin claims the key, or returns the first call's answer.
func (c *keyedCall) begin(req *mcp.CallToolRequest) (first *answer, err error) {
	if c.id, err = c.keys.id(req, c.key); err != nil {
		return nil, err
	}
	fingerprint := c.keys.fingerprint(req)
	found, err := c.claim(fingerprint)
	switch {
	case err != nil:
		return nil, toolerr.From(err).WithMessage("It cannot be told whether this call was made before.").WithEffect(toolerr.EffectNone)
	case found == nil:
		return nil, nil
	case found.Fingerprint != fingerprint:
		return nil, toolerr.Validation("This idempotency key was used for a call with other arguments.").
			WithCode(toolerr.CodeConflict).WithField(c.keys.argument()).WithEffect(toolerr.EffectNone).
			WithHint("To repeat the first call, send its arguments unchanged. For another call, leave " + c.keys.argument() + " out.")
	case len(found.Answer) == 0:
		return nil, toolerr.Transient("The first call with this idempotency key is still running.").
			WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectUnknown).WithRetryAfter(time.Second)
	}
	a := new(answer)
	if err := json.Unmarshal(found.Answer, a); err != nil {
		return nil, lostAnswer(err, toolerr.EffectUnknown)
	}
	return a, nil
}

// claim asks the store until the key is ours or has an answer, or until the
// waiting is over.
func (c *keyedCall) claim(fingerprint string) (*KeyRecord, error) {
	wait := c.keys.Wait
	if wait == 0 {
		wait = defaultWait
	}
	end := time.Now().Add(wait)
	for pause := firstLook; ; pause = min(2*pause, lastLook) {
		found, err := c.keys.store().Claim(c.ctx, c.id, fingerprint)
		if err != nil || found == nil || len(found.Answer) > 0 || found.Fingerprint != fingerprint {
			return found, err
		}
		left := time.Until(end)
		if left <= 0 {
			return found, nil
		}
		timer := time.NewTimer(min(pause, left))
		select {
		case <-timer.C:
		case <-c.ctx.Done():
			timer.Stop()
			return found, nil
		}
	}
}

// failed settles a call that has failed, and returns its failure.
func (c *keyedCall) failed(err error) error {
	if wire, ok := err.(*jsonrpc.Error); ok && wire.Code != 0 { //nolint:errorlint // only a direct one is meant as a protocol error
		c.release()
		return err
	}
	judge := c.keys.options()
	cause := err
	var e *toolerr.Error
	if res := handlerResult(nil, err); res != nil {
		e, cause = judge.describe(c.ctx, res, nil)
		c.meta = res.Meta
	} else {
		e = judge.fromError(c.ctx, err)
	}
	if hadNoEffect(e) && (!judge.authored(cause) || mayBeAnAnswer(e)) {
		e = e.WithEffect(toolerr.EffectUnknown) // a guess is not enough for a second run
	}
	return c.failureOf(c.settle(e), cause)
}

// settle tells the store how a call has failed, and returns the failure that it
// keeps.
func (c *keyedCall) settle(e *toolerr.Error) *toolerr.Error {
	switch {
	case hadNoEffect(e):
		c.release()
		return e
	case mayRunAgain(e, c.keys.Rerun):
		c.reopen()
		return e
	}
	e = c.withKey(e).WithRetryable(false) // the same call gets the same answer
	if e.Effect == toolerr.EffectUnknown && e.Hint == "" {
		e = e.WithHint("The call may have taken effect. Find out whether it did before anything else; a repeat with this key only gets this answer again.")
	}
	c.keep(&answer{Failure: e.AppendJSON(nil)}, cmp.Or(e.Effect, toolerr.EffectUnknown))
	return e
}

func (c *keyedCall) withKey(e *toolerr.Error) *toolerr.Error {
	if e.IdempotencyKey == "" {
		return e.WithIdempotencyKey(c.key)
	}
	return e
}

// mayRunAgain reports whether a repeat of what may have had an effect does nothing
// twice.
func mayRunAgain(e *toolerr.Error, rerun bool) bool {
	switch e.Effect {
	case toolerr.EffectNone:
		return true
	case toolerr.EffectApplied:
		return false
	case toolerr.EffectUnknown:
		return rerun
	}
	// Without a word on its effect, the author vouches for a repeat by the flag.
	return rerun || e.Retryable && e.Partial == nil
}

// hadNoEffect reports whether nothing can have happened.
func hadNoEffect(e *toolerr.Error) bool {
	return e.Effect == toolerr.EffectNone ||
		e.Effect == "" && (e.Category == toolerr.CategoryValidation || e.Category == toolerr.CategoryPermission)
}

// mayBeAnAnswer reports whether what could not be parsed, and was taken for the
// caller's input, may be the answer to a request that was carried out.
func mayBeAnAnswer(e *toolerr.Error) bool {
	behind := toolerr.From(e.Unwrap())
	return e.Effect == "" && behind != nil && behind.Category == toolerr.CategoryValidation && behind.Effect == ""
}

// failure is the failure of a call that was not begun.
func (c *keyedCall) failure(err error) error {
	e := toolerr.From(err)
	if cause := e.Unwrap(); cause != nil {
		err = cause
	}
	return c.failureOf(e, err)
}

// failureOf returns a failure with the key to pass back, as a result: so that
// the cause is logged, and judged no more.
func (c *keyedCall) failureOf(e *toolerr.Error, cause error) error {
	if !c.made || !hadNoEffect(e) {
		e = c.withKey(e)
	}
	text := string(e.AppendJSON(nil))
	res := textResult(text)
	res.Meta = c.meta
	res.SetError(cause)
	return &resultError{res: res, err: e.WithCause(cause), text: text}
}

// succeed keeps a success as the answer. Survives tells whether the output can be
// given again.
func (c *keyedCall) succeed(res *mcp.CallToolResult, out any, survives func(json.RawMessage) bool) {
	a := new(answer)
	raw, err := marshal(out)
	a.Out = raw
	if err == nil && res != nil {
		a.Result, err = marshal(res)
	}
	if err != nil || !survives(raw) {
		a = &answer{Failure: lostAnswer(err, toolerr.EffectApplied).AppendJSON(nil)}
	}
	c.keep(a, toolerr.EffectApplied)
}

// keep settles the call with an answer. A store that cannot take it is given a
// short one in its place; if it cannot take that either, the key stays claimed,
// and nothing is done twice.
func (c *keyedCall) keep(a *answer, effect toolerr.Effect) {
	c.settled = true
	ctx := context.WithoutCancel(c.ctx)
	raw, err := marshal(a)
	if err == nil {
		err = c.keys.store().Finish(ctx, c.id, raw)
	}
	if err == nil {
		return
	}
	c.log("an answer could not be kept", err)
	if raw, err = marshal(&answer{Failure: lostAnswer(nil, effect).AppendJSON(nil)}); err == nil {
		err = c.keys.store().Finish(ctx, c.id, raw)
	}
	if err != nil {
		c.log("an idempotency key stays claimed", err)
	}
}

// release gives the key back: nothing was done under it.
func (c *keyedCall) release() {
	c.settled = true
	if err := c.keys.store().Release(context.WithoutCancel(c.ctx), c.id); err != nil {
		c.log("an idempotency key stays claimed", err)
	}
}

// reopen lets the same call be made again under the key, and no other.
func (c *keyedCall) reopen() {
	c.settled = true
	if err := c.keys.store().Reopen(context.WithoutCancel(c.ctx), c.id); err != nil {
		c.log("an idempotency key stays claimed", err)
	}
}

func (c *keyedCall) log(what string, err error) {
	c.keys.options().logger().LogAttrs(c.ctx, slog.LevelError, what, slog.Any("error", toolerr.Internal(err)))
}

// decode is [json.Unmarshal] that keeps the digits of numbers.
func decode(raw []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(v)
}

// sameJSON reports whether v encodes as raw, the order of members apart.
func sameJSON(raw json.RawMessage, v any) bool {
	again, err := marshal(v)
	if err != nil {
		return false
	}
	if bytes.Equal(raw, again) {
		return true
	}
	var a, b any
	return decode(raw, &a) == nil && decode(again, &b) == nil && reflect.DeepEqual(a, b)
}
