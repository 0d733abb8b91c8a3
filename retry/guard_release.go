package retry

import (
	"slices"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An ending describes how a guarded call ended.
type ending struct {
	out        result.Outcome // of the last attempt
	action     Action
	safety     Safety
	sent       bool   // an attempt was sent
	unresolved bool   // the call may have taken effect
	temporary  bool   // the failure is expected to end, also if it was handed up
	key        string // the key with which a repeat is safe
	ownKey     bool   // the call was sent with the key
}

// isAnswer reports whether the call succeeded, with data or an empty answer.
func (e *ending) isAnswer() bool {
	return e.out.Kind == result.KindData || e.out.Kind == result.KindEmpty
}

// remember records how a call ended. If the failure should be reported rather than retried,
// it returns the number of such failures, otherwise 0.
func (c *guardedCall) remember(e ending) (report int) {
	g := c.guard
	if g == nil || c.watched() && c.turn == nil { // the context ended before the call's turn
		return 0
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.clock++
	if e.sent {
		c.release(&e)
	}
	if !c.watched() {
		return 0
	}
	known := c.known()
	now := c.guarded(&e)
	switch {
	case known != nil && isKept(known, now, &e):
		if e.sent {
			known.at = time.Now()
			g.memory.touch(known)
		}
		return 0
	case known != nil:
		g.memory.forget(known)
		if now != nil {
			now.follow(known)
		}
	}
	if now == nil {
		return 0
	}
	g.memory.add(now)
	if now.times >= reportFrom && (now.retried || now.key != "") {
		return now.times
	}
	return 0
}

// isKept reports whether the known call is kept although the identical call has ended as
// now, which is nil if it is not remembered. A call that may have taken effect is only
// replaced after a success: the refusal of a repeat does not show what the first call did.
func isKept(known, now *guarded, e *ending) bool {
	if !e.sent {
		return known.held || now == nil || !known.retried
	}
	return known.held && !e.isAnswer() && (now == nil || !now.held)
}

// guarded returns the call to remember, or nil if it may be repeated.
func (c *guardedCall) guarded(e *ending) *guarded {
	now := &guarded{id: c.id, at: time.Now(), times: 1, action: e.action, values: c.values, ended: c.guard.clock}
	err := e.out.Err
	twice := e.safety == SafetyUnknown || e.safety == SafetyKeyed // a repeat may do the work twice
	switch {
	case e.out.Kind == result.KindEmpty:
		now.empty = newEmptyAnswer(e.out)
		return now
	case err == nil:
		return nil
	case twice && (e.unresolved || err.Effect == toolerr.EffectApplied && !isReplayed(e)):
		now.held, now.unresolved = true, e.unresolved
		now.err = brief(err)
		if e.unresolved {
			now.err.Effect = toolerr.EffectUnknown
		}
		if e.unresolved && len(e.key) <= maxKey {
			now.key, now.ownKey = e.key, e.ownKey
		}
		return now
	case e.out.Kind != result.KindFailure || err.Code == toolerr.CodeCanceled:
		return nil
	}
	now.retried = e.temporary
	now.err = brief(err)
	if err.Code == toolerr.CodeFailedPrecondition {
		now.first, _ = err.Details["first"].(string)
	}
	return now
}

// isReplayed reports whether a call ended with a part of its answer that a repeat with the
// same key gets again.
func isReplayed(e *ending) bool { return e.key != "" && e.out.Err.Partial != nil }

// follow takes over the counts and the key of the identical call before.
func (g *guarded) follow(before *guarded) {
	if (g.err == nil) == (before.err == nil) && g.retried == before.retried && g.held == before.held {
		g.times += before.times
	}
	if g.unresolved && before.unresolved && before.key != "" {
		g.key, g.ownKey = before.key, before.ownKey
	}
	if g.err == nil && before.err == nil {
		g.empty = before.empty
	}
}

// release forgets the calls that may end differently after this one, and those that are too
// old.
func (c *guardedCall) release(e *ending) {
	g, err := c.guard, e.out.Err
	changed := e.safety != SafetyReadOnly && (e.isAnswer() || e.unresolved || err != nil && (err.Partial != nil || err.Effect == toolerr.EffectApplied))
	g.memory.forgetOld(time.Now())
	answered := e.isAnswer() // it may satisfy a precondition
	g.memory.forgetIf(&g.memory.recent, func(known *guarded) bool {
		return known.id != c.id && (changed || answered && known.isPrecondition() && (known.first == "" || known.first == c.tool))
	})
	if e.safety == SafetyReadOnly && isLookup(e.out) {
		g.memory.forgetIf(&g.memory.held, c.looksUp)
	}
}

// isLookup reports whether an outcome shows the current state: data, an empty answer, or a
// definite refusal. A refusal of the arguments or of the caller does not show it.
func isLookup(o result.Outcome) bool {
	switch {
	case o.Kind == result.KindData || o.Kind == result.KindEmpty:
		return true
	case o.Kind != result.KindFailure || o.Result == nil || o.Err == nil || o.Err.Retryable || slices.Contains(refusals, o.Err.Code):
		return false
	case o.Err.Category == toolerr.CategoryBusiness:
		return true
	}
	return o.Err.Category == toolerr.CategoryValidation
}

// refusals are the codes of calls that were refused before a lookup.
var refusals = []toolerr.Code{
	toolerr.CodeInvalidArgument, toolerr.CodeMissingArgument, toolerr.CodeAmbiguous, toolerr.CodeOutOfRange,
	toolerr.CodeFailedPrecondition, toolerr.CodeLimitExceeded,
}

// looksUp reports whether the call shares an identifying value with the held one, and is a
// different call of the same server that started after the held one ended. A held call with
// its own key is not released, because its repeat with the key is safe.
func (c *guardedCall) looksUp(known *guarded) bool {
	return (known.key == "" || !known.ownKey) && known.id != c.id && known.id.server == c.id.server && c.start >= known.ended &&
		slices.ContainsFunc(c.values, func(v uint64) bool { return slices.Contains(known.values, v) })
}
