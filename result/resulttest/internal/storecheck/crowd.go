package storecheck

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// crowd is the number of concurrent claims on an id, twice a small pool's connections.
	crowd = 16
	// rounds is the number of claim rounds. A store that first reads, then writes, fails in most.
	rounds = 12
	// impatience scales the timeouts of endedContexts. A SQL statement takes about as long, so
	// contexts end before, during and after one.
	impatience = 2 * time.Millisecond
)

// manyClaims concurrently claims ids that are free, released, of unknown effect or abandoned.
func (c *check) manyClaims() {
	for range rounds {
		r := c.request()
		winner := c.rush(r, "of an id that is free")
		c.finish(winner, toolerr.EffectNone, nil)
		winner = c.rush(r, "of an id that was released")
		c.finish(winner, toolerr.EffectUnknown, answer)
		winner = c.rush(r, "with Rerun, of an id whose effect is unknown")
		c.finish(winner, toolerr.EffectApplied, answer)
		c.want(answered(answer), other(r, true), "After the crowd")
	}
	r := c.request()
	r.Lease = shortLease
	c.want(claimed, r, "Of an id that is free")
	if c.endless {
		return // reported before
	}
	if reason := c.waitForEnd(r); reason != "" {
		c.errorf("After the crowd, a lease: %s", reason)
		return
	}
	r.Lease = longLease
	c.rush(r, "with Rerun, of an id whose lease has ended")
}

// rush claims an id concurrently, with Rerun set, and returns the request that got StateClaimed.
func (c *check) rush(r idempotency.Request, what string) (winner idempotency.Request) {
	c.tb.Helper()
	requests, claims, errs := make([]idempotency.Request, crowd), make([]idempotency.Claim, crowd), make([]error, crowd)
	var group sync.WaitGroup
	for i := range crowd {
		group.Go(func() {
			requests[i] = other(r, true)
			claims[i], errs[i] = c.stores[i%2].Claim(c.ctx, requests[i])
		})
	}
	group.Wait()
	won := 0
	for i, claim := range claims {
		if claim.State == idempotency.StateClaimed && errs[i] == nil {
			won++
			winner = requests[i]
		}
	}
	if err := errors.Join(errs...); err != nil {
		c.errorf("%d concurrent calls of Claim, %s: %v", crowd, what, err)
	} else if won != 1 {
		c.errorf("of %d concurrent claims, %s, %d got %q, want 1", crowd, what, won, idempotency.StateClaimed)
	}
	return winner
}

// endedContexts cancels contexts during calls, and repeats the calls until they succeed. Whatever
// the canceled calls have done, the caller must get the id, and its answer must be recorded.
func (c *check) endedContexts() {
	for range rounds {
		r := c.request()
		var got idempotency.Claim
		c.insist(func(ctx context.Context) (err error) {
			got, err = c.store().Claim(ctx, r)
			return err
		})
		if got.State != idempotency.StateClaimed {
			c.errorf("after canceled claims, Claim by the same owner returns %q, want %q", got.State, idempotency.StateClaimed)
			return
		}
		c.insist(func(ctx context.Context) error { return c.store().Renew(ctx, r.ID, r.Owner, longLease) })
		c.insist(func(ctx context.Context) error {
			return c.store().Finish(ctx, r.ID, r.Owner, idempotency.Ending{Effect: toolerr.EffectApplied, Answer: answer})
		})
		c.want(answered(answer), other(r, false), "After canceled calls")
	}
}

// insist calls do until it returns no error: with a context that has ended, with contexts that end
// soon, and finally with the test's.
func (c *check) insist(do func(context.Context) error) {
	for i := range 4 {
		ctx, cancel := context.WithTimeout(c.ctx, time.Duration(i)*rand.N(impatience))
		err := do(ctx)
		cancel()
		if err == nil {
			return
		}
	}
	if err := do(c.ctx); err != nil {
		c.errorf("a call after canceled calls: %v", err)
	}
}
