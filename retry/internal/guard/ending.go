package guard

import (
	"cmp"
	"slices"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An Ending describes how a call ended.
type Ending struct {
	Outcome    result.Outcome // of the last attempt
	Action     int            // what to do about it; only stored
	Sent       bool           // an attempt was sent
	ReadOnly   bool           // the tool changes nothing
	Idempotent bool           // a repeat has no further effect, also without a key
	Unresolved bool           // the call may have taken effect
	Temporary  bool           // the failure may pass, even if it was retried already
	Key        string         // the key with which a repeat is safe
	OwnKey     bool           // the call was sent with the key
	Since      time.Time      // when the first attempt was sent; zero if none was
}

// isAnswer reports whether the call returned data or an empty answer.
func (e *Ending) isAnswer() bool {
	return e.Outcome.Kind == result.KindData || e.Outcome.Kind == result.KindEmpty
}

// outlives reports whether r is kept after an identical call. Now is what to remember about that
// call, or nil. A held call is replaced only after a success or by another held one: the refusal of
// a repeat does not show what the first call did, nor does a call that was not sent.
func (r *remembered) outlives(now *remembered, e *Ending) bool {
	return !e.Sent && !r.temporary || r.kind == held && !e.isAnswer() && (now == nil || now.kind != held)
}

// remember returns what to remember about the call, or nil.
func (c *Call) remember(e *Ending) *remembered {
	err := e.Outcome.Err
	if err == nil && e.Outcome.Kind != result.KindEmpty {
		return nil
	}
	now := &remembered{
		id: c.of.id, ended: c.guard.clock, times: 1, allowed: 1, action: e.Action, values: c.of.values,
		until: time.Now().Add(recentAge),
	}
	twice := !e.ReadOnly && !e.Idempotent // a repeat may do the work twice
	continues := err != nil && err.Partial != nil && err.Partial.ContinueFrom != nil
	replayed := e.Key != "" && err != nil && err.Partial != nil && (continues || !c.keeps) // a repeat gets the same part
	switch {
	case err == nil:
		now.empty, now.allowed = emptyAnswer(e.Outcome), repeats
		return now
	case twice && (e.Unresolved || err.Effect == toolerr.EffectApplied && !replayed):
		now.kind, now.unresolved, now.until = held, e.Unresolved, time.Now().Add(HeldAge)
	case e.Outcome.Kind != result.KindFailure,
		err.Code == toolerr.CodeCanceled && err.Category != toolerr.CategoryBusiness: // which is a person's no
		return nil
	case e.Temporary:
		now.temporary = true
	case err.Category == toolerr.CategoryTransient, err.Category == toolerr.CategoryPermission:
		now.allowed = repeats
	}
	now.err, now.continues, now.since = brief(err), continues, e.Since
	if now.unresolved {
		now.err.Effect = toolerr.EffectUnknown
	}
	if now.unresolved || c.keeps && now.kind == held {
		now.key, now.ownKey, now.answered = e.Key, e.OwnKey, !e.Temporary
	}
	return now
}

// follow takes over the count, the key, the earlier start and the empty answer of the previous identical call.
func (r *remembered) follow(before *remembered) {
	if (r.err == nil) == (before.err == nil) && r.temporary == before.temporary {
		r.times += before.times
	}
	if r.unresolved && before.unresolved && !before.looked {
		r.key = cmp.Or(before.key, r.key)
		if before.since.Before(r.since) { // calls that are only kept may overlap
			r.since = before.since
		}
	}
	if r.err == nil && before.err == nil {
		r.empty = before.empty
	}
}

// release forgets the calls that may end differently after this one. A success may satisfy a
// precondition. A held call with its own key is forgotten only if the look-up found nothing, and the
// server has answered the call, which may otherwise still run: until then a repeat with the key is safe.
func (c *Call) release(e *Ending) {
	g, err, answered := c.guard, e.Outcome.Err, e.isAnswer()
	changed := !e.ReadOnly && (answered || e.Unresolved ||
		err != nil && (err.Partial != nil || err.Effect == toolerr.EffectApplied))
	for _, known := range slices.Backward(g.kinds[recent]) {
		isOpen := changed || answered && toolerr.CodeOf(known.err) == toolerr.CodeFailedPrecondition
		if isOpen && known.id != c.of.id {
			g.forget(known)
		}
	}
	if len(g.kinds[held]) == 0 || !e.isLookup() {
		return
	}
	seen := c.of.values.look()
	for _, known := range slices.Backward(g.kinds[held]) {
		isOther := known.id != c.of.id && known.id.server == c.of.Server && c.start >= known.ended
		if !isOther || !known.values.areIn(seen) { // another call to the same server, begun after the held one ended
			continue
		}
		known.looked = true
		if known.key == "" || !known.ownKey || e.Outcome.Kind != result.KindData && known.answered {
			g.forget(known)
		}
	}
}

// isLookup reports whether the call shows the current state: by data, an empty answer, or the tool's
// answer that something does not exist.
func (e *Ending) isLookup() bool {
	o := e.Outcome
	isMissing := o.Kind == result.KindFailure && o.Result != nil && o.Err.Code == toolerr.CodeNotFound && !o.Err.Retryable
	return e.ReadOnly && (e.isAnswer() || isMissing)
}
