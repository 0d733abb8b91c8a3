// Package storecheck tests an implementation of idempotency.Store against its contract, for
// resulttest.TestStore.
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
	// leaseEnds is how long a store may take to notice that a lease has ended. Chosen: a store that
	// counts whole seconds on a slow machine needs less.
	leaseEnds = 5 * time.Second
)

// Run tests a store as resulttest.TestStore documents.
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
	{"a first call", (*check).first},
	{"other arguments", (*check).conflicts},
	{"calls that have ended", (*check).endings},
	{"a call that had no effect", (*check).released},
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

// A check tests a store against all rules.
type check struct {
	tb      testing.TB
	name    string // of the rule
	stores  [2]idempotency.Store
	ctx     context.Context //nolint:containedctx // that of the test
	turn    int
	endless bool // leases do not end; no further rule waits for one
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

// request returns a request for a new id. Its ID, fingerprint and owner have the maximum length.
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

// want claims an id, and fails the test if the result differs. It compares effects only with
// StateClaimed and StateConflict; for a conflict, all effects except applied are equal.
func (c *check) want(want idempotency.Claim, r idempotency.Request, when string) {
	c.tb.Helper()
	got, err := c.store().Claim(c.ctx, r)
	switch {
	case err != nil:
		c.errorf("%s, Claim returns the error %v, want %q", when, err, want.State)
	case got.State != want.State:
		c.errorf("%s, Claim returns %q, want %q", when, got.State, want.State)
	case !bytes.Equal(got.Answer, want.Answer):
		c.errorf("%s, Claim returns a different answer (%d bytes) than recorded (%d bytes)", when, len(got.Answer), len(want.Answer))
	case got.State == idempotency.StateConflict && (got.Effect == toolerr.EffectApplied) != (want.Effect == toolerr.EffectApplied),
		got.State == idempotency.StateClaimed && want.Effect != "" && got.Effect != want.Effect:
		c.errorf("%s, Claim returns %q with effect %q, want effect %q", when, got.State, got.Effect, want.Effect)
	}
}

// claimed claims a free id.
func (c *check) claimed(r idempotency.Request) idempotency.Request {
	c.tb.Helper()
	c.want(claimed, r, "of an id that is free")
	return r
}

// finish finishes a call, and fails the test if it cannot.
func (c *check) finish(r idempotency.Request, effect toolerr.Effect, answer []byte) {
	c.tb.Helper()
	if err := c.store().Finish(c.ctx, r.ID, r.Owner, idempotency.Ending{Effect: effect, Answer: answer}); err != nil {
		c.errorf("Finish by the owner, with effect %s: %v", effect, err)
	}
}

// ended claims a free id, finishes the call, and returns the request.
func (c *check) ended(effect toolerr.Effect, kept []byte) idempotency.Request {
	c.tb.Helper()
	r := c.claimed(c.request())
	c.finish(r, effect, kept)
	return r
}

// end finishes a call with effect applied, and returns the error.
func (c *check) end(r idempotency.Request) error {
	return c.store().Finish(c.ctx, r.ID, r.Owner, idempotency.Ending{Effect: toolerr.EffectApplied, Answer: []byte("late")})
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

// abandoned claims an id, and waits until its lease has ended.
func (c *check) abandoned() idempotency.Request {
	c.tb.Helper()
	r := c.request()
	r.Lease = shortLease
	c.claimed(r)
	c.waitForEnd(r, "A lease of a millisecond")
	r.Lease = longLease // for repeats
	return r
}

// waitForEnd waits until the store reports a claim as abandoned.
func (c *check) waitForEnd(r idempotency.Request, what string) {
	c.tb.Helper()
	for started := time.Now(); !c.endless; time.Sleep(2 * shortLease) { // the clock that counts is the store's
		late := time.Since(started) >= leaseEnds // before the claim, which may be slow
		got, err := c.store().Claim(c.ctx, other(r))
		if err == nil && got.State == idempotency.StateAbandoned {
			return
		}
		if late || err != nil || got.State != idempotency.StateRunning {
			c.endless = true
			c.errorf("%s does not end: Claim returns %q and the error %v after it, want %q", what, got.State, err, idempotency.StateAbandoned)
		}
	}
}

// someAnswers returns answers of every kind that a store may corrupt.
func someAnswers() map[string][]byte {
	long := make([]byte, 1<<16)
	_, _ = rand.Read(long)
	return map[string][]byte{
		"without an answer":         nil,
		"with an empty answer":      {},
		"with an answer in JSON":    []byte(`{"out":{"number":9007199254740993}}`),
		"with an answer of bytes":   {0, 1, '\'', '"', '\\', 0xff, 0xfe, '\r', '\n', 0},
		"with an answer in spaces":  []byte("  {} \n"),
		"with an answer of 64 KiB":  long,
		"with an answer of letters": []byte(strings.Repeat("ö語😀", 100)),
		"with a single space":       []byte(" "),
	}
}
