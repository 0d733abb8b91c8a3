// Package guard remembers the calls of one conversation that ended without success, and
// stops those that repeat one in vain or at a risk. The rules are those of retry.Guard.
package guard

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// reportFrom is the number of failed calls from which the hint of a retryable failure is to
// report it. Chosen: after nine attempts with the default policy.
const reportFrom = 3

// A Guard holds the remembered calls and the running ones. The zero value is ready to use,
// and safe for concurrent use. A nil *Guard watches nothing.
type Guard struct {
	mu      sync.Mutex
	memory  memory
	running map[callID]chan struct{} // closed when the call ends
	clock   uint64                   // number of calls that have started or ended
}

// A Call is a call in progress.
type Call struct {
	// Stopped is the outcome of the call if it must not be made, otherwise nil.
	Stopped *result.Outcome
	// Action is the one that the ending of the first such call had, if the call is stopped.
	Action int
	// Unresolved means that an identical call may have taken effect. Key is the idempotency
	// key that this call must then use, if any.
	Unresolved bool
	Key        string

	identity

	guard *Guard // nil if nothing is remembered
	tool  string
	start uint64        // the guard's clock
	turn  chan struct{} // closed at the end; nil if the call did not get its turn
}

// Begin waits until no identical call is running, as long as the context allows, and decides
// whether the call is stopped. The call must be ended.
func (g *Guard) Begin(ctx context.Context, server any, params *mcp.CallToolParams, keyArgument string) *Call {
	c := &Call{guard: g, tool: params.Name}
	if g == nil {
		return c
	}
	c.identity = identify(server, params, keyArgument)
	mayRun := c.wait(ctx)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.clock++
	c.start = g.clock
	known := g.memory.find(c.id)
	if known == nil {
		return c
	}
	if c.Unresolved = known.unresolved; c.Unresolved && known.ownKey {
		c.Key = known.key
	}
	if mayRun && known.times >= known.allowed() && !known.isSafeWith(c.key) {
		known.stopped++
		known.used = g.clock
		out := known.outcome(c.tool)
		c.Stopped, c.Action = &out, known.action
	}
	return c
}

// watched reports whether the call is remembered.
func (c *Call) watched() bool { return c.guard != nil && c.id != (callID{}) }

// wait waits for the turn of the call, and reports whether the context has not ended. A call
// that is not watched does not wait.
func (c *Call) wait(ctx context.Context) bool {
	for c.watched() {
		before := c.takeTurn()
		if before == nil {
			break
		}
		select {
		case <-before:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// takeTurn takes the turn, or returns that of the identical call that is running.
func (c *Call) takeTurn() (before chan struct{}) {
	g := c.guard
	g.mu.Lock()
	defer g.mu.Unlock()
	if before = g.running[c.id]; before != nil {
		return before
	}
	if g.running == nil {
		g.running = map[callID]chan struct{}{}
	}
	c.turn = make(chan struct{})
	g.running[c.id] = c.turn
	return nil
}

// End passes the turn to the next identical call.
func (c *Call) End() {
	if c.turn == nil {
		return
	}
	c.guard.mu.Lock()
	defer c.guard.mu.Unlock()
	delete(c.guard.running, c.id)
	close(c.turn)
}

// Report records how the call ended. If the failure should be reported rather than retried,
// it returns the number of such failures, otherwise 0.
func (c *Call) Report(e Ending) (failures int) {
	g := c.guard
	if g == nil || c.watched() && c.turn == nil { // the context ended before the call's turn
		return 0
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.clock++
	if e.Sent {
		c.release(&e)
	}
	if !c.watched() {
		return 0
	}
	known := g.memory.find(c.id)
	now := c.remember(&e)
	if known != nil && isKept(known, now, &e) {
		if e.Sent {
			known.at, known.used = time.Now(), g.clock
		}
		return 0
	}
	g.memory.forget(c.id)
	if now == nil {
		return 0
	}
	if known != nil {
		now.follow(known)
	}
	g.memory.add(now)
	if now.times >= reportFrom && (now.retried || now.key != "") {
		return now.times
	}
	return 0
}
