package guard

import (
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// recentSize is the maximum number of failures and empty answers that a guard remembers. A
	// useful conversation has fewer; at 8 KiB each they take at most 8 MiB.
	recentSize = 1000
	// recentAge is how long a failure or an empty answer is remembered. Models repeat themselves
	// within seconds, and after minutes the cause may be gone.
	recentAge = 10 * time.Minute
	// heldSize is the maximum number of calls that a guard holds because they took or may have
	// taken effect. It is five times recentSize; at 12 KiB each, calls take at most 60 MiB.
	heldSize = 5000
	// HeldAge is how long a call is held. Stripe remembers an idempotency key that long, and
	// conversations are shorter.
	HeldAge = 24 * time.Hour
	// emptyAnswers is the number of empty answers after which a call is stopped. It allows one
	// repeat, because something may have been added.
	emptyAnswers = 2
	// unexpectedFailures is the number of failures after which a call is stopped, if they are
	// transient but not retryable, or due to missing permission. It allows one repeat, because the
	// cause may be gone.
	unexpectedFailures = 2
)

// A remembered is a call that ended without success, or found nothing.
type remembered struct {
	id      callID
	until   time.Time
	ended   uint64 // the guard's clock when it ended
	action  int
	err     *toolerr.Error // nil for an empty answer
	empty   []byte         // the empty answer as JSON
	allowed int            // number of such calls that are sent before the next one is stopped
	times   int            // number of calls that ended like this
	stopped int            // number of calls stopped since
	retried bool           // the failure is retryable

	held       bool      // it has taken effect, or may have
	unresolved bool      // it may have taken effect
	continues  bool      // another call continues it
	key        string    // the key with which a repeat of a held call is safe
	ownKey     bool      // a repeat gets the key
	since      time.Time // when the first attempt with the key was sent, of a kept call
	looked     bool      // it was looked up since, so that a call with another key is sent
	values     []uint64
}

// isSafeWith reports whether an unresolved call may be repeated with this key, or without one.
func (r *remembered) isSafeWith(key string) bool {
	return r.unresolved && r.key != "" && (key == r.key || key == "" && r.ownKey)
}

// find returns the call, or nil if it is not remembered.
func (g *Guard) find(id callID) *remembered {
	if known := g.calls[id]; known != nil && !time.Now().After(known.until) {
		return known
	}
	return nil
}

// add remembers a call, and forgets the oldest of its kind if there are too many.
func (g *Guard) add(call *remembered) {
	g.calls[call.id] = call
	limit := recentSize
	if call.held {
		limit = heldSize
	}
	n, oldest := 0, call
	for _, other := range g.calls {
		if other.held != call.held {
			continue
		}
		n++
		if other.ended < oldest.ended {
			oldest = other
		}
	}
	if n > limit {
		delete(g.calls, oldest.id)
	}
}
