package idempotency

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/attempt"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// firstLook and lastLook are the first and longest pauses of a repeat that waits for a running
	// call, chosen to make about a dozen queries in the default wait. Pauses double.
	firstLook, lastLook = 5 * time.Millisecond, time.Second
	// withdrawTime is the time limit for withdrawing a claim, chosen to be below the default wait.
	withdrawTime = time.Second
)

const errAbandoned failure.FaultError = "the server that had claimed the idempotency key has died, or its answer is " +
	"forgotten"

// start claims the key. If the call must not run, it returns the first answer or a failure.
func (c *call) start(req *mcp.CallToolRequest, arguments map[string]any) (first *answer, e *toolerr.Error) {
	started, told := time.Now(), &failure.CallOf(c.ctx).Claim
	told.IsSent = !c.madeKey
	if c.request, e = c.newRequest(req, arguments); e != nil {
		return nil, e
	}
	told.ID, told.State = c.request.ID, "failed" // unless the store answers
	found, err := c.claim()
	if err == nil && found.State == "" {
		err = failure.FaultError("the store of idempotency keys returned neither a state nor an error")
	}
	if told.Waited = time.Since(started); err != nil {
		if errors.Is(err, ErrFull) {
			told.State = "full"
		}
		c.opts.open.Add(1)
		go c.withdraw() // a database may be slow to fail
		c.isOpen = true
		e = toolerr.From(err)
		if e.Category != toolerr.CategoryTransient || e.Code == toolerr.CodeCanceled && c.ctx.Err() == nil {
			e = toolerr.Internal(err) // a failure of the store, not of the caller
		}
		message, effect := "It cannot be told whether this call was made before.", toolerr.EffectUnknown
		if c.madeKey || errors.Is(err, ErrFull) || attempt.Of(req.Params.Meta).IsFirst(c.key) { // no earlier call had it
			message, effect = "The call was not made, because its idempotency key could not be stored.", toolerr.EffectNone
		}
		return nil, e.WithMessage(message).WithCause(err).WithEffect(effect)
	}
	switch told.State = string(found.State); found.State {
	case StateClaimed:
		c.another.Store(found.Effect == toolerr.EffectUnknown)
		return nil, nil
	case StateConflict:
		return nil, c.conflict(found.Effect)
	case StateRunning:
		c.isOpen = true
		return nil, toolerr.Unavailable("The first call with this idempotency key is still running.", time.Second).
			WithEffect(toolerr.EffectUnknown)
	case StateDone:
		return nil, toolerr.Internal(errAbandoned).
			WithMessage("This call was carried out before, and its answer is no longer kept.").
			WithEffect(toolerr.EffectApplied).WithHint("Do not repeat the call: it was carried out. Look up what it has done " +
			"if you need its answer.")
	case StateAbandoned:
		return nil, toolerr.Internal(errAbandoned).
			WithMessage("The first call with this idempotency key has left no answer, and it may have taken effect.")
	case StateAnswered:
		if first, err = c.request.answer(found.Answer); err == nil {
			return first, nil
		}
	default:
		err = fmt.Errorf("the store of idempotency keys returned the state %q", found.State)
	}
	return nil, lostAnswer(err, toolerr.EffectUnknown)
}

// conflict returns the failure of a call whose key was used with other arguments. First is the
// effect of the first call with the key.
func (c *call) conflict(first toolerr.Effect) *toolerr.Error {
	e := toolerr.Conflict("This idempotency key was used for a call with other arguments, which may have taken effect. " +
		"This call was not carried out.").WithField(c.opts.argument()).WithEffect(toolerr.EffectUnknown).
		WithHint("Check whether the first call took effect. To repeat it, send its arguments unchanged; for another call, " +
			"use another " + c.opts.argument() + ".")
	if first != toolerr.EffectApplied {
		return e
	}
	return e.WithMessage("This idempotency key was used for a call with other arguments, which was carried out. This " +
		"call was not.").
		WithEffect(toolerr.EffectNone).
		WithHint("To get the first call's answer, send its arguments unchanged. For another call, leave " +
			c.opts.argument() + " out.")
}

// claim calls the store until no other call is running with the key, or the wait or the context ends.
func (c *call) claim() (Claim, error) {
	end := time.Now().Add(cmp.Or(c.opts.Wait, defaultWait))
	for pause := firstLook; ; pause = min(2*pause, lastLook) {
		found, err := c.opts.store().Claim(c.ctx, c.request)
		left := time.Until(end)
		if err != nil || found.State != StateRunning || left <= 0 {
			return found, err
		}
		select {
		case <-time.After(min(pause, left)):
		case <-c.ctx.Done():
			return found, nil
		}
	}
}

// withdraw ends a claim that may have been made although the store returned an error, so that a repeat
// need not wait for the lease. With Rerun it stores unknown: an earlier run may have had an effect.
func (c *call) withdraw() {
	defer c.opts.open.Add(-1)
	ctx, cancel := context.WithTimeout(c.detached, withdrawTime)
	defer cancel()
	defer func() { _ = recover() }() // nothing else recovers a store's panic here
	effect := map[bool]toolerr.Effect{false: toolerr.EffectNone, true: toolerr.EffectUnknown}[c.request.Rerun]
	_ = c.opts.store().Finish(ctx, c.request.ID, c.request.Owner, Ending{Effect: effect})
}
