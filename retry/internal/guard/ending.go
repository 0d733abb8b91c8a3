package guard

import (
	"maps"
	"slices"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An Ending describes how a call ended.
type Ending struct {
	Outcome    result.Outcome // of the last attempt
	Action     int            // what is to be done about it; only kept
	Sent       bool           // an attempt was sent
	ReadOnly   bool           // the tool changes nothing
	Idempotent bool           // a repeat has no further effect, also without a key
	Unresolved bool           // the call may have taken effect
	Temporary  bool           // the failure is expected to end, also if it was handed up
	Key        string         // the key with which a repeat is safe
	OwnKey     bool           // the call was sent with the key
}

// isAnswer reports whether the call succeeded, with data or an empty answer.
func (e *Ending) isAnswer() bool {
	return e.Outcome.Kind == result.KindData || e.Outcome.Kind == result.KindEmpty
}

// isKept reports whether the known call is kept although the identical call has ended as
// now, which is nil if it is not remembered. A call that may have taken effect is only
// replaced after a success: the refusal of a repeat does not show what the first call did.
func isKept(known, now *remembered, e *Ending) bool {
	if !e.Sent {
		return known.held || now == nil || !known.retried
	}
	return known.held && !e.isAnswer() && (now == nil || !now.held)
}

// remember returns the call to remember, or nil if it may be repeated.
func (c *Call) remember(e *Ending) *remembered {
	now := &remembered{id: c.id, at: time.Now(), used: c.guard.clock, ended: c.guard.clock, times: 1, action: e.Action, values: c.values}
	err := e.Outcome.Err
	twice := !e.ReadOnly && !e.Idempotent // a repeat may do the work twice
	switch {
	case e.Outcome.Kind == result.KindEmpty:
		now.empty = emptyAnswer(e.Outcome)
		return now
	case err == nil:
		return nil
	case twice && (e.Unresolved || err.Effect == toolerr.EffectApplied && !isReplayed(e)):
		now.held, now.unresolved, now.err = true, e.Unresolved, brief(err)
		if e.Unresolved {
			now.err.Effect = toolerr.EffectUnknown
		}
		if e.Unresolved && len(e.Key) <= maxKey {
			now.key, now.ownKey = e.Key, e.OwnKey
		}
		return now
	case e.Outcome.Kind != result.KindFailure || err.Code == toolerr.CodeCanceled:
		return nil
	}
	now.retried, now.err = e.Temporary, brief(err)
	return now
}

// isReplayed reports whether a call ended with a part of its answer that a repeat with the
// same key gets again.
func isReplayed(e *Ending) bool { return e.Key != "" && e.Outcome.Err.Partial != nil }

// follow takes over the counts and the key of the identical call before.
func (r *remembered) follow(before *remembered) {
	if (r.err == nil) == (before.err == nil) && r.retried == before.retried && r.held == before.held {
		r.times += before.times
	}
	if r.unresolved && before.unresolved && before.key != "" {
		r.key, r.ownKey = before.key, before.ownKey
	}
	if r.err == nil && before.err == nil {
		r.empty = before.empty
	}
}

// release forgets the calls that may end differently after this one, and those that are too
// old, with their sessions.
func (c *Call) release(e *Ending) {
	err, now, answered := e.Outcome.Err, time.Now(), e.isAnswer() // an answer may satisfy a precondition
	changed := !e.ReadOnly && (answered || e.Unresolved || err != nil && (err.Partial != nil || err.Effect == toolerr.EffectApplied))
	maps.DeleteFunc(c.guard.memory.recent, func(id callID, known *remembered) bool {
		return known.isOld(now) || id != c.id && (changed || answered && known.asksFor(c.tool))
	})
	looked := e.ReadOnly && isLookup(e.Outcome)
	maps.DeleteFunc(c.guard.memory.held, func(_ callID, known *remembered) bool {
		return known.isOld(now) || looked && c.looksUp(known)
	})
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
func (c *Call) looksUp(known *remembered) bool {
	return (known.key == "" || !known.ownKey) && known.id != c.id && known.id.server == c.id.server && c.start >= known.ended &&
		slices.ContainsFunc(c.values, func(v uint64) bool { return slices.Contains(known.values, v) })
}
