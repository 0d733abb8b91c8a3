// Package guard remembers the calls of one conversation that failed or found nothing, and stops
// futile or risky repeats. The rules are those of retry.Guard.
package guard

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// Once a call has failed reportFrom times, the hint of its retryable failures is to report them.
	// With the default policy, three failures are nine attempts.
	reportFrom = 3
	// Once a tool has refused askFrom calls with different arguments and answered none, the hint is to
	// ask the user. One more than reportFrom, because a model learns from each refusal.
	askFrom = 4
)

// A Guard holds the remembered and the running calls. The zero value is ready to use, and safe for
// concurrent use. A nil *Guard watches nothing.
type Guard struct {
	mu      sync.Mutex
	calls   map[callID]*remembered
	running map[callID]chan struct{} // closed when the call ends
	refused map[toolID]int           // calls with wrong arguments since the tool's last answer
	clock   uint64                   // number of calls that have started or ended
}

// A toolID identifies a tool of a server.
type toolID struct {
	server any
	tool   string
}

// A Call is a call in progress.
type Call struct {
	// Stopped is the outcome if the call must not be made, otherwise nil.
	Stopped *result.Outcome
	// Action is the action of the remembered call, if this one is stopped, or 0 if the input
	// was not fixed in time.
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
	keeps bool   // it was begun with Keep
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
	g.begin(ctx, c, server, params, keyArgument)
	return c
}

// Keep is like Begin for a guard that only keeps the keys of unresolved calls: it neither waits nor
// stops a call.
func (g *Guard) Keep(server any, params *mcp.CallToolParams, keyArgument string) *Call {
	if g == nil {
		return unwatched
	}
	c := &Call{tool: params.Name, keeps: true}
	g.begin(context.Background(), c, server, params, keyArgument)
	return c
}

func (g *Guard) begin(ctx context.Context, c *Call, server any, params *mcp.CallToolParams, keyArgument string) {
	if !c.identify(server, params, keyArgument) {
		return
	}
	c.guard = g
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.calls == nil {
		g.running, g.calls, g.refused = map[callID]chan struct{}{}, map[callID]*remembered{}, map[toolID]int{}
	}
	c.turn = c.keeps || g.takeTurn(ctx, c.id)
	g.clock++
	c.start = g.clock
	known := g.find(c.id)
	isOther := known != nil && known.key != "" && c.key != "" && c.key != known.key
	if isOther && c.keeps && !known.looked {
		c.id.call += c.key // both keys are kept
	}
	if known == nil || isOther && (c.keeps || known.looked) { // the caller says that it is a new call
		return
	}
	if c.Unresolved = known.unresolved; c.Unresolved && known.ownKey {
		c.Key = known.key
	}
	if !c.keeps && c.turn && known.times >= known.allowed && !known.isSafeWith(c.key) {
		known.stopped++
		out := known.outcome(c.tool)
		if c.Stopped, c.Action = &out, known.action; known.isFutile() && hint.Fixes(string(known.err.Category), string(known.err.Code)) {
			c.Action = 0 // tell the user
		}
	}
}

// Since returns when a kept call with this key was first sent: a server that started later may not
// know the key. It returns the zero time if there is none.
func (g *Guard) Since(key string) (since time.Time) {
	if g == nil || key == "" {
		return since
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, known := range g.calls {
		if known.key == key && !time.Now().After(known.until) {
			return known.since
		}
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
		g.mu.Lock()
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
	close(c.guard.running[c.id])
	delete(c.guard.running, c.id)
}

// Report records how the call ended. If the failure should be reported rather than retried, or the
// user asked, it returns the hint, otherwise "".
func (c *Call) Report(e Ending) (advice string) {
	if !c.turn || !e.Sent && !e.Temporary {
		return ""
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
		return ""
	}
	delete(g.calls, c.id)
	if refused := g.refusals(c, known, &e); refused >= askFrom {
		advice = askHint(c.tool, refused)
	}
	if now == nil || c.keeps && now.key == "" {
		return advice
	}
	if known != nil {
		now.follow(known)
	}
	g.add(now)
	if now.times >= reportFrom && (now.retried || now.key != "") {
		return cmp.Or(now.reportHint(), advice)
	}
	return advice
}

// refusals counts the calls of the tool with wrong arguments since its last answer, of which this is
// one, or returns 0. Known is an identical call.
func (g *Guard) refusals(c *Call, known *remembered, e *Ending) int {
	tool := toolID{c.id.server, c.tool}
	switch err := e.Outcome.Err; {
	case c.keeps || e.isAnswer() || len(g.refused) > recentSize:
		delete(g.refused, tool)
	case e.Sent && known == nil && err != nil && err.Category == toolerr.CategoryValidation && (err.Effect == "" || err.Effect == toolerr.EffectNone):
		g.refused[tool]++
		return g.refused[tool]
	}
	return 0
}
