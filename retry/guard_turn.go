package retry

import "context"

// A turn serializes identical calls. It is removed when no such call is running or waiting.
type turn struct {
	free  chan struct{} // holds a value if no call has the turn
	calls int           // number of calls that have the turn or wait for it
}

// wait waits until no identical call is running, and reports whether the context has not
// ended. A call that is not watched does not wait.
func (c *guardedCall) wait(ctx context.Context) bool {
	if !c.watched() {
		return true
	}
	g := c.guard
	g.mu.Lock()
	t := g.turns[c.id]
	if t == nil {
		t = &turn{free: make(chan struct{}, 1)}
		t.free <- struct{}{}
		if g.turns == nil {
			g.turns = map[callID]*turn{}
		}
		g.turns[c.id] = t
	}
	t.calls++
	g.mu.Unlock()
	select {
	case <-t.free:
		c.turn = t
		return true
	case <-ctx.Done():
		g.mu.Lock()
		defer g.mu.Unlock()
		g.leave(c.id, t)
		return false
	}
}

// end passes the turn to the next identical call.
func (c *guardedCall) end() {
	if c.turn == nil {
		return
	}
	c.guard.mu.Lock()
	defer c.guard.mu.Unlock()
	c.turn.free <- struct{}{} // does not block: the call had the turn
	c.guard.leave(c.id, c.turn)
	c.turn = nil
}

// leave removes a turn without calls. It is called with the lock held.
func (g *Guard) leave(id callID, t *turn) {
	if t.calls--; t.calls == 0 {
		delete(g.turns, id)
	}
}
