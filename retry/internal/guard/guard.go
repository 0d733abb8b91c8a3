// Package guard remembers the calls of one conversation that failed or found nothing, and stops
// futile or risky repeats. The rules are those of retry.Guard.
package guard

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// Once a call has failed reportFrom times, the hint of its retryable failures is to report them.
// With the default policy, three failures are nine attempts.
const reportFrom = 3

// A Guard holds the remembered and the running calls. The zero value is ready to use, and safe for
// concurrent use. A nil *Guard watches nothing.
type Guard struct {
	mu      sync.Mutex
	calls   map[callID]*remembered
	running map[callID]chan struct{} // closed when the call ends
	clock   uint64                   // number of calls that have started or ended
}

// A Call is a call in progress.
type Call struct {
	// Stopped is the outcome if the call must not be made, otherwise nil.
	Stopped *result.Outcome
	// Action is the action of the remembered call, if this one is stopped.
	Action int
	// Unresolved means that an identical call may have taken effect. Key is the idempotency key, if
	// any, that this call must then use.
	Unresolved bool
	Key        string

	identity

	guard *Guard // nil if the call is not watched
	tool  string
	start uint64 // the guard's clock
	turn  bool   // no identical call is running
}

// unwatched is the call of a nil Guard. It is never changed.
var unwatched = &Call{}

// Begin waits until no identical call is running or the context ends, and decides whether to stop
// the call. The caller must call End.
func (g *Guard) Begin(ctx context.Context, server any, params *mcp.CallToolParams, keyArgument string) *Call {
	if g == nil {
		return unwatched
	}
	c := &Call{tool: params.Name}
	if !c.identify(server, params, keyArgument) {
		return c
	}
	c.guard = g
	g.mu.Lock()
	defer g.mu.Unlock()
	c.turn = g.takeTurn(ctx, c.id)
	g.clock++
	c.start = g.clock
	known := g.find(c.id)
	if known == nil {
		return c
	}
	if c.Unresolved = known.unresolved; c.Unresolved && known.ownKey {
		c.Key = known.key
	}
	if c.turn && known.times >= known.allowed && !known.isSafeWith(c.key) {
		known.stopped++
		out := known.outcome(c.tool)
		c.Stopped, c.Action = &out, known.action
	}
	return c
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
		g.mu.Lock()
		if g.running[id] == before {
			return false
		}
	}
	if g.running == nil {
		g.running, g.calls = map[callID]chan struct{}{}, map[callID]*remembered{}
	}
	g.running[id] = make(chan struct{})
	return true
}

// End passes the turn to the next identical call.
func (c *Call) End() {
	if !c.turn {
		return
	}
	c.guard.mu.Lock()
	defer c.guard.mu.Unlock()
	close(c.guard.running[c.id])
	delete(c.guard.running, c.id)
}

// Report records how the call ended. If the failure should be reported rather than retried,
// it returns the number of such failures, otherwise 0.
func (c *Call) Report(e Ending) (failures int) {
	if !c.turn || !e.Sent && !e.Temporary {
		return 0
	}
	g := c.guard
	g.mu.Lock()
	defer g.mu.Unlock()
	g.clock++
	if e.Sent {
		c.release(&e)
	}
	known, now := g.find(c.id), c.remember(&e)
	if known != nil && known.outlives(now, &e) {
		return 0
	}
	delete(g.calls, c.id)
	if now == nil {
		return 0
	}
	if known != nil {
		now.follow(known)
	}
	g.add(now)
	if now.times >= reportFrom && (now.retried || now.key != "") {
		return now.times
	}
	return 0
}
