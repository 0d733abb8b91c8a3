package idempotency

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/attempt"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// firstLook and lastLook are the pauses of a repeat between its checks for the end of the
	// first call; they double. Chosen: a database gets at most five queries a second.
	firstLook, lastLook = 5 * time.Millisecond, 200 * time.Millisecond
	// withdrawTime is the time limit for returning a claim after a failure of the store.
	// Chosen: hardly noticeable for a caller that gets a failure.
	withdrawTime = time.Second
)

// A call is one call with a key.
type call struct {
	opts      *Options
	tool      tool
	ctx       context.Context //nolint:containedctx // lives as long as the call
	detached  context.Context //nolint:containedctx // ctx, which does not end
	key       string
	madeKey   bool // the call had no key
	request   Request
	lost      atomic.Bool         // another call has claimed the key
	arguments json.RawMessage     // the call's arguments, as sent
	meta      mcp.Meta            // the _meta of a failed result
	said      *mcp.CallToolResult // the author's own content of a failure, or nil
	isOpen    bool                // an earlier call with the key runs, or may have been made
	resolved  bool                // the store was told the end
}

// start claims the key, or returns the first call's answer, or the failure of a call that is
// not made.
func (c *call) start(req *mcp.CallToolRequest, arguments map[string]any) (first *answer, e *toolerr.Error) {
	if c.request, e = c.newRequest(req, arguments); e != nil {
		return nil, e
	}
	found, err := c.claim()
	if err == nil && found.State == "" {
		err = errors.New("the store of idempotency keys returned neither a state nor an error")
	}
	if err != nil {
		c.withdraw()
		c.isOpen = true
		return nil, c.notAsked(err, attempt.Of(req.Params.Meta).IsFirst(c.key))
	}
	switch found.State {
	case StateClaimed:
		return nil, nil
	case StateConflict:
		return nil, c.conflict(found.Effect)
	case StateRunning:
		c.isOpen = true
		return nil, toolerr.Transient("The first call with this idempotency key is still running.").
			WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectUnknown).WithRetryAfter(time.Second)
	case StateDone:
		return nil, toolerr.Internal(errAbandoned).WithMessage("This call was carried out before, and its answer is no longer kept.").
			WithEffect(toolerr.EffectApplied).WithHint("Do not repeat the call: it was carried out. Look up what it has done if you need its answer.")
	case StateAbandoned:
		return nil, toolerr.Internal(errAbandoned).WithMessage("The first call with this idempotency key has left no answer, and it may have taken effect.")
	case StateAnswered:
		if first, err = c.request.answer(found.Answer); err == nil {
			return first, nil
		}
	default:
		err = fmt.Errorf("the store of idempotency keys returned the state %q", found.State)
	}
	return nil, lostAnswer(err, toolerr.EffectUnknown)
}

// notAsked returns the failure of a call whose store has failed. Unless no call with the key
// was made before, that call may have taken effect.
func (c *call) notAsked(err error, isFirst bool) *toolerr.Error {
	e := toolerr.From(err)
	if e.Category != toolerr.CategoryTransient || e.Code == toolerr.CodeCanceled && c.ctx.Err() == nil {
		e = toolerr.Internal(err) // a failure of the store, not of the caller
	}
	e = e.WithMessage("It cannot be told whether this call was made before.").WithCause(err).WithEffect(toolerr.EffectUnknown)
	if isFirst || c.madeKey || errors.Is(err, errStoreFull) {
		e = e.WithMessage("The call was not made, because its idempotency key could not be stored.").WithEffect(toolerr.EffectNone)
	}
	return e
}

// conflict returns the failure of a call whose key was used with other arguments, by a call
// with the given effect.
func (c *call) conflict(first toolerr.Effect) *toolerr.Error {
	e := toolerr.Validation("This idempotency key was used for a call with other arguments, which may have taken effect. This call was not carried out.").
		WithCode(toolerr.CodeConflict).WithField(c.opts.argument()).WithEffect(toolerr.EffectUnknown).
		WithHint("Find out whether the first call took effect before anything else. To repeat it, send its arguments unchanged.")
	if first != toolerr.EffectApplied {
		return e
	}
	return e.WithMessage("This idempotency key was used for a call with other arguments, which was carried out. This call was not.").
		WithEffect(toolerr.EffectNone).
		WithHint("To get the first call's answer, send its arguments unchanged. For another call, leave " + c.opts.argument() + " out.")
}

var errAbandoned = errors.New("the server that had claimed the idempotency key has died, or its answer is forgotten")

// claim calls the store until the key is claimed, has an answer, or the wait ends.
func (c *call) claim() (Claim, error) {
	end := time.Now().Add(cmp.Or(c.opts.Wait, defaultWait))
	for pause := firstLook; ; pause = min(2*pause, lastLook) {
		found, err := c.opts.store().Claim(c.ctx, c.request)
		left := time.Until(end)
		if err != nil || found.State != StateRunning || left <= 0 {
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

// withdraw returns a claim that may have been made although the store returned an error, so
// that a repeat need not wait for the end of the lease.
func (c *call) withdraw() {
	ctx, cancel := context.WithTimeout(c.detached, withdrawTime)
	defer cancel()
	_ = c.opts.store().Finish(ctx, c.request.ID, c.request.Owner, Ending{Effect: toolerr.EffectNone})
}

// describe classifies the failure of a handler. The context is the handler's.
func (c *call) describe(ctx context.Context, err error) (e *toolerr.Error, cause error) {
	res, err := failure.Unpack(nil, err)
	if res != nil {
		c.meta = res.Meta
	}
	classifier := *failure.FromContext(c.ctx)
	classifier.Arguments, classifier.IsArgument = evidence.New(c.arguments), c.isArgument
	if ctx.Err() != nil {
		ctx = c.ctx // it has the reason; in the grace period it has ended, and the handler's has not
	}
	e, c.said, cause = classifier.Describe(ctx, res, err)
	isStated := e.Effect == toolerr.EffectApplied || e.Effect == toolerr.EffectNone && classifier.ByAuthor(cause)
	if !isStated { // the failure may have happened after the work
		e = e.WithEffect(toolerr.EffectUnknown)
	}
	return e, cause
}

// isArgument reports whether a path begins with an argument of the call. Handler does not know
// the tool's schema.
func (c *call) isArgument(path string) bool {
	if i := strings.IndexAny(path, ".["); i >= 0 {
		path = path[:i]
	}
	var members map[string]json.RawMessage
	return json.Unmarshal(c.arguments, &members) == nil && members[path] != nil
}

// fail ends a call that has claimed its key: it stores the failure for repeats, and returns
// it. The store gets the effect that is sent; only none lets a repeat run.
func (c *call) fail(e *toolerr.Error, cause error) error {
	var a *answer
	repeated := c.forCaller(e, true)
	if repeated.Effect != toolerr.EffectNone || c.request.Attempt > 0 { // a duplicate of the attempt may follow
		a = failureOf(repeated, c.said)
	}
	c.finish(repeated.Effect, a)
	return c.final(e, cause)
}

// final returns the failure of a call as an error that is not classified again. The cause is
// logged.
func (c *call) final(e *toolerr.Error, cause error) error {
	return failure.Final(c.forCaller(e, !c.madeKey), cause, c.meta, c.said, !c.madeKey)
}

// forCaller returns a failure as a caller gets it: with the effect and the flag for the tool and
// the call, and with the key if it is retryable or has an unknown effect. The rest of a
// partial result needs another key. Keyed means that the call has the key.
func (c *call) forCaller(e *toolerr.Error, keyed bool) *toolerr.Error {
	hints := toolerr.ToolHints{ReadOnly: c.tool.annotations.ReadOnlyHint, Idempotent: c.tool.annotations.IdempotentHint || keyed}
	e = e.Resolve(hints)
	if e.Effect == toolerr.EffectNone && c.lost.Load() { // another run of the call has started
		e = e.WithEffect(toolerr.EffectUnknown).Resolve(hints)
	}
	isUnknown := e.Effect == toolerr.EffectUnknown
	if mayRun := c.isOpen || e.Effect == toolerr.EffectNone || c.opts.Rerun && isUnknown; !mayRun {
		e = e.WithRetryable(false)
		if isUnknown && e.Hint == "" && e.Partial == nil {
			e = e.WithHint("The call may have taken effect. Find out whether it did before anything else; a repeat with this key only gets this answer again.")
		}
	}
	continues := e.Partial != nil && e.Partial.ContinueFrom != nil
	if e.IdempotencyKey != "" || continues || !isUnknown && (!e.Retryable || !keyed) {
		return e
	}
	e = e.WithIdempotencyKey(c.key)
	if e.Hint == "" && isUnknown {
		e = e.WithHint(hint.Default(hint.Facts{
			Category: string(e.Category), Code: string(e.Code), Effect: string(e.Effect), Retryable: e.Retryable,
			Delay: e.RetryAfter > 0, Key: c.opts.argument(), Partial: e.Partial != nil,
		}))
	}
	return e
}

// finish records the end of the call in the store, with the answer for repeats if it has one.
// If the store cannot save the answer, it saves only the effect. If that fails too, the key
// stays claimed until the end of the lease, and nothing is done twice.
func (c *call) finish(effect toolerr.Effect, a *answer) {
	c.resolved = true
	ctx, cancel := context.WithTimeout(c.detached, c.request.Lease)
	defer cancel()
	if a != nil {
		a.Call = c.request.callID()
		raw, err := jsonvalue.Marshal(a)
		if err == nil {
			err = c.store(ctx, Ending{Effect: effect, Answer: raw})
		}
		if err == nil {
			return
		}
		c.log("an answer could not be kept", err)
	}
	if err := c.store(ctx, Ending{Effect: effect}); err != nil {
		c.log("an idempotency key stays claimed", err)
	}
}

// store records an ending. A key that another call has claimed is not an error.
func (c *call) store(ctx context.Context, end Ending) error {
	err := c.opts.store().Finish(ctx, c.request.ID, c.request.Owner, end)
	if !errors.Is(err, ErrLost) {
		return err
	}
	c.lost.Store(true)
	c.log("an answer is not kept, because another call has claimed the idempotency key", err)
	return nil
}

// log logs an error of the store with the middleware's logger.
func (c *call) log(what string, err error) {
	failure.FromContext(c.ctx).Log().LogAttrs(c.ctx, slog.LevelError, what, slog.Any("error", toolerr.Internal(err)))
}
