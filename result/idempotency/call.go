package idempotency

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// How often a repeat looks whether the first call has ended: the pause doubles.
// Chosen: a short call is answered without a delay that anybody would notice, and
// a store in a database is asked at most five times a second by each repeat.
const (
	firstLook = 5 * time.Millisecond
	lastLook  = 200 * time.Millisecond
)

// A call is one call under a key.
type call struct {
	opts    *Options
	ctx     context.Context //nolint:containedctx // lives as long as the call
	key     string
	madeKey bool // by us, for a call without one
	id      string
	// arguments are the call's, as they were sent.
	arguments json.RawMessage
	meta      mcp.Meta            // of a failed result
	said      *mcp.CallToolResult // what the author has said of a failure himself, or nil
	resolved  bool                // the store was told how it ended
}

// begin claims the key, or returns the first call's answer.
func (c *call) begin(req *mcp.CallToolRequest) (first *answer, err error) {
	if c.id, err = c.opts.id(req, c.key); err != nil {
		return nil, err
	}
	fingerprint := c.opts.fingerprint(req)
	found, err := c.claim(fingerprint)
	if err == nil && found.State == "" {
		err = errNoState
	}
	switch {
	case err != nil:
		return nil, toolerr.From(err).WithMessage("It cannot be told whether this call was made before.").WithCause(err).WithEffect(toolerr.EffectNone)
	case found.State == StateClaimed:
		return nil, nil
	case found.Fingerprint != fingerprint:
		return nil, toolerr.Validation("This idempotency key was used for a call with other arguments.").
			WithCode(toolerr.CodeConflict).WithField(c.opts.argument()).WithEffect(toolerr.EffectNone).
			WithHint("To repeat the first call, send its arguments unchanged. For another call, leave " + c.opts.argument() + " out.")
	case found.State == StateRunning:
		return nil, toolerr.Transient("The first call with this idempotency key is still running.").
			WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectUnknown).WithRetryAfter(time.Second)
	}
	a := new(answer)
	if err := json.Unmarshal(found.Answer, a); err != nil {
		return nil, lostAnswer(err, toolerr.EffectUnknown)
	}
	return a, nil
}

var errNoState = errors.New("the store of idempotency keys returned neither a state nor an error")

// claim asks the store until the key is ours or has an answer, or until the
// waiting is over.
func (c *call) claim(fingerprint string) (Claim, error) {
	end := time.Now().Add(c.opts.wait())
	for pause := firstLook; ; pause = min(2*pause, lastLook) {
		found, err := c.opts.store().Claim(c.ctx, c.id, fingerprint)
		left := time.Until(end)
		if err != nil || found.State != StateRunning || found.Fingerprint != fingerprint || left <= 0 {
			return found, err
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

// succeed keeps a success as the answer. See answerOf for again.
func (c *call) succeed(res *mcp.CallToolResult, out, again any) {
	a, err := answerOf(res, out, again)
	if err != nil {
		a = &answer{Failure: lostAnswer(err, toolerr.EffectApplied).AppendJSON(nil)}
	}
	c.keep(a, toolerr.EffectApplied)
}

// failed resolves a call that has failed, and returns its failure.
func (c *call) failed(err error) error {
	if wire, ok := err.(*jsonrpc.Error); ok && wire.Code != 0 { //nolint:errorlint // only a direct one is meant as a protocol error
		c.release()
		return err
	}
	res, err := failure.Unpack(nil, err)
	if res != nil {
		c.meta = res.Meta
	}
	classifier := failure.FromContext(c.ctx)
	e, said, cause := classifier.Describe(c.ctx, c.arguments, res, err)
	c.said = said
	if e.Effect == "" || e.Effect == toolerr.EffectNone && !classifier.ByAuthor(cause) {
		e = e.WithEffect(toolerr.EffectUnknown) // what an author has not stated is not enough for a second run
	}
	return c.failure(c.fail(e), cause)
}

// fail tells the store how a call has failed, and returns the failure that it
// keeps.
func (c *call) fail(e *toolerr.Error) *toolerr.Error {
	switch {
	case e.Effect == toolerr.EffectNone:
		c.release()
		return e
	case c.opts.Rerun && e.Effect != toolerr.EffectApplied:
		c.reopen()
		return e
	}
	e = c.withKey(e).WithRetryable(false) // the same call gets the same answer
	if e.Effect == toolerr.EffectUnknown && e.Hint == "" {
		e = e.WithHint("The call may have taken effect. Find out whether it did before anything else; a repeat with this key only gets this answer again.")
	}
	c.keep(failureOf(e, c.said), cmp.Or(e.Effect, toolerr.EffectUnknown))
	return e
}

// refused returns the failure of a call that was not begun, or nil.
func (c *call) refused(err error) error {
	if err == nil {
		return nil
	}
	e := toolerr.From(err)
	return c.failure(e, cmp.Or(e.Unwrap(), err))
}

// failure returns a failure with the key to pass back, such that the cause is logged
// and not classified again.
func (c *call) failure(e *toolerr.Error, cause error) error {
	if !c.madeKey || e.Effect != toolerr.EffectNone {
		e = c.withKey(e)
	}
	return failure.Error(e, cause, c.meta, c.said, !c.madeKey)
}

func (c *call) withKey(e *toolerr.Error) *toolerr.Error {
	if e.IdempotencyKey == "" {
		return e.WithIdempotencyKey(c.key)
	}
	return e
}

// keep resolves the call with an answer. A store that cannot take it is given a
// short one in its place; if it cannot take that either, the key stays claimed,
// and nothing is done twice.
func (c *call) keep(a *answer, effect toolerr.Effect) {
	finish := func(a *answer) error {
		raw, err := jsonvalue.Marshal(a)
		if err != nil {
			return err
		}
		return c.opts.store().Finish(context.WithoutCancel(c.ctx), c.id, raw)
	}
	c.resolved = true
	err := finish(a)
	if err == nil {
		return
	}
	c.log("an answer could not be kept", err)
	c.check(finish(&answer{Failure: lostAnswer(nil, effect).AppendJSON(nil)}))
}

// release gives the key back: nothing was done under it.
func (c *call) release() {
	c.resolved = true
	c.check(c.opts.store().Release(context.WithoutCancel(c.ctx), c.id))
}

// reopen lets the same call be made again under the key, and no other.
func (c *call) reopen() {
	c.resolved = true
	c.check(c.opts.store().Reopen(context.WithoutCancel(c.ctx), c.id))
}

// check logs the error of a store that was not told how a call has ended.
func (c *call) check(err error) {
	if err != nil {
		c.log("an idempotency key stays claimed", err)
	}
}

// log reports an error of the store to the middleware's logger.
func (c *call) log(what string, err error) {
	failure.FromContext(c.ctx).Log().LogAttrs(c.ctx, slog.LevelError, what, slog.Any("error", toolerr.Internal(err)))
}
