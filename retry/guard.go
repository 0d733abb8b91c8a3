package retry

import (
	"container/list"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// guardSize is how many calls a guard remembers that have failed or found nothing.
	// Chosen: more failures than a useful conversation has; at 8 KiB each they take
	// 8 MB at most.
	guardSize = 1000
	// guardAge is how long a call is expected to end as it did. Chosen: a model that
	// repeats itself does so within seconds, and after minutes the cause may be gone.
	guardAge = 10 * time.Minute
	// heldSize is how many calls a guard holds that may have taken effect. Chosen: five
	// times guardSize; at 12 KiB each they take 60 MB at most.
	heldSize = 5000
	// heldAge is how long a call is held that may have taken effect. Chosen: as long as
	// Stripe remembers an idempotency key, and longer than a conversation.
	heldAge = 24 * time.Hour
	// emptyAnswers is how often a call may find nothing before it is not sent again.
	// Chosen: once more than the first time, since something may have been added.
	emptyAnswers = 2
	// unexpectedFailures is the same of a transient failure that is not retryable.
	// Chosen: it was unexpected, and may not come again.
	unexpectedFailures = 2
	// reportFrom is the failed call from which on the hint of a retryable failure is to
	// report it. Chosen: by then there were nine attempts with the default Policy.
	reportFrom = 3
)

// A Guard stops a model that makes the same call, of the same tool with the same
// arguments, again and again although it cannot succeed, or although it may have
// taken effect. Such a call is not sent. Its outcome is what the first one said; if that
// is a failure, with a hint that says what to do instead and grows firmer each time. The
// [Decision] has the action of the first call, [ReasonRepeated] and no attempt. Use
// one Guard for the calls of one conversation, as [Policy.Guard].
//
//	a failure that is not retryable       stopped from the first repeat on
//	the same, of category transient       from the second on: it was unexpected
//	an empty answer                       from the second on: it is the answer again
//	one that may have taken effect        from the first on, unless a repeat is safe
//	a retryable failure                   sent; from the third on its hint is to report it
//
// Of identical calls at the same time one is sent, and the next waits until it has
// answered, as long as its own context allows, and is then treated as a repeat. So a
// handler that answers what a tool asks for in the middle of a call must not make that
// very call.
//
// After a call that may have changed something, what has failed or found nothing may be
// tried again, since the cause may be gone; after the call that a failed_precondition
// names, that too. So it may be after ten minutes.
//
// A call that may have taken effect is held until a look at the same thing: a call of a
// read-only tool of the same server, made after it, that answers with data, with
// nothing, or with a definite no, and has a value among its arguments that the held
// call has too. Then the call may be made once more. A value counts if it identifies
// something: a text of 4 characters with a digit in it, or of 8 with something else that
// is neither letter nor underscore, dates and times excepted; or an integer of 5 digits,
// zeros at its end not counted. Neither another write nor the time releases it, for a
// day. If it has an idempotency key, it is not stopped: it is made again with the key
// that it had, until it succeeds. A repeat that brings another key is stopped.
//
// Calls are the same if they go to the same server with the same JSON: the order of
// members, the spelling of numbers and the idempotency key do not count. The server
// is the same if the [Client] is, or the [Session] by ==. Of a session that is not
// comparable, such as a func, nothing is remembered: each call may go to another
// server.
//
// A Guard remembers the latest thousand failures and empty answers with at most 8 KiB of
// each, and apart from those the latest five thousand calls that may have taken effect with
// at most 12 KiB, so that other failures never push them out; and the Client or Session that
// they were made on. Its zero value is ready to use. It is safe for concurrent use,
// starts no goroutine, and must not be copied. A nil *Guard stops nothing.
type Guard struct {
	// Polling names the tools that are called again and again on purpose. They are
	// never stopped, and do not wait for each other. It must not be changed after the
	// first use.
	Polling []string

	mu     sync.Mutex
	memory memory
	turns  map[callID]*turn // of the calls that are under way
	clock  uint64           // counts what begins and ends
}

// A guarded call is one that ended without success.
type guarded struct {
	id      callID
	at      time.Time
	action  Action
	err     *toolerr.Error // nil for an empty answer
	empty   emptyAnswer
	times   int    // how often it ended so
	stopped int    // how often it was stopped since
	retried bool   // the failure is retryable
	first   string // the tool that its failed_precondition asks for, or "" for any

	held       bool   // it has taken effect, or may have
	unresolved bool   // it may have
	key        string // the key under which a repeat is not done twice, if it is held
	ownKey     bool   // a repeat is given the key
	values     []uint64
	ended      uint64
	element    *list.Element // of the list that it is in
}

// allowed returns how often a call may end so before it is stopped.
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

// A guardedCall is a call that a guard watches. If guard is nil, it is not watched.
type guardedCall struct {
	identity

	guard *Guard
	tool  string
	polls bool
	turn  *turn
	began uint64
}

func (g *Guard) call(server any, params *mcp.CallToolParams, keyArgument string) *guardedCall {
	c := &guardedCall{guard: g, tool: params.Name}
	if g != nil {
		c.identity = identify(server, params, keyArgument)
		c.polls = slices.Contains(g.Polling, params.Name)
	}
	return c
}

// watched reports whether the call is remembered.
func (c *guardedCall) watched() bool { return c.guard != nil && c.id != (callID{}) && !c.polls }

// begin waits for the turn of the call, and returns its outcome if it is not to be
// sent. If the context ends before, it is not checked.
func (c *guardedCall) begin(ctx context.Context) (out result.Outcome, d Decision, stopped bool) {
	if c.guard == nil || !c.wait(ctx) {
		return out, d, false
	}
	g := c.guard
	g.mu.Lock()
	defer g.mu.Unlock()
	g.clock++
	c.began = g.clock
	known := c.known()
	if known == nil || known.times < known.allowed() || known.takes(c.key) {
		return out, d, false
	}
	known.stopped++
	g.memory.touch(known)
	return known.outcome(c.tool), Decision{Action: known.action, Reason: ReasonRepeated}, true
}

// takes reports whether a repeat that brings this key, or none, is not done twice.
func (g *guarded) takes(key string) bool {
	return g.unresolved && g.key != "" && (key == g.key || key == "" && g.ownKey)
}

// known returns what the guard remembers of the call, or nil. It is called with the lock
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

// unresolved reports whether an identical call may have taken effect, and returns the
// key that this one is to have, if any.
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
