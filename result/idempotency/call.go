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

// The pauses of a repeat between its checks for the end of the first call; they double.
// Chosen: a short call has no noticeable delay, and a database gets at most five queries a
// second for each repeat.
const (
	firstLook = 5 * time.Millisecond
	lastLook  = 200 * time.Millisecond
)

// withdrawTime is the time limit for returning a claim after a failure of the store. Chosen:
// hardly noticeable for a caller that gets a failure.
const withdrawTime = time.Second

// A call is one call with a key.
type call struct {
	opts      *Options
	ctx       context.Context //nolint:containedctx // lives as long as the call
	key       string
	madeKey   bool // the call had no key
	request   Request
	running   running
	arguments json.RawMessage     // the call's arguments, as sent
	meta      mcp.Meta            // the _meta of a failed result
	authored  *mcp.CallToolResult // the author's own content of a failure, or nil
	resolved  bool                // the store knows the end
	finishBy  time.Time           // the store's deadline for that: the length of a lease
}

// start claims the key, or returns the first call's answer.
func (c *call) start(req *mcp.CallToolRequest, arguments map[string]any) (first *answer, err error) {
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
			e = toolerr.Internal(err) // a failure of the store, not of the caller
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

// claim calls the store until the key is claimed, has an answer, or the wait ends.
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

// withdraw returns a claim that may have been made although the store returned an error, so
// that a repeat need not wait for the end of the lease.
func (c *call) withdraw() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), withdrawTime)
	defer cancel()
	_ = c.opts.store().Finish(ctx, c.request.ID, c.request.Owner, Ending{Effect: toolerr.EffectNone})
}

// succeed stores a success as the answer. See answerOf for again.
func (c *call) succeed(res *mcp.CallToolResult, out, again any) {
	a, err := answerOf(res, out, again)
	if err != nil {
		a = &answer{Failure: lostAnswer(err, toolerr.EffectApplied).AppendJSON(nil)}
	}
	c.keep(a, toolerr.EffectApplied)
}

// failed finishes a failed call, and returns its failure. The context is the handler's.
func (c *call) failed(ctx context.Context, err error) error {
	if wire, ok := err.(*jsonrpc.Error); ok && wire.Code != 0 { //nolint:errorlint // only a direct one is meant as a protocol error
		effect := toolerr.EffectNone // the call was not made
		if wire.Code == jsonrpc.CodeInternalError {
			effect = toolerr.EffectUnknown // an internal error does not say so
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
	if ctx.Err() != nil {
		ctx = c.ctx // it has the reason; in the grace period it has ended, and the handler's has not
	}
	e, authored, cause := classifier.Describe(ctx, res, err)
	c.authored = authored
	if e.Effect == "" || e.Effect == toolerr.EffectNone && !classifier.ByAuthor(cause) {
		e = e.WithEffect(toolerr.EffectUnknown) // only a stated effect allows a second run
	}
	return c.failure(c.fail(e), cause)
}

// fail stores the failure of a call, and returns the stored failure.
func (c *call) fail(e *toolerr.Error) *toolerr.Error {
	if e.Effect == toolerr.EffectNone && c.running.lost.Load() {
		e = e.WithEffect(toolerr.EffectUnknown) // another run of the call has started
	}
	repeated := c.withKey(c.final(e)) // the failure for repeats
	switch {
	case e.Effect != toolerr.EffectNone:
		c.keep(failureOf(repeated, c.authored), cmp.Or(e.Effect, toolerr.EffectUnknown))
	case c.request.Attempt > 0: // a duplicate of the attempt may follow
		c.keep(failureOf(repeated, c.authored), e.Effect)
	default:
		c.finish(Ending{Effect: e.Effect})
	}
	if e.Effect == toolerr.EffectNone && c.running.lost.Load() { // the store reported it only now
		return c.withKey(c.final(e.WithEffect(toolerr.EffectUnknown)))
	}
	return repeated
}

// final returns a failure in the form for repeats that are not carried out.
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

// stored is final for a stored failure, because the options may have changed since.
func (c *call) stored(err error) error {
	if e, ok := err.(*toolerr.Error); ok { //nolint:errorlint // as it was decoded
		return c.final(e)
	}
	return err
}

// refused returns the failure of a call that was not started, or nil.
func (c *call) refused(err error) error {
	if err == nil {
		return nil
	}
	e := toolerr.From(err)
	return c.failure(e, cmp.Or(e.Unwrap(), err))
}

// failure returns a failure with the key if a repeat makes sense. Its cause is logged and not
// classified again.
func (c *call) failure(e *toolerr.Error, cause error) error {
	e = c.withKey(e)
	return failure.Error(e, cause, c.meta, c.authored, !c.madeKey)
}

// withKey returns e with the key, and with a hint that names its argument, if a repeat makes
// sense: if e is retryable or has an unknown effect.
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

// keep finishes the call with an answer. If the store cannot save it, it saves only the
// effect. If that fails too, the key stays claimed until the end of the lease, and nothing
// is done twice.
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

// finish records the end of the call in the store.
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

// log logs an error of the store with the middleware's logger.
func (c *call) log(what string, err error) {
	failure.FromContext(c.ctx).Log().LogAttrs(c.ctx, slog.LevelError, what, slog.Any("error", toolerr.Internal(err)))
}
