// Package storecheck tests an implementation of idempotency.Store against its contract. It
// implements resulttest.TestStore.
package storecheck

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// longLease does not expire during a test, because no machine is that slow.
	longLease = 10 * time.Minute
	// shortLease expires soon. It is the shortest lease that stores must support.
	shortLease = time.Millisecond
	// leaseEnds is how long a store may take to notice that a lease has ended. A store that counts
	// whole seconds on a slow machine needs less.
	leaseEnds = 5 * time.Second
)

// Run is resulttest.TestStore.
func Run(tb testing.TB, newStore func() idempotency.Store) {
	tb.Helper()
	c := &check{tb: tb, stores: [2]idempotency.Store{newStore(), newStore()}, ctx: tb.Context()}
	for _, rule := range rules {
		c.name = rule.name
		rule.check(c)
	}
}

var rules = []struct {
	name  string
	check func(*check)
}{
	{"random calls", (*check).randomCalls},
	{"many calls at the same time", (*check).manyClaims},
	{"contexts that end", (*check).endedContexts},
}

// A check tests a store against each rule.
type check struct {
	tb      testing.TB
	name    string // of the rule
	stores  [2]idempotency.Store
	ctx     context.Context //nolint:containedctx // that of the test
	turn    int
	endless bool // leases do not end, for which the check waits once
}

// errorf fails the test.
func (c *check) errorf(format string, args ...any) {
	c.tb.Helper()
	c.tb.Errorf("%s: "+format, append([]any{c.name}, args...)...)
}

// store returns each of the two stores in turn.
func (c *check) store() idempotency.Store {
	c.turn++
	return c.stores[c.turn%2]
}

// request returns a request for a new id.
func (c *check) request() idempotency.Request {
	return idempotency.Request{ID: token(), Principal: "p", Fingerprint: token(), Owner: token(), Lease: longLease}
}

// token returns 64 random characters, the maximum.
func token() string { return (rand.Text() + rand.Text() + rand.Text())[:64] }

// other returns the same request for another owner.
func other(r idempotency.Request, rerun bool) idempotency.Request {
	r.Owner, r.Rerun = token(), rerun
	return r
}

// The claims that a store returns.
var (
	claimed   = idempotency.Claim{State: idempotency.StateClaimed}
	running   = idempotency.Claim{State: idempotency.StateRunning}
	abandoned = idempotency.Claim{State: idempotency.StateAbandoned}
	done      = idempotency.Claim{State: idempotency.StateDone}
)

func answered(answer []byte) idempotency.Claim {
	return idempotency.Claim{State: idempotency.StateAnswered, Answer: answer}
}

func conflict(effect toolerr.Effect) idempotency.Claim {
	return idempotency.Claim{State: idempotency.StateConflict, Effect: effect}
}

// compare claims an id, and returns what differs from the wanted result, or "". It compares effects
// only in StateClaimed and StateConflict, in a conflict only whether they are applied.
func (c *check) compare(want idempotency.Claim, r idempotency.Request) string {
	got, err := c.store().Claim(c.ctx, r)
	switch {
	case err != nil:
		return fmt.Sprintf("Claim returns the error %v, want %q", err, want.State)
	case got.State != want.State:
		return fmt.Sprintf("Claim returns %q, want %q", got.State, want.State)
	case !bytes.Equal(got.Answer, want.Answer):
		return fmt.Sprintf("Claim returns a different answer (%d bytes) than recorded (%d bytes)", len(got.Answer),
			len(want.Answer))
	case got.State == idempotency.StateConflict &&
		(got.Effect == toolerr.EffectApplied) != (want.Effect == toolerr.EffectApplied),
		got.State == idempotency.StateClaimed && got.Effect != want.Effect:
		return fmt.Sprintf("Claim returns %q with effect %q, want effect %q", got.State, got.Effect, want.Effect)
	}
	return ""
}

// want fails the test if a claim's result is not as expected.
func (c *check) want(want idempotency.Claim, r idempotency.Request, when string) {
	c.tb.Helper()
	if differs := c.compare(want, r); differs != "" {
		c.errorf("%s, %s", when, differs)
	}
}

// finish finishes a call, and fails the test if that fails.
func (c *check) finish(r idempotency.Request, effect toolerr.Effect, answer []byte) {
	c.tb.Helper()
	if err := c.store().Finish(c.ctx, r.ID, r.Owner, idempotency.Ending{Effect: effect, Answer: answer}); err != nil {
		c.errorf("Finish by the owner, with effect %s: %v", effect, err)
	}
}

// waitForEnd waits until a claim is abandoned, and returns what happens instead, or "".
func (c *check) waitForEnd(r idempotency.Request) string {
	for started := time.Now(); ; time.Sleep(2 * shortLease) { // the clock that counts is the store's
		late := time.Since(started) >= leaseEnds // before the claim, which may be slow
		got, err := c.store().Claim(c.ctx, other(r, false))
		switch {
		case err == nil && got.State == idempotency.StateAbandoned:
			return ""
		case err != nil || got.State != idempotency.StateRunning:
			return fmt.Sprintf("after it, Claim returns %q and the error %v, want %q", got.State, err,
				idempotency.StateAbandoned)
		case late:
			c.endless = true
			return "it does not end"
		}
	}
}

var answer = []byte(`{"out":1}`)

// someAnswers returns answers of every kind that a store may corrupt.
func someAnswers() [][]byte {
	long := make([]byte, 1<<16)
	_, _ = rand.Read(long)
	return [][]byte{
		nil,
		{},
		nil,
		{0, 1, '\'', '"', '\\', 0xff, 0xfe, '\r', '\n', 0},
		[]byte(`{"out":{"number":9007199254740993}}`),
		[]byte("  {} \n"),
		[]byte(" "),
		[]byte(strings.Repeat("ö語😀", 100)),
		long,
		answer,
	}
}
