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
	// crowd is the number of concurrent claims of an id. Chosen: twice as many as a small
	// pool has connections to a database.
	crowd = 16
	// rounds is how often the claims are repeated. Chosen: almost every round detects a store
	// that reads first and then writes.
	rounds = 12
	// impatience is the longest timeout of the last check. Chosen: about the duration of a
	// statement, so that contexts end before, during and after it.
	impatience = 2 * time.Millisecond
)

// manyClaims claims an id concurrently that is free, released and abandoned.
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

// rush claims an id concurrently, and returns the request that got StateClaimed.
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
		c.errorf("%d concurrent calls of Claim, %s: %v", crowd, what, failed)
	case won != 1:
		c.errorf("of %d concurrent claims, %s, %d got %q, want 1", crowd, what, won, idempotency.StateClaimed)
	}
	return winner
}

// endedContexts cancels contexts during calls, and repeats the calls until they succeed.
// Whatever the effects of the canceled calls are, one caller gets the id, and its answer is
// recorded.
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
			c.errorf("of %d callers that repeated canceled claims, %d got %q, want 1", crowd/4, len(winners), idempotency.StateClaimed)
			return
		}
		c.want(idempotency.StateAnswered, other(r), []byte(winners[0].Owner), "After canceled calls")
	}
}

// insist calls do until it returns no error: with a context that has ended, with contexts
// that end soon, and then with one that does not end.
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
		c.errorf("a call after canceled calls: %v", err)
	}
	return err == nil
}
