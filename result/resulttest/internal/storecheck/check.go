// Package storecheck tests an implementation of idempotency.Store against its contract. It
// implements resulttest.TestStore.
package storecheck

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// longLease does not expire during a test. Chosen: no machine is that slow.
	longLease = 10 * time.Minute
	// shortLease expires soon. Chosen: the shortest lease that a store must not round to zero.
	shortLease = time.Millisecond
	// leaseEnds is how long a store may take to notice that. Chosen: a store that counts
	// whole seconds on a slow machine needs less.
	leaseEnds = 5 * time.Second
)

// Run is resulttest.TestStore.
func Run(tb testing.TB, newStore func() idempotency.Store) {
	tb.Helper()
	stores := [2]idempotency.Store{newStore(), newStore()}
	endless := false
	for _, rule := range rules {
		rule.check(&check{tb: tb, name: rule.name, stores: stores, ctx: tb.Context(), endless: &endless})
	}
}

var rules = []struct {
	name  string
	check func(*check)
}{
	{"a first call", (*check).first},
	{"other arguments", (*check).conflicts},
	{"answers", (*check).answers},
	{"calls without an answer", (*check).withoutAnswer},
	{"a call that had no effect", (*check).released},
	{"a call whose effect is unknown", (*check).unknown},
	{"the same attempt once more", (*check).sameAttempt},
	{"an owner that claims after it has finished", (*check).delayedClaim},
	{"an owner that finishes twice", (*check).finishedTwice},
	{"a lease that ends", (*check).leaseThatEnds},
	{"a lease that is renewed", (*check).renewed},
	{"a claim that is taken over", (*check).takenOver},
	{"strangers", (*check).strangers},
	{"many calls at the same time", (*check).manyClaims},
	{"contexts that end", (*check).endedContexts},
}

// A check is one of the checks of a store.
type check struct {
	tb     testing.TB
	name   string
	stores [2]idempotency.Store
	ctx    context.Context //nolint:containedctx // that of the test
	turn   int
	// endless is set if leases do not expire, so that the checks wait only once.
	endless *bool
}

// errorf fails the test.
func (c *check) errorf(format string, args ...any) {
	c.tb.Helper()
	c.tb.Errorf("%s: "+format, append([]any{c.name}, args...)...)
}

// store returns the two stores alternately.
func (c *check) store() idempotency.Store {
	c.turn++
	return c.stores[c.turn%2]
}

// request returns a request for a new id. Its strings have the maximum length.
func (c *check) request() idempotency.Request {
	return idempotency.Request{ID: token(), Principal: "p", Fingerprint: token(), Owner: token(), Lease: longLease}
}

// token returns 64 random characters.
func token() string { return (rand.Text() + rand.Text() + rand.Text())[:64] }

// other returns the same request for another owner.
func other(r idempotency.Request) idempotency.Request {
	r.Owner = token()
	return r
}

func rerun(r idempotency.Request) idempotency.Request {
	r = other(r)
	r.Rerun = true
	return r
}

func otherArguments(r idempotency.Request) idempotency.Request {
	r = other(r)
	r.Fingerprint = token()
	return r
}

func attempt(r idempotency.Request, call string, n int) idempotency.Request {
	r = other(r)
	r.Call, r.Attempt = call, n
	return r
}

// want claims, and fails the test if the state or the answer differs. An answer is expected
// only with StateAnswered.
func (c *check) want(state idempotency.State, r idempotency.Request, answer []byte, when string) {
	c.tb.Helper()
	got, err := c.store().Claim(c.ctx, r)
	switch {
	case err != nil:
		c.errorf("%s, Claim returns the error %v, want %q", when, err, state)
	case got.State != state:
		c.errorf("%s, Claim returns %q, want %q", when, got.State, state)
	case !bytes.Equal(got.Answer, answer):
		c.errorf("%s, Claim returns a different answer (%d bytes) than recorded (%d bytes)", when, len(got.Answer), len(answer))
	}
}

// claimed claims an id that is free.
func (c *check) claimed(r idempotency.Request) idempotency.Request {
	c.tb.Helper()
	c.want(idempotency.StateClaimed, r, nil, "of an id that is free")
	return r
}

// finish finishes, which must succeed.
func (c *check) finish(r idempotency.Request, effect toolerr.Effect, answer []byte) {
	c.tb.Helper()
	if err := c.store().Finish(c.ctx, r.ID, r.Owner, idempotency.Ending{Effect: effect, Answer: answer}); err != nil {
		c.errorf("Finish by the owner, with effect %s: %v", effect, err)
	}
}

// lost fails the test if err is not ErrLost.
func (c *check) lost(err error, what string) {
	c.tb.Helper()
	if !errors.Is(err, idempotency.ErrLost) {
		c.errorf("%s: the error is %v, want ErrLost", what, err)
	}
}

func (c *check) renew(r idempotency.Request, lease time.Duration) error {
	return c.store().Renew(c.ctx, r.ID, r.Owner, lease)
}

// abandoned claims an id with a lease that has ended.
func (c *check) abandoned() idempotency.Request {
	c.tb.Helper()
	r := c.request()
	r.Lease = shortLease
	c.claimed(r)
	c.waitForEnd(r, "A lease of a millisecond")
	return r
}

// waitForEnd waits until the store reports a claim as abandoned.
func (c *check) waitForEnd(r idempotency.Request, what string) {
	c.tb.Helper()
	var got idempotency.Claim
	started := time.Now()
	for late := false; !late && !*c.endless; {
		late = time.Since(started) >= leaseEnds // before the claim, which may be slow
		var err error
		got, err = c.store().Claim(c.ctx, other(r))
		if err != nil || got.State != idempotency.StateRunning {
			break
		}
		// The clock that counts is the store's.
		time.Sleep(2 * shortLease)
	}
	if got.State != idempotency.StateAbandoned {
		*c.endless = true
		c.errorf("%s does not end: Claim returns %q after it, want %q", what, got.State, idempotency.StateAbandoned)
	}
}

// someAnswers returns answers of every kind that a store may corrupt.
func someAnswers() map[string][]byte {
	long := make([]byte, 1<<16)
	_, _ = rand.Read(long)
	return map[string][]byte{
		"JSON":           []byte(`{"out":{"number":9007199254740993}}`),
		"any bytes":      {0, 1, '\'', '"', '\\', 0xff, 0xfe, '\r', '\n', 0},
		"spaces":         []byte("  {} \n"),
		"64 KiB":         long,
		"letters":        []byte(strings.Repeat("ö語😀", 100)),
		"a single space": []byte(" "),
	}
}
