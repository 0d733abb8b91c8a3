package guard

import (
	"cmp"
	"maps"
	"math"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// recentSize is the maximum number of failures and empty answers that a guard remembers.
	// Chosen: more failures than a useful conversation has; at 8 KiB each they take at most
	// 8 MB.
	recentSize = 1000
	// recentAge is how long a failure or an empty answer is remembered. Chosen: models repeat
	// themselves within seconds, and after minutes the cause may be gone.
	recentAge = 10 * time.Minute
	// heldSize is the maximum number of calls that a guard holds because they may have taken
	// effect. Chosen: five times recentSize; at 12 KiB each they take at most 60 MB.
	heldSize = 5000
	// HeldAge is how long such a call is held. Chosen: as long as Stripe remembers an
	// idempotency key, and longer than a conversation.
	HeldAge = 24 * time.Hour
	// emptyAnswers is the number of empty answers after which a call is stopped. Chosen: one
	// repeat, because something may have been added.
	emptyAnswers = 2
	// unexpectedFailures is the same for a transient failure that is not retryable. Chosen:
	// one repeat, because an unexpected failure may not recur.
	unexpectedFailures = 2
)

// A remembered call has ended without success.
type remembered struct {
	id      callID
	at      time.Time
	used    uint64 // the guard's clock when it was added or stopped a call
	action  int
	err     *toolerr.Error // nil for an empty answer
	empty   []byte         // the empty answer as JSON
	times   int            // number of calls that ended like this
	stopped int            // number of calls stopped since
	retried bool           // the failure is retryable

	held       bool   // it has taken effect, or may have
	unresolved bool   // it may have taken effect
	key        string // the key with which a repeat of a held call is safe
	ownKey     bool   // a repeat gets the key
	values     []uint64
	ended      uint64 // the guard's clock when it ended
}

// allowed returns the number of such calls that are sent before the next one is stopped.
func (r *remembered) allowed() int {
	switch {
	case r.held:
		return 1
	case r.retried:
		return math.MaxInt
	case r.err == nil:
		return emptyAnswers
	case r.err.Category == toolerr.CategoryTransient:
		return unexpectedFailures
	}
	return 1
}

// isSafeWith reports whether a repeat with this key, or with none, does nothing twice.
func (r *remembered) isSafeWith(key string) bool {
	return r.unresolved && r.key != "" && (key == r.key || key == "" && r.ownKey)
}

func (r *remembered) isOld(now time.Time) bool {
	if r.held {
		return now.Sub(r.at) > HeldAge
	}
	return now.Sub(r.at) > recentAge
}

// asksFor reports whether the failure is a failed_precondition that a call of the tool may meet.
func (r *remembered) asksFor(tool string) bool {
	if r.err == nil || r.err.Code != toolerr.CodeFailedPrecondition {
		return false
	}
	first, _ := r.err.Details["first"].(string)
	return first == "" || first == tool
}

// A memory holds the remembered calls of a guard. The zero value is empty.
type memory struct{ recent, held map[callID]*remembered }

// find returns the call, or nil if it is not remembered.
func (m *memory) find(id callID) *remembered {
	if known := cmp.Or(m.recent[id], m.held[id]); known != nil && !known.isOld(time.Now()) {
		return known
	}
	return nil
}

func (m *memory) forget(id callID) {
	delete(m.recent, id)
	delete(m.held, id)
}

// add remembers a call, and forgets the least recently used of its kind if there are too
// many.
func (m *memory) add(call *remembered) {
	calls, limit := &m.recent, recentSize
	if call.held {
		calls, limit = &m.held, heldSize
	}
	if *calls == nil {
		*calls = map[callID]*remembered{}
	}
	(*calls)[call.id] = call
	if len(*calls) <= limit {
		return
	}
	oldest := call
	for other := range maps.Values(*calls) {
		if other.used < oldest.used {
			oldest = other
		}
	}
	delete(*calls, oldest.id)
}
