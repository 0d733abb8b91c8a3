package guard

import (
	"slices"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	recentSize = 1000 // failures and empty answers: more than a useful conversation has; 8 MiB at 8 KiB each
	// recentAge is how long a failure or an empty answer is remembered. After minutes the cause may be gone.
	recentAge = 10 * time.Minute
	heldSize  = 5000 // calls that took or may have taken effect: five times recentSize; 60 MiB at 12 KiB each
	// HeldAge is how long a call is held: as long as Stripe remembers an idempotency key.
	HeldAge  = 24 * time.Hour
	emptyAge = time.Minute // how long an empty answer is given instead of a call: what an agent waits for may come
	// repeats is how many empty answers, or failures that are transient but not retryable or for lack of permission,
	// stop a call. They allow one repeat, because the cause may be gone, or something added.
	repeats = 2
)

const (
	recent = iota // a failure or an empty answer
	held          // it took effect, or may have
	kinds
)

// A remembered is a call that ended without success, or found nothing.
type remembered struct {
	id        callID
	kind      int
	until     time.Time
	ended     uint64 // the guard's clock when it ended
	action    int
	err       *toolerr.Error // nil for an empty answer
	empty     []byte         // the empty answer as JSON
	allowed   int            // number of such calls that are sent before the next one is stopped
	times     int            // number of calls that ended like this
	stopped   int            // number of calls stopped since
	temporary bool           // the failure may pass, so that all calls are sent

	unresolved bool      // it is held, because it may have taken effect
	continues  bool      // another call continues it
	key        string    // the key with which a repeat of a held call is safe
	ownKey     bool      // a repeat gets the key
	answered   bool      // the last failure was an answer and not temporary; else the call may still run
	since      time.Time // when the first attempt was sent
	looked     bool      // it was looked up since, so that a call with another key is sent
	values     values
}

// lock locks the guard, and forgets the calls that are too old.
func (g *Guard) lock() {
	g.mu.Lock()
	if g.calls == nil {
		g.running, g.calls, g.refused = map[callID]chan struct{}{}, map[callID][]*remembered{}, map[toolID]int{}
	}
	for kind := range kinds {
		for len(g.kinds[kind]) > 0 && time.Now().After(g.kinds[kind][0].until) {
			g.forget(g.kinds[kind][0])
		}
	}
}

// add remembers a call, and forgets the oldest of its kind if there are too many.
func (g *Guard) add(r *remembered) {
	g.forget(g.find(r.id, r.key))
	g.calls[r.id], g.kinds[r.kind] = append(g.calls[r.id], r), append(g.kinds[r.kind], r)
	if all := g.kinds[r.kind]; len(all) > [kinds]int{recentSize, heldSize}[r.kind] {
		g.forget(all[0])
	}
}

// find returns what is remembered about a call with a key, or without one, or nil.
func (g *Guard) find(id callID, key string) *remembered {
	for _, r := range g.calls[id] {
		if r.key == key {
			return r
		}
	}
	return nil
}

// forget forgets a call, unless it is nil.
func (g *Guard) forget(r *remembered) {
	if r == nil {
		return
	}
	isIt := func(other *remembered) bool { return other == r }
	if g.calls[r.id] = slices.DeleteFunc(g.calls[r.id], isIt); len(g.calls[r.id]) == 0 {
		delete(g.calls, r.id)
	}
	g.kinds[r.kind] = slices.DeleteFunc(g.kinds[r.kind], isIt)
}
