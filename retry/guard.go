package retry

import (
	"container/list"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// guardSize is how many calls a guard remembers. Chosen: more failures than a
	// useful conversation has; at 8 KiB each they take 8 MB at most.
	guardSize = 1000
	// guardAge is how long a call is expected to end as it did. Chosen: a model that
	// repeats itself does so within seconds, and after minutes the cause may be gone.
	guardAge = 10 * time.Minute
)

// A Guard stops a model that makes the same call, of the same tool with the same
// arguments, again and again although it cannot succeed. Such a call is not sent.
// Its outcome is a failure that repeats what the first one said, with a hint that
// says what to do instead and grows firmer each time; the [Decision] has
// [ReasonRepeated] and no attempt. Use one Guard for the calls of one conversation,
// as [Policy.Guard].
//
//	a failure that is not retryable       stopped from the first repeat on
//	the same, of category transient       from the second on: it was unexpected
//	an empty answer                       from the second on
//	one that may have taken effect        from the first on, unless a repeat is safe
//
// After a call that may have changed something, everything may be tried again, since
// it may have removed the cause. After any definite answer, a call that may have
// taken effect may be tried again, since the answer may have been the look-up. All is
// forgotten after ten minutes. A keyed call that may have taken effect is made again
// with the key that it had.
//
// Calls are the same if they go to the same server with the same JSON: the order of
// members, the spelling of numbers and the idempotency key do not count. The server
// is the same if the [Client] is, or the [Session] by ==. Of a session that is not
// comparable, such as a func, nothing is remembered: each call may go to another
// server.
//
// A Guard remembers the latest thousand calls, with at most 8 KiB of each and the
// Client or Session that they were made on. Its zero value is ready to use. It is
// safe for concurrent use, and must not be copied. A nil *Guard stops nothing.
type Guard struct {
	// Polling names the tools that are called again and again on purpose. They are
	// never stopped. It must not be changed after the first use.
	Polling []string

	mu     sync.Mutex
	calls  map[callID]*list.Element // of *guarded
	recent list.List                // latest first
}

// guarded is a call that ended without success.
type guarded struct {
	id        callID
	at        time.Time
	err       *toolerr.Error // nil for an empty answer
	times     int            // how often it ended so
	stopped   int            // how often it was stopped since
	unsettled bool           // it may have taken effect
	key       string         // the key that it had, if it is keyed
}

// allowed returns how often a call may end so before it is stopped.
func (g *guarded) allowed() int {
	if g.err == nil || g.err.Category == toolerr.CategoryTransient && !g.unsettled {
		return 2
	}
	return 1
}

// A guardedCall is a call that a guard watches. The zero value is not watched.
type guardedCall struct {
	guard   *Guard
	id      callID // zero if nothing is remembered of it
	tool    string
	withKey bool // the arguments hold a key
}

func (g *Guard) call(server any, params *mcp.CallToolParams, key string) guardedCall {
	if g == nil {
		return guardedCall{}
	}
	c := guardedCall{guard: g, tool: params.Name}
	if !slices.Contains(g.Polling, params.Name) {
		c.id, c.withKey = callOf(server, params, key)
	}
	return c
}

// known returns what the guard remembers of the call, or nil. It is called with
// the lock held.
func (c guardedCall) known() (*guarded, *list.Element) {
	at, ok := c.guard.calls[c.id]
	if !ok {
		return nil, nil
	}
	known := at.Value.(*guarded) //nolint:errcheck // nothing else is in the list
	if time.Since(known.at) > guardAge {
		c.guard.forget(at)
		return nil, nil
	}
	return known, at
}

// key returns the key of the same call, if that may have taken effect.
func (c guardedCall) key() string {
	if c.id == (callID{}) {
		return ""
	}
	c.guard.mu.Lock()
	defer c.guard.mu.Unlock()
	if known, _ := c.known(); known != nil {
		return known.key
	}
	return ""
}

// stopped returns the failure of a call that is not to be sent, or nil.
func (c guardedCall) stopped() *toolerr.Error {
	if c.id == (callID{}) {
		return nil
	}
	g := c.guard
	g.mu.Lock()
	defer g.mu.Unlock()
	known, at := c.known()
	if known == nil || known.times < known.allowed() || known.key != "" || known.unsettled && c.withKey {
		return nil
	}
	known.stopped++
	g.recent.MoveToFront(at)
	return repeated(c.tool, known)
}

// ended records how a call ended.
func (c guardedCall) ended(o result.Outcome, safety Safety, key string) {
	g := c.guard
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.release(c.id, o, safety)
	if c.id == (callID{}) {
		return
	}
	known, at := c.known()
	now := unsuccessful(o, safety, key)
	switch {
	case now == nil && known != nil:
		g.forget(at)
	case now == nil:
	case known != nil:
		now.id = c.id
		if (known.err == nil) == (now.err == nil) {
			now.times += known.times
		}
		*known = *now
		g.recent.MoveToFront(at)
	default:
		now.id = c.id
		g.add(now)
	}
}

// unsuccessful returns what is remembered of a call that ended so, or nil if it may
// be repeated.
func unsuccessful(o result.Outcome, safety Safety, key string) *guarded {
	now := &guarded{at: time.Now(), times: 1}
	switch {
	case o.Kind == result.KindEmpty:
	case o.Kind != result.KindFailure || o.Err == nil:
		return nil
	case mayHaveTakenEffect(o.Err) && (safety == SafetyUnknown || safety == SafetyKeyed):
		now.unsettled, now.err = true, brief(o.Err)
		if safety == SafetyKeyed {
			now.key = key
		}
	case !o.Err.Retryable && o.Err.Code != toolerr.CodeCanceled:
		now.err = brief(o.Err)
	default:
		return nil
	}
	return now
}

// add remembers a call, and forgets the oldest if there are too many.
func (g *Guard) add(call *guarded) {
	if g.calls == nil {
		g.calls = map[callID]*list.Element{}
	}
	g.calls[call.id] = g.recent.PushFront(call)
	if g.recent.Len() > guardSize {
		g.forget(g.recent.Back())
	}
}

// release forgets the calls that may end otherwise after this one, and those that
// are too old, with their sessions.
func (g *Guard) release(id callID, o result.Outcome, safety Safety) {
	answered := o.Kind == result.KindData || o.Kind == result.KindEmpty || o.Err != nil && !o.Err.Retryable && o.Result != nil
	changed := safety != SafetyReadOnly && (o.Err == nil || o.Err.Partial != nil || o.Err.Effect == toolerr.EffectApplied || mayHaveTakenEffect(o.Err))
	for at := g.recent.Front(); at != nil; {
		next := at.Next()
		known := at.Value.(*guarded) //nolint:errcheck // nothing else is in the list
		freed := known.id != id && known.key == "" && (changed || answered && known.unsettled)
		if freed || time.Since(known.at) > guardAge {
			g.forget(at)
		}
		at = next
	}
}

func (g *Guard) forget(at *list.Element) {
	delete(g.calls, at.Value.(*guarded).id) //nolint:errcheck // nothing else is in the list
	g.recent.Remove(at)
}
