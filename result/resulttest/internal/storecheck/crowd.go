package storecheck

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// crowd is how many claim an id at the same time. Chosen: twice as many as a
	// database has connections in a small pool.
	crowd = 16
	// rounds is how often. Chosen: a store that looks first and writes then is caught in
	// nearly each.
	rounds = 12
	// impatience is how long a context of the last check lasts at most. Chosen: about as
	// long as a statement takes, so that some end before it, in it and after it.
	impatience = 2 * time.Millisecond
)

// manyClaims lets a crowd claim an id that is free, released, and abandoned.
func (c *check) manyClaims() {
	for range rounds {
		r := c.request()
		winner := c.rush(r, "of an id that is free")
		c.finish(winner, toolerr.EffectNone, nil)
		winner = c.rush(r, "of an id that was released")
		c.finish(winner, toolerr.EffectUnknown, answer)
		winner = c.rush(r, "with Rerun, of an id whose effect is unknown")
		c.finish(winner, toolerr.EffectApplied, answer)
		c.want(idempotency.StateAnswered, rerun(r), answer, "After the crowd")
	}
	c.rush(c.abandoned(), "with Rerun, of an id whose lease has ended")
}

// rush lets a crowd claim, and returns the one that was told claimed.
func (c *check) rush(r idempotency.Request, what string) (winner idempotency.Request) {
	c.tb.Helper()
	var mu sync.Mutex
	var group sync.WaitGroup
	won, failed := 0, error(nil)
	for i := range crowd {
		group.Go(func() {
			mine := rerun(r)
			mine.Lease = longLease
			got, err := c.stores[i%2].Claim(c.ctx, mine)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				failed = err
			case got.State == idempotency.StateClaimed:
				won++
				winner = mine
			}
		})
	}
	group.Wait()
	switch {
	case failed != nil:
		c.errorf("Claim by %d at the same time, %s: %v", crowd, what, failed)
	case won != 1:
		c.errorf("of %d claims at the same time, %s, %d are told claimed, want 1", crowd, what, won)
	}
	return winner
}

// endedContexts lets callers give up in the middle of what they ask, and ask again until
// they are told: whatever became of what they have asked before, one of them has the id,
// and its answer is the one that stays.
func (c *check) endedContexts() {
	for range rounds {
		r := c.request()
		var mu sync.Mutex
		var group sync.WaitGroup
		var winners []idempotency.Request
		for i := range crowd / 4 {
			group.Go(func() {
				mine, store := other(r), c.stores[i%2]
				var state idempotency.State
				if !c.insist(func(ctx context.Context) error {
					got, err := store.Claim(ctx, mine)
					state = got.State
					return err
				}) || state != idempotency.StateClaimed {
					return
				}
				c.insist(func(ctx context.Context) error { return store.Renew(ctx, mine.ID, mine.Owner, longLease) })
				c.insist(func(ctx context.Context) error {
					return store.Finish(ctx, mine.ID, mine.Owner, idempotency.Ending{Effect: toolerr.EffectApplied, Answer: []byte(mine.Owner)})
				})
				mu.Lock()
				defer mu.Unlock()
				winners = append(winners, mine)
			})
		}
		group.Wait()
		if len(winners) != 1 {
			c.errorf("of %d callers whose contexts ended, and who asked again, %d were told claimed, want 1", crowd/4, len(winners))
			return
		}
		c.want(idempotency.StateAnswered, other(r), []byte(winners[0].Owner), "After callers whose contexts ended")
	}
}

// insist calls do with a context that has ended, with some that end soon, and then with one
// that does not, until it returns no error.
func (c *check) insist(do func(context.Context) error) bool {
	for i := range 4 {
		ctx, cancel := context.WithTimeout(c.ctx, time.Duration(i)*rand.N(impatience))
		err := do(ctx)
		cancel()
		if err == nil {
			return true
		}
	}
	err := do(c.ctx)
	if err != nil {
		c.errorf("asked again after a context has ended: %v", err)
	}
	return err == nil
}
