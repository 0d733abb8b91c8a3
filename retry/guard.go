package retry

import (
	"container/list"
	"context"
	"math"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// guardSize is the maximum number of failures and empty answers that a guard remembers.
	// Chosen: more failures than a useful conversation has; at 8 KiB each they take at most
	// 8 MB.
	guardSize = 1000
	// guardAge is how long a failure or an empty answer is remembered. Chosen: models repeat
	// themselves within seconds, and after minutes the cause may be gone.
	guardAge = 10 * time.Minute
	// heldSize is the maximum number of calls that a guard holds because they may have taken
	// effect. Chosen: five times guardSize; at 12 KiB each they take at most 60 MB.
	heldSize = 5000
	// heldAge is how long such a call is held. Chosen: as long as Stripe remembers an
	// idempotency key, and longer than a conversation.
	heldAge = 24 * time.Hour
	// emptyAnswers is the number of empty answers after which a call is stopped. Chosen: one
	// repeat, because something may have been added.
	emptyAnswers = 2
	// unexpectedFailures is the same for a transient failure that is not retryable. Chosen:
	// one repeat, because an unexpected failure may not recur.
	unexpectedFailures = 2
	// reportFrom is the number of failed calls from which the hint of a retryable failure
	// is to report it. Chosen: after nine attempts with the default Policy.
	reportFrom = 3
)

// A Guard stops a model that repeats a call although it cannot succeed, or although it may
// have taken effect. A stopped call is not sent. Its outcome is that of the first call. For
// a failure the hint says what to do instead, and is firmer each time. The [Decision] has
// the action of the first call, [ReasonRepeatedCall], and no attempts. Use one Guard for the
// calls of one conversation, as [Policy.Guard].
//
//	the first call                    the same call again
//
//	a failure that is not retryable   stopped from the first repeat
//	the same, of category transient   stopped from the second repeat: it was unexpected
//	an empty answer                   stopped from the second repeat
//	an unknown or applied effect      stopped from the first repeat, unless a repeat is safe
//	a retryable failure               sent; from the third failure the hint is to report it
//
// Identical calls do not run concurrently. The next call waits, as long as its context
// allows, until the running call ends, and is then treated as a repeat. A handler for input
// must therefore not make the call that asked for the input.
//
// A failure or an empty answer is forgotten after ten minutes, or after a call that may have
// changed something, because the cause may be gone. A failed_precondition is also forgotten
// after a successful call of the tool that it names.
//
// A call that may have taken effect is held for a day, or until a lookup of the same thing.
// Then it may be made once more. Other writes do not release it. A lookup is a later call of
// a read-only tool of the same server. Its answer is data, empty or a definite refusal, and
// its arguments share an identifying value with the held call. Such a value is one of:
//
//   - a string of at least 4 characters with a digit, except dates and times,
//   - a string of at least 8 characters with at least one that is not a letter or an underscore,
//   - an integer of at least 5 digits, not counting trailing zeros.
//
// A held call with an idempotency key is not stopped. It is made again with the same key
// until it succeeds. A repeat with another key is stopped.
//
// Two calls are identical if they have the same server, tool and arguments as JSON values.
// The order of members, the spelling of numbers and the idempotency key are ignored. The
// server is identified by the [Client], or by the [Session] with ==. Calls on a session that
// is not comparable, such as a func, are not remembered, because each may go to another
// server.
//
// A Guard remembers the latest thousand failures and empty answers, with at most 8 KiB each.
// Separately it holds the latest five thousand calls that may have taken effect, with at
// most 12 KiB each, so that failures never displace them. It also holds their Client or
// Session. The zero value is ready to use. A Guard is safe for concurrent use, starts no
// goroutine, and must not be copied. A nil *Guard stops nothing.
type Guard struct {
	mu     sync.Mutex
	memory memory
	turns  map[callID]*turn // by running call
	clock  uint64           // number of calls that have started or ended
}

// A guarded call is a remembered call that ended without success.
type guarded struct {
	id      callID
	at      time.Time
	action  Action
	err     *toolerr.Error // nil for an empty answer
	empty   emptyAnswer
	times   int    // number of calls that ended like this
	stopped int    // number of calls stopped since
	retried bool   // the failure is retryable
	first   string // the tool that its failed_precondition asks for, or "" for any

	held       bool   // it has taken effect, or may have
	unresolved bool   // it may have taken effect
	key        string // the key with which a repeat of a held call is safe
	ownKey     bool   // a repeat gets the key
	values     []uint64
	ended      uint64
	element    *list.Element // its place in a list of the memory
}

// allowed returns the number of such calls that are sent before the next one is stopped.
func (g *guarded) allowed() int {
	switch {
	case g.held:
		return 1
	case g.retried:
		return math.MaxInt
	case g.err == nil:
		return emptyAnswers
	case g.err.Category == toolerr.CategoryTransient:
		return unexpectedFailures
	}
	return 1
}

// A guardedCall is a call in progress. If guard is nil, it is not watched.
type guardedCall struct {
	identity

	guard *Guard
	tool  string
	turn  *turn
	start uint64 // the guard's clock
}

func (g *Guard) call(server any, params *mcp.CallToolParams, keyArgument string) *guardedCall {
	c := &guardedCall{guard: g, tool: params.Name}
	if g != nil {
		c.identity = identify(server, params, keyArgument)
	}
	return c
}

// watched reports whether the call is remembered.
func (c *guardedCall) watched() bool { return c.guard != nil && c.id != (callID{}) }

// begin waits for the turn of the call, and returns its outcome if the call is stopped. If
// the context ends first, the call is not stopped.
func (c *guardedCall) begin(ctx context.Context) (out result.Outcome, d Decision, stopped bool) {
	if c.guard == nil || !c.wait(ctx) {
		return out, d, false
	}
	g := c.guard
	g.mu.Lock()
	defer g.mu.Unlock()
	g.clock++
	c.start = g.clock
	known := c.known()
	if known == nil || known.times < known.allowed() || known.isSafeWith(c.key) {
		return out, d, false
	}
	known.stopped++
	g.memory.touch(known)
	return known.outcome(c.tool), Decision{Action: known.action, Reason: ReasonRepeatedCall}, true
}

// isSafeWith reports whether a repeat with this key, or with none, does nothing twice.
func (g *guarded) isSafeWith(key string) bool {
	return g.unresolved && g.key != "" && (key == g.key || key == "" && g.ownKey)
}

// known returns the remembered call that is identical, or nil. It is called with the lock
// held.
func (c *guardedCall) known() *guarded {
	if !c.watched() {
		return nil
	}
	known := c.guard.memory.calls[c.id]
	if known != nil && known.isOld(time.Now()) {
		c.guard.memory.forget(known)
		return nil
	}
	return known
}

// unresolved reports whether an identical call may have taken effect. It returns the key
// that this call must use, if any.
func (c *guardedCall) unresolved() (key string, ok bool) {
	if !c.watched() {
		return "", false
	}
	c.guard.mu.Lock()
	defer c.guard.mu.Unlock()
	known := c.known()
	if known == nil || !known.unresolved {
		return "", false
	}
	if known.ownKey {
		key = known.key
	}
	return key, true
}
