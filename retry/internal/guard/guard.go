// Package guard remembers the calls of one conversation that failed or found nothing, and stops
// futile or risky repeats. The rules are those of retry.Guard.
package guard

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	reportFrom = 3 // failures of a call, nine attempts by default, or stops of it, after which the hint is to report them
	// askFrom calls of a tool with different arguments, all refused, make the hint to ask the user. One
	// more than reportFrom, because a model learns from each refusal.
	askFrom = 4
)

// A Guard holds the remembered and the running calls. A nil *Guard watches nothing.
type Guard struct {
	mu      sync.Mutex
	calls   map[callID][]*remembered // of identical calls, those in doubt with different keys, or one
	kinds   [kinds][]*remembered     // the same calls, the oldest first
	running map[callID]chan struct{} // closed when the call ends
	refused map[toolID]int           // calls with wrong arguments since the tool's last answer
	clock   uint64                   // number of calls that have ended
}

// A toolID identifies a tool of a server.
type toolID struct {
	server any
	tool   string
}

// A Call is a call in progress.
type Call struct {
	Stopped *result.Outcome // the outcome if the call must not be made, otherwise nil
	Action  int             // that of the remembered call if stopped, or 0 if the input was not fixed in time
	// Since is when an identical call was sent that may have taken effect, otherwise zero. Key is the
	// idempotency key, if any, that this call must then use.
	Since time.Time
	Key   string

	of    *Identity
	guard *Guard // nil if the call is not watched
	start uint64 // the guard's clock, or 0 if nothing was kept
	turn  bool   // no identical call is running
	keeps bool   // it was begun with Keep
}

// unwatched is the call of a nil Guard. It is never changed.
var unwatched = &Call{}

// Begin waits until no identical call is running or the context ends, and decides whether to stop
// the call. The caller must call End.
func (g *Guard) Begin(ctx context.Context, of *Identity) *Call {
	if g == nil || !of.isKnown() {
		return unwatched
	}
	c := &Call{guard: g, of: of}
	g.lock()
	defer g.mu.Unlock()
	c.turn = g.takeTurn(ctx, of.id)
	known := c.begin()
	isSafe := known != nil && known.unresolved && known.key != "" && (of.key == known.key || of.key == "" && known.ownKey)
	if known != nil && c.turn && !known.temporary && known.times >= known.allowed && !isSafe &&
		(known.err != nil || time.Until(known.until) > recentAge-emptyAge) {
		known.stopped++
		c.Stopped, c.Action = known.outcome(of.Params.Name)
	}
	return c
}

// Keep is like Begin for a guard that only keeps the keys of unresolved calls: it neither waits nor
// stops a call. While it keeps none, it does not compute the identity.
func (g *Guard) Keep(of *Identity) *Call {
	if g == nil {
		return unwatched
	}
	c := &Call{guard: g, of: of, turn: true, keeps: true}
	g.lock()
	defer g.mu.Unlock()
	if len(g.calls) > 0 && of.isKnown() {
		c.begin()
	}
	return c
}

// begin returns what is remembered about the call: of several identical ones the one with its key, or
// the first that was not looked up since. It returns nil if the call has another key and may be made,
// because they all were, or because it is begun with Keep.
func (c *Call) begin() (known *remembered) {
	c.start = c.guard.clock
	for _, r := range c.guard.calls[c.of.id] {
		isOther := r.key != "" && c.of.key != "" && c.of.key != r.key
		switch {
		case isOther && (c.keeps || r.looked && r.answered), c.keeps && !r.unresolved:
		case known == nil, known.looked && !r.looked && known.key != c.of.key, r.key != "" && r.key == c.of.key:
			known = r
		}
	}
	if known != nil && known.unresolved {
		c.Since = known.since
		if known.ownKey {
			c.Key = known.key
		}
	}
	return known
}

// Since returns when a kept call with this key was first sent: a server that started later may not
// know the key. It returns the zero time if there is none.
func (g *Guard) Since(key string) (since time.Time) {
	if g == nil || key == "" {
		return since
	}
	g.lock()
	defer g.mu.Unlock()
	if i := slices.IndexFunc(g.kinds[held], func(r *remembered) bool { return r.key == key }); i >= 0 {
		since = g.kinds[held][i].since
	}
	return since
}

// takeTurn waits until no identical call is running, and returns false if the context ends first.
// It is called with the lock held, and releases the lock to wait.
func (g *Guard) takeTurn(ctx context.Context, id callID) bool {
	for before := g.running[id]; before != nil; before = g.running[id] {
		g.mu.Unlock()
		select {
		case <-before:
		case <-ctx.Done():
		}
		g.lock()
		if g.running[id] == before {
			return false
		}
	}
	g.running[id] = make(chan struct{})
	return true
}

// End passes the turn to the next identical call.
func (c *Call) End() {
	if !c.turn || c.keeps {
		return
	}
	c.guard.mu.Lock()
	defer c.guard.mu.Unlock()
	close(c.guard.running[c.of.id])
	delete(c.guard.running, c.of.id)
}

// Report records how the call ended. If the failure should be reported rather than retried, or the
// user asked, it returns the hint, otherwise "".
func (c *Call) Report(e Ending) (advice string) {
	isKept := e.Key != "" && e.Outcome.Err != nil // also if nothing was kept when the call was begun
	if !c.turn || !e.Sent && !e.Temporary || c.of.id.server == nil && !isKept || !c.of.isKnown() {
		return ""
	}
	g := c.guard
	g.lock()
	defer g.mu.Unlock()
	g.clock++
	if e.Sent {
		c.release(&e)
	}
	now, known := c.remember(&e), cmp.Or(g.find(c.of.id, cmp.Or(c.of.key, e.Key)), g.find(c.of.id, ""))
	isOther := known == nil && len(g.calls[c.of.id]) > 0 // than those in doubt, which its failure says nothing about
	if known != nil && known.outlives(now, &e) || isOther && now != nil && now.kind != held {
		return ""
	}
	g.forget(known)
	refused, tool := 0, toolID{c.of.Server, c.of.Params.Name}
	switch err := e.Outcome.Err; {
	case c.keeps || e.isAnswer() || len(g.refused) > recentSize:
		delete(g.refused, tool)
	case e.Sent && known == nil && err != nil && err.Category == toolerr.CategoryValidation &&
		(err.Effect == "" || err.Effect == toolerr.EffectNone):
		g.refused[tool]++
		refused = g.refused[tool]
	}
	if now != nil && (!c.keeps || now.key != "") {
		if known != nil {
			now.follow(known)
		}
		g.add(now)
	}
	return c.advice(now, refused)
}
