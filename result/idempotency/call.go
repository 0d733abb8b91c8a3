package idempotency

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
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

// withdrawTime is how long a store that has failed may take to give a claim back. Chosen: a
// caller that is told of the failure hardly notices.
const withdrawTime = time.Second

// A call is one call under a key.
type call struct {
	opts      *Options
	ctx       context.Context //nolint:containedctx // lives as long as the call
	key       string
	madeKey   bool // by us, for a call without one
	request   Request
	running   running
	arguments json.RawMessage     // of the call, as they were sent
	meta      mcp.Meta            // of a failed result
	said      *mcp.CallToolResult // what the author has said of a failure himself, or nil
	resolved  bool                // the store was told how it ended
	finishBy  time.Time           // when the store has had as long for that as the lease is
}

// begin claims the key, or returns the first call's answer.
func (c *call) begin(req *mcp.CallToolRequest, arguments map[string]any) (first *answer, err error) {
	if c.request, err = c.opts.request(req, c.key, arguments); err != nil {
		return nil, err
	}
	found, err := c.claim()
	if err == nil && found.State == "" {
		err = errNoState
	}
	if err != nil {
		c.withdraw()
		e := toolerr.From(err)
		if e.Category != toolerr.CategoryTransient {
			e = toolerr.Internal(err) // the store's own trouble, in which the caller has no part
		}
		return nil, e.WithMessage("It cannot be told whether this call was made before.").WithCause(err).WithEffect(toolerr.EffectNone)
	}
	switch found.State {
	case StateClaimed:
		return nil, nil
	case StateConflict:
		return nil, toolerr.Validation("This idempotency key was used for a call with other arguments.").
			WithCode(toolerr.CodeConflict).WithField(c.opts.argument()).WithEffect(toolerr.EffectNone).
			WithHint("To repeat the first call, send its arguments unchanged. For another call, leave " + c.opts.argument() + " out.")
	case StateRunning:
		return nil, toolerr.Transient("The first call with this idempotency key is still running.").
			WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectUnknown).WithRetryAfter(time.Second)
	case StateDone:
		return nil, toolerr.Internal(errForgotten).WithMessage("This call was carried out before, and its answer is no longer kept.").
			WithEffect(toolerr.EffectApplied).WithHint("Do not repeat the call: it was carried out. Look up what it has done if you need its answer.")
	case StateAbandoned:
		return nil, c.final(toolerr.Internal(errAbandoned).WithMessage("The first call with this idempotency key has left no answer, and it may have taken effect.").
			WithEffect(toolerr.EffectUnknown))
	case StateAnswered:
		a, err := c.request.answer(found.Answer)
		if err != nil {
			return nil, c.final(lostAnswer(err, toolerr.EffectUnknown))
		}
		return a, nil
	}
	return nil, c.final(lostAnswer(fmt.Errorf("the store of idempotency keys returned the state %q", found.State), toolerr.EffectUnknown))
}

var (
	errNoState   = errors.New("the store of idempotency keys returned neither a state nor an error")
	errForgotten = errors.New("the store of idempotency keys has forgotten the answer")
	errAbandoned = errors.New("the server that had claimed the idempotency key has died, or its answer is forgotten")
)

// claim asks the store until the key is ours or has an answer, or until the
// waiting is over.
func (c *call) claim() (Claim, error) {
	end := time.Now().Add(c.opts.wait())
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

// withdraw gives a claim back that may have been made although the store returned an
// error, so that a repeat need not wait for the end of its lease.
func (c *call) withdraw() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), withdrawTime)
	defer cancel()
	_ = c.opts.store().Finish(ctx, c.request.ID, c.request.Owner, Ending{Effect: toolerr.EffectNone})
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
		effect := toolerr.EffectNone // the call could not be made at all
		if wire.Code == jsonrpc.CodeInternalError {
			effect = toolerr.EffectUnknown // which says nothing of that
		}
		c.finish(Ending{Effect: effect})
		return err
	}
	res, err := failure.Unpack(nil, err)
	if res != nil {
		c.meta = res.Meta
	}
	classifier := *failure.FromContext(c.ctx)
	classifier.Arguments = evidence.New(c.arguments)
	e, said, cause := classifier.Describe(c.ctx, res, err)
	c.said = said
	if e.Effect == "" || e.Effect == toolerr.EffectNone && !classifier.ByAuthor(cause) {
		e = e.WithEffect(toolerr.EffectUnknown) // what an author has not stated is not enough for a second run
	}
	return c.failure(c.fail(e), cause)
}

// fail tells the store how a call has failed, and returns the failure that it
// keeps.
func (c *call) fail(e *toolerr.Error) *toolerr.Error {
	if e.Effect == toolerr.EffectNone && c.running.lost.Load() {
		e = e.WithEffect(toolerr.EffectUnknown) // another run of the call has begun
	}
	told := c.withKey(c.final(e)) // as a repeat gets it
	switch {
	case e.Effect != toolerr.EffectNone:
		c.keep(failureOf(told, c.said), cmp.Or(e.Effect, toolerr.EffectUnknown))
	case c.request.Attempt > 0: // and that attempt may come once more
		c.keep(failureOf(told, c.said), e.Effect)
	default:
		c.finish(Ending{Effect: e.Effect})
	}
	if e.Effect == toolerr.EffectNone && c.running.lost.Load() { // the store has said so only now
		return c.withKey(c.final(e.WithEffect(toolerr.EffectUnknown)))
	}
	return told
}

// final returns a failure as every repeat of the call gets it, unless a repeat is carried
// out.
func (c *call) final(e *toolerr.Error) *toolerr.Error {
	if e.Effect == toolerr.EffectNone || c.opts.Rerun && e.Effect != toolerr.EffectApplied {
		return e
	}
	e = e.WithRetryable(false)
	if e.Effect == toolerr.EffectUnknown && e.Hint == "" {
		e = e.WithHint("The call may have taken effect. Find out whether it did before anything else; a repeat with this key only gets this answer again.")
	}
	return e
}

// asKept is final for the failure of a call that was kept by a server whose options may
// have been others.
func (c *call) asKept(err error) error {
	if e, ok := err.(*toolerr.Error); ok { //nolint:errorlint // as it was decoded
		return c.final(e)
	}
	return err
}

// refused returns the failure of a call that was not begun, or nil.
func (c *call) refused(err error) error {
	if err == nil {
		return nil
	}
	e := toolerr.From(err)
	return c.failure(e, cmp.Or(e.Unwrap(), err))
}

// failure returns a failure with the key to pass back if a repeat makes sense, such that
// the cause is logged and not classified again.
func (c *call) failure(e *toolerr.Error, cause error) error {
	e = c.withKey(e)
	return failure.Error(e, cause, c.meta, c.said, !c.madeKey)
}

// withKey returns e with the key, and with a hint that names its argument, if a repeat
// with it makes sense: if e is retryable, or if nobody knows what the call has done.
func (c *call) withKey(e *toolerr.Error) *toolerr.Error {
	unknown := e.Effect == toolerr.EffectUnknown
	if e.IdempotencyKey != "" || !unknown && (c.madeKey || !e.Retryable) {
		return e
	}
	e = e.WithIdempotencyKey(c.key)
	if e.Hint == "" && unknown {
		e = e.WithHint(hint.Default(hint.Facts{
			Category: string(e.Category), Code: string(e.Code), Effect: string(e.Effect), Retryable: e.Retryable && !c.madeKey,
			Delay: e.RetryAfter > 0, Key: c.opts.argument(),
		}))
	}
	return e
}

// keep resolves the call with an answer. If the store cannot take that, the effect alone
// is what it keeps; if it cannot take that either, the key stays claimed until the end of
// the lease, and nothing is done twice.
func (c *call) keep(a *answer, effect toolerr.Effect) {
	a.Call = c.request.mark()
	raw, err := jsonvalue.Marshal(a)
	if err == nil {
		err = c.store(Ending{Effect: effect, Answer: raw})
	}
	if err == nil || errors.Is(err, ErrLost) {
		return
	}
	c.log("an answer could not be kept", err)
	c.finish(Ending{Effect: effect})
}

// finish tells the store how the call has ended.
func (c *call) finish(end Ending) {
	if err := c.store(end); err != nil && !errors.Is(err, ErrLost) {
		c.log("an idempotency key stays claimed", err)
	}
}

func (c *call) store(end Ending) error {
	c.resolved = true
	if c.finishBy.IsZero() {
		c.finishBy = time.Now().Add(c.request.Lease)
	}
	ctx, store := context.WithoutCancel(c.ctx), c.opts.store()
	if _, waits := store.(*MemoryStore); !waits {
		limited, cancel := context.WithDeadline(ctx, c.finishBy)
		defer cancel()
		ctx = limited
	}
	err := store.Finish(ctx, c.request.ID, c.request.Owner, end)
	if errors.Is(err, ErrLost) {
		c.running.lost.Store(true)
		c.log("an answer is not kept, because another call has claimed the idempotency key", err)
	}
	return err
}

// log reports an error of the store to the middleware's logger.
func (c *call) log(what string, err error) {
	failure.FromContext(c.ctx).Log().LogAttrs(c.ctx, slog.LevelError, what, slog.Any("error", toolerr.Internal(err)))
}
