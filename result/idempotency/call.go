package idempotency

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A call is a tool call with a key.
type call struct {
	opts     *Options
	tool     tool
	ctx      context.Context //nolint:containedctx // lives as long as the call
	detached context.Context //nolint:containedctx // ctx without its cancellation
	key      string
	madeKey  bool // the caller sent no key
	request  Request
	another  atomic.Bool            // another run may have had an effect: an earlier one, or one that took the key
	params   *mcp.CallToolParamsRaw // as sent
	meta     mcp.Meta               // the _meta of a failed result
	isOpen   bool                   // an earlier call with the key runs, or may have been made
	resolved bool                   // finish was called
}

// classify returns a handler's failure, before forCaller resolves its effect. Ctx is the handler's.
func (c *call) classify(ctx context.Context, err error) (*toolerr.Error, failure.Findings) {
	res, err := failure.Unpack(nil, err)
	if res != nil {
		c.meta = res.Meta
	}
	classifier := *failure.CallOf(c.ctx).Classifier
	classifier.Arguments.Raw = c.params.Arguments
	if ctx.Err() != nil {
		ctx = c.ctx // c.ctx has the reason; in the grace period, only c.ctx has ended
	}
	found := classifier.Collect(ctx, res, err)
	e := found.Failure
	isNone := e.Effect == toolerr.EffectNone
	if isStated := e.Effect == toolerr.EffectApplied || isNone && classifier.ByAuthor(found.Cause); !isStated {
		if e = e.WithEffect(toolerr.EffectUnknown); isNone { // the failure may have happened after the work
			classifier.Warn(c.ctx, c.params.Name, "a bare error that shows that nothing was done has an unknown effect, "+
				"because an earlier step may have done something: if none has, return toolerr.From(err)")
		}
	}
	return e, found
}

// fail ends a call that has claimed its key: it stores the failure for repeats, and returns it. The
// effect stored is the one returned.
func (c *call) fail(e *toolerr.Error, found failure.Findings) error {
	var a *answer
	repeated := c.forCaller(e, true)
	if repeated.Effect != toolerr.EffectNone || c.request.Attempt > 0 { // a duplicate of the attempt may follow
		stored := repeated
		if stored.IdempotencyKey == c.key { // packed adds it again
			stored = stored.WithIdempotencyKey("")
		}
		stored, content := failure.Content(stored, found.Said)
		a = &answer{Failure: stored.AppendJSON(nil)}
		if len(content) > 1 {
			a.Result = &mcp.CallToolResult{Content: content[1:]}
		}
	}
	c.finish(repeated.Effect, a)
	return c.packed(e, found)
}

// packed returns the failure of a call as an error that is not classified again.
func (c *call) packed(e *toolerr.Error, found failure.Findings) error {
	return failure.Pack(c.forCaller(e, !c.madeKey), found, c.meta)
}

// forCaller returns a failure as the caller gets it, resolved for the tool and the call. If its effect is
// unknown, or it is retryable and the caller sent the key (keyed), it gets the key, unless it continues.
func (c *call) forCaller(e *toolerr.Error, keyed bool) *toolerr.Error {
	isSafe := c.tool.isIdempotent || keyed && e.Partial == nil // the next part has another key
	hints := toolerr.ToolAnnotations{Idempotent: isSafe}
	e = e.Resolve(hints)
	if e.Effect == toolerr.EffectNone && c.another.Load() {
		e = e.WithEffect(toolerr.EffectUnknown).Resolve(hints)
	}
	isUnknown := e.Effect == toolerr.EffectUnknown
	// the call must not run again
	if !c.isOpen && e.Effect != toolerr.EffectNone && (!c.opts.UpstreamDedupes || !isUnknown) {
		if e = e.WithRetryable(false); isUnknown && e.Hint == "" && e.Partial == nil {
			e = e.WithHint(hint.SameAnswer + c.opts.argument() + ".")
		}
	}
	continues := e.Partial != nil && e.Partial.ContinueFrom != nil
	if e.IdempotencyKey != "" || continues || !isUnknown && (!e.Retryable || !keyed) {
		return e
	}
	if e = e.WithIdempotencyKey(c.key); e.Hint != "" || !isUnknown {
		return e
	}
	facts := hint.Facts{
		Category: string(e.Category), Effect: string(e.Effect), Retryable: e.Retryable,
		Delay: e.RetryAfter, Key: c.opts.argument(), Partial: e.Partial != nil,
	}
	return e.WithHint(hint.Default(facts))
}

// finish stores the end of the call, with the answer for repeats unless it is nil, or else only the
// effect. If that fails too, the key stays claimed until the lease ends, and the call is abandoned.
func (c *call) finish(effect toolerr.Effect, a *answer) {
	c.resolved = true
	ctx, cancel := context.WithTimeout(c.detached, c.request.Lease)
	defer cancel()
	if a != nil {
		a.Call = c.request.callID()
		raw, err := jsonvalue.Marshal(a)
		if err == nil {
			err = c.save(ctx, Ending{Effect: effect, Answer: raw})
		}
		if err == nil {
			return
		}
		c.log("an answer could not be kept", err)
	}
	if err := c.save(ctx, Ending{Effect: effect}); err != nil {
		c.log("an idempotency key stays claimed", err)
	}
}

// save stores an ending. If another call has claimed the key, save logs this and returns nil.
func (c *call) save(ctx context.Context, end Ending) error {
	err := c.opts.store().Finish(ctx, c.request.ID, c.request.Owner, end)
	if !errors.Is(err, ErrLost) {
		return err
	}
	c.another.Store(true)
	c.log("an answer is not kept, because another call has claimed the idempotency key", err)
	return nil
}

func (c *call) log(what string, err error) {
	failure.CallOf(c.ctx).Classifier.Log().LogAttrs(c.ctx, slog.LevelError, what,
		slog.Any("toolerr", toolerr.Internal(err)))
}
