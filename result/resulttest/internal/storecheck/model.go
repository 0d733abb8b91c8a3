package storecheck

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// sequences is the number of random sequences; each has length calls, made by owners owners.
	// Most planted defects of TestStore_PlantedDefects show in several sequences.
	sequences = 100
	length    = 16
	owners    = 5
	// Leases may end in one of expiring sequences. These are few, because a store that counts whole
	// seconds has to wait in them.
	expiring = 20
)

// A record is what the model knows about an id. The zero value means a free id.
type record struct {
	idempotency.Request // the owner's
	idempotency.Ending
	expired bool // the lease has ended
}

// claim returns the result of Claim, according to the documentation of [idempotency.Store].
func (k *record) claim(r idempotency.Request) idempotency.Claim {
	kept := abandoned
	switch {
	case len(k.Answer) > 0:
		kept = answered(k.Answer)
	case k.Effect == toolerr.EffectApplied:
		kept = done
	}
	isOwner, sameArguments := r.Owner == k.Owner, r.Fingerprint == k.Fingerprint
	earlier := r.Call != "" && r.Call == k.Call && r.Attempt <= k.Attempt
	repeated := r.Call == "" && k.Call == "" && r.Attempt == k.Attempt
	isDuplicate := r.Attempt > 0 && (earlier || repeated) && len(k.Answer) > 0 && sameArguments
	switch {
	case k.Owner == "", isOwner && k.Effect == "":
		return claimed
	case isOwner: // its request was delayed
		return kept
	case k.Effect == toolerr.EffectNone && !isDuplicate:
		return claimed
	case !sameArguments:
		return conflict(k.Effect)
	case k.Effect == "" && !k.expired:
		return running
	case r.Rerun && !isDuplicate && k.Effect != toolerr.EffectApplied:
		return idempotency.Claim{State: idempotency.StateClaimed, Effect: toolerr.EffectUnknown}
	}
	return kept
}

// resolved is the owner of a call that Resolve has ended, and no request's.
const resolved = "resolved"

// A step is one owner's call to the store in a sequence.
type step struct {
	method  string              // Claim, Renew, Finish or Resolve
	by      idempotency.Request // whose strings are only the last characters
	end     idempotency.Ending  // for Finish, and the effect for Resolve
	expires bool                // the lease that begins ends before the next step
}

func (s step) String() string {
	text := fmt.Sprintf("%s of id %s by owner %s", s.method, s.by.ID, s.by.Owner)
	switch s.method {
	case "Claim":
		text += fmt.Sprintf(", fingerprint %s, call %q, attempt %d, rerun %v", s.by.Fingerprint, s.by.Call, s.by.Attempt,
			s.by.Rerun)
	case "Resolve":
		text += fmt.Sprintf(", effect %s", s.end.Effect)
	case "Finish":
		text += fmt.Sprintf(", effect %s, %d bytes", s.end.Effect, len(s.end.Answer))
	}
	if s.expires {
		text += ", whose lease ends"
	}
	return text
}

// pick returns one of the values at random; a value that is listed twice is twice as likely.
func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// randomSteps returns a sequence with these further methods; leases may end in it if expires is set.
func randomSteps(r *rand.Rand, answers [][]byte, expires bool, more ...string) []step {
	methods := append([]string{"Claim", "Claim", "Claim", "Claim", "Finish", "Finish", "Renew"}, more...)
	effects := []toolerr.Effect{
		toolerr.EffectNone, toolerr.EffectNone, toolerr.EffectUnknown, toolerr.EffectUnknown, toolerr.EffectApplied,
	}
	requests, steps := make([]idempotency.Request, owners), make([]step, length)
	for i := range requests {
		requests[i] = idempotency.Request{
			ID: pick(r, "1", "1", "1", "1", "2"), Principal: "p", Fingerprint: pick(r, "1", "1", "1", "1", "2"),
			Owner: fmt.Sprint(i), Lease: longLease,
			Rerun: pick(r, true, false), Call: pick(r, "", "1", "1", "1", "1", "2"), Attempt: pick(r, 0, 1, 1, 2, 2, 3),
		}
	}
	var owner idempotency.Request // probably
	for i := range steps {
		s := step{
			method: pick(r, methods...), by: pick(r, requests...), expires: expires && pick(r, true, false),
			end: idempotency.Ending{Effect: pick(r, effects...), Answer: pick(r, answers...)},
		}
		switch s.method {
		case "Claim":
			owner = cmp.Or(owner, s.by)
		case "Finish":
			s.by, owner = cmp.Or(owner, s.by), idempotency.Request{}
		case "Resolve":
			s.end.Effect = pick(r, toolerr.EffectNone, toolerr.EffectApplied, toolerr.EffectUnknown)
		}
		steps[i] = s
	}
	return steps
}

// randomCalls compares a store with the model in random sequences. For the first that differs, it
// reports the steps needed to show it.
func (c *check) randomCalls() {
	answers := someAnswers()
	var more []string
	if _, ok := c.stores[0].(idempotency.Resolver); ok {
		more = []string{"Resolve"}
	}
	for n := range uint64(sequences) {
		steps := randomSteps(rand.New(rand.NewPCG(n, 0)), answers, n%expiring == expiring-1, more...) //nolint:gosec // a seed
		differs := c.differs(steps)
		for i := len(steps) - 1; i >= 0 && differs != ""; i-- {
			fewer := slices.Delete(slices.Clone(steps), i, i+1)
			if still := c.differs(fewer); still != "" {
				steps, differs, i = fewer, still, len(fewer)
			}
		}
		if differs != "" {
			c.errorf("the last of these calls violates the contract:%s", differs)
			return
		}
	}
}

// differs carries out a sequence with new ids, and returns the steps up to the first whose result
// differs from the model's, or "".
func (c *check) differs(steps []step) string {
	known, prefix, text := map[string]*record{}, token()[1:], new(strings.Builder)
	for _, s := range steps {
		r := s.by
		r.ID, r.Fingerprint, r.Owner = prefix+r.ID, prefix+r.Fingerprint, prefix+r.Owner
		if r.Call != "" {
			r.Call = prefix + r.Call
		}
		if known[r.ID] == nil {
			known[r.ID] = new(record)
		}
		differs := c.carryOut(&s, r, known[r.ID])
		if _, _ = fmt.Fprintf(text, "\n\t%v", s); differs != "" {
			return text.String() + ": " + differs
		}
	}
	return ""
}

// carryOut carries out a step, and returns how its result differs from the model's, or "". A lease
// ends only if the step begins one.
func (c *check) carryOut(s *step, r idempotency.Request, k *record) (differs string) {
	want := k.claim(r)
	owns := k.Owner == r.Owner && (k.Effect == "" || s.method == "Finish") ||
		s.method == "Claim" && want.State == idempotency.StateClaimed
	if s.expires = s.expires && owns && s.method != "Finish" && s.method != "Resolve" && !c.endless; s.expires {
		r.Lease = shortLease
	}
	again := k.Owner == resolved && k.Effect == s.end.Effect
	if s.method == "Resolve" {
		owns = k.Owner != "" && (k.Effect == toolerr.EffectUnknown || k.Effect == "" && k.expired) || again
		owns = owns && s.end.Effect != toolerr.EffectUnknown
	}
	var err error
	switch s.method {
	case "Claim":
		if differs = c.compare(want, r); owns {
			*k = record{Request: r}
		}
	case "Renew":
		if err = c.store().Renew(c.ctx, r.ID, r.Owner, r.Lease); owns {
			k.expired = false
		}
	case "Finish":
		if err = c.store().Finish(c.ctx, r.ID, r.Owner, s.end); owns {
			k.Ending = s.end
		}
	case "Resolve":
		store := c.store().(idempotency.Resolver) //nolint:errcheck,forcetypeassert // randomCalls has checked it
		if err = store.Resolve(c.ctx, r.ID, s.end.Effect); owns {
			k.Owner, k.Ending = resolved, idempotency.Ending{Effect: s.end.Effect}
		}
	}
	switch {
	case differs != "":
	case owns && err != nil:
		differs = fmt.Sprintf("the error is %v, want nil", err)
	case !owns && s.method != "Claim" && !errors.Is(err, idempotency.ErrLost):
		differs = fmt.Sprintf("the error is %v, want ErrLost", err)
	case s.expires:
		k.expired, differs = true, c.waitForEnd(r)
	}
	return differs
}
