package retry

import (
	"slices"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An ending is how a guarded call has ended.
type ending struct {
	out        result.Outcome // as the last attempt brought it
	action     Action
	safety     Safety
	sent       bool   // an attempt was sent
	unresolved bool   // the call may have taken effect
	key        string // the key under which a repeat is not done twice
	ownKey     bool   // the call was sent with it
}

// isAnswer reports whether the call ended with an answer that is no failure.
func (e *ending) isAnswer() bool {
	return e.out.Kind == result.KindData || e.out.Kind == result.KindEmpty
}

// remember records how a call has ended. It returns how often it has failed so if its
// failure is to be reported rather than retried once more, else 0.
func (c *guardedCall) remember(e ending) (report int) {
	g := c.guard
	if g == nil || c.watched() && c.turn == nil { // it was not checked because its context ended
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
	case known != nil && stays(known, now, &e):
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

// stays reports whether what is known of a call outlives how it has ended now, which is
// nil if nothing is to be remembered of that. Only an answer says that a call which may
// have taken effect has not, or has only once: that a repeat was refused says nothing
// about the first one.
func stays(known, now *guarded, e *ending) bool {
	if !e.sent {
		return known.held || now == nil || !known.retried
	}
	return known.held && !e.isAnswer() && (now == nil || !now.held)
}

// guarded returns what is remembered of a call that ended so, or nil if it may be
// repeated.
func (c *guardedCall) guarded(e *ending) *guarded {
	now := &guarded{id: c.id, at: time.Now(), times: 1, action: e.action, values: c.values, ended: c.guard.clock}
	err := e.out.Err
	twice := e.safety == SafetyUnknown || e.safety == SafetyKeyed // a repeat may be done twice
	switch {
	case e.out.Kind == result.KindEmpty:
		now.empty = newEmptyAnswer(e.out)
		return now
	case err == nil:
		return nil
	case twice && (e.unresolved || err.Effect == toolerr.EffectApplied):
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
	now.retried = mayPass(err)
	now.err = brief(err)
	if err.Code == toolerr.CodeFailedPrecondition {
		now.first, _ = err.Details["first"].(string)
	}
	return now
}

// mayPass reports whether a failure is expected to pass: it is retryable, or was before
// it was handed up.
func mayPass(e *toolerr.Error) bool {
	return e.Retryable || len(e.Attempted) > 0 && e.Category == toolerr.CategoryTransient && e.Code != toolerr.CodeInternal
}

// follow adds what was known of the call before.
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

// release forgets the calls that may end otherwise after this one, and those that are
// too old, with their sessions.
func (c *guardedCall) release(e *ending) {
	g, err := c.guard, e.out.Err
	changed := e.safety != SafetyReadOnly && (e.isAnswer() || e.unresolved || err != nil && (err.Partial != nil || err.Effect == toolerr.EffectApplied))
	g.memory.forgetOld(time.Now())
	switch {
	case changed:
		g.memory.forgetRecent(c.id)
	case e.isAnswer(): // of a tool that may have to be called first
		g.memory.forgetAll(g.memory.preconditions.of(""), c.id)
		g.memory.forgetAll(g.memory.preconditions.of(c.tool), c.id)
	}
	if e.safety != SafetyReadOnly || !isLook(e.out) {
		return
	}
	for _, v := range c.values {
		for _, known := range g.memory.values.of(v) {
			if c.looksAt(known) {
				g.memory.forget(known)
			}
		}
	}
}

// isLook reports whether an outcome says how things are: that they are so, that there
// are none, or definitely not. A refusal of the arguments or of the caller does not.
func isLook(o result.Outcome) bool {
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

// refusals are the codes of a call that was refused before anything was looked up.
var refusals = []toolerr.Code{
	toolerr.CodeInvalidArgument, toolerr.CodeMissingArgument, toolerr.CodeAmbiguous, toolerr.CodeOutOfRange,
	toolerr.CodeFailedPrecondition, toolerr.CodeLimitExceeded,
}

// looksAt reports whether the call, which has a value of the held one among its arguments,
// was made on its server after that had ended, and is another one. One with a key is not
// released: its repeat with the key is safe.
func (c *guardedCall) looksAt(known *guarded) bool {
	return (known.key == "" || !known.ownKey) && known.id != c.id && known.id.server == c.id.server && c.began >= known.ended
}
