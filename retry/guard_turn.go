package retry

import "context"

// A turn is what identical calls have one after the other. It is forgotten when none is
// under way.
type turn struct {
	free  chan struct{} // holds a value if no call has the turn
	calls int           // that have it or wait for it
}

// wait waits until no identical call is under way, and reports whether the context lasted.
// What is not watched does not wait.
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

// end lets the next identical call go.
func (c *guardedCall) end() {
	if c.turn == nil {
		return
	}
	c.guard.mu.Lock()
	defer c.guard.mu.Unlock()
	c.turn.free <- struct{}{} // there is room: the turn was taken
	c.guard.leave(c.id, c.turn)
	c.turn = nil
}

// leave is called with the lock held.
func (g *Guard) leave(id callID, t *turn) {
	if t.calls--; t.calls == 0 {
		delete(g.turns, id)
	}
}
