package idempotency_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// modelAge is the MaxAge of the model test.
const modelAge = 8 * time.Hour

// A step is one operation on a store, made from random numbers.
type step [8]int

// A model compares a store with records in a map. A store with little room may have dropped
// an answer or a record, but never that a call was or may have been made.
type model struct {
	store   *idempotency.MemoryStore
	isSmall bool
	known   map[string]*entry
}

type entry struct {
	idempotency.Record

	at time.Time
}

// isOld reports whether a record may be swept, or live a little longer as a mark.
func (k *entry) isOld(now time.Time) bool {
	return now.Sub(k.at) > modelAge && (k.Effect != "" || !now.Before(k.LeaseEnds))
}

// run carries out steps, and returns the first difference.
func (m *model) run(t *testing.T, steps []step) (differs string) {
	t.Helper()
	m.known = map[string]*entry{}
	for n, op := range steps {
		id := fmt.Sprint("id", op[1]%6)
		k := m.known[id]
		if k == nil {
			k = new(entry)
		}
		switch op[0] % 8 {
		case 0:
			time.Sleep([]time.Duration{time.Minute, time.Hour, modelAge / 2, modelAge, 2 * modelAge}[op[3]%5]) // in a bubble
		case 1:
			differs = m.renew(t, k, id, op)
		case 2, 3, 4:
			differs = m.finish(t, k, id, op)
		default:
			differs = m.claim(t, k, id, op)
		}
		if differs != "" {
			return fmt.Sprintf("%d: %s", n, differs)
		}
	}
	return m.left(t)
}

func owner(op step) string { return fmt.Sprint("owner", op[2]%4) }

func (m *model) renew(t *testing.T, k *entry, id string, op step) string {
	t.Helper()
	now := time.Now()
	err := m.store.Renew(t.Context(), id, owner(op), time.Hour)
	if !m.isSmall && !k.isOld(now) && (err == nil) != (k.Request.Owner == owner(op) && k.Effect == "") {
		return fmt.Sprintf("%s renews %+v: %v", owner(op), k, err)
	}
	if err == nil {
		k.LeaseEnds, k.at = now.Add(time.Hour), now
	}
	return ""
}

func (m *model) finish(t *testing.T, k *entry, id string, op step) string {
	t.Helper()
	now, effects := time.Now(), []toolerr.Effect{toolerr.EffectNone, toolerr.EffectApplied, toolerr.EffectUnknown}
	end := idempotency.Ending{Effect: effects[op[3]%3], Answer: bytes.Repeat(fmt.Append(nil, op[6], " "), op[4]%2*op[5]%100)}
	err := m.store.Finish(t.Context(), id, owner(op), end)
	if !m.isSmall && !k.isOld(now) && (err == nil) != (k.Request.Owner == owner(op)) {
		return fmt.Sprintf("%s finishes %+v: %v", owner(op), k, err)
	}
	if err == nil {
		k.Ending, k.at = end, now
	}
	return ""
}

func (m *model) claim(t *testing.T, k *entry, id string, op step) string {
	t.Helper()
	now := time.Now()
	r := idempotency.Request{
		ID: id, Owner: owner(op), Principal: fmt.Sprint(op[1] % 6 / 4), Fingerprint: fmt.Sprint(op[3] % 5 / 4), Rerun: op[4]%2 == 0,
		Lease: []time.Duration{time.Minute, 3 * modelAge}[op[7]%2], Call: fmt.Sprint(op[5] % 2), Attempt: op[6] % 3,
	}
	got, err := m.store.Claim(t.Context(), r)
	if k.Effect != "" && now.Sub(k.at) > modelAge*9/8+time.Second || k.isOld(now) && got.State == idempotency.StateClaimed {
		k = new(entry)
	}
	want := k.Tell(r, now)
	isSame := got.State == want.State && string(got.Answer) == string(want.Answer) && got.Effect == want.Effect
	if !isSame && (!m.isSmall || err == nil && !isWeaker(got, k.Record, r, now)) {
		return fmt.Sprintf("%+v claims %+v: %+v, want %+v, %v", r, k, got, want, err)
	}
	if got.State == idempotency.StateClaimed {
		m.known[id] = &entry{idempotency.Record{Request: r, LeaseEnds: now.Add(r.Lease)}, now}
	}
	return ""
}

// left compares the room of a small store in which all has expired with that of an empty one.
func (m *model) left(t *testing.T) string {
	t.Helper()
	time.Sleep(9 * modelAge) // in a bubble
	empty := &idempotency.MemoryStore{MaxSize: m.store.MaxSize}
	for n := 0; m.isSmall; n++ {
		_, err := done(t, m.store, "ann", nil)
		_, wantErr := done(t, empty, "ann", nil)
		if (err == nil) != (wantErr == nil) {
			return fmt.Sprintf("when all has expired, call %d: %v, in an empty store %v", n, err, wantErr)
		}
		if err != nil {
			break
		}
	}
	return ""
}

// isWeaker reports whether a claim is that of a record without its answer, or without its
// owner too.
func isWeaker(got idempotency.Claim, k idempotency.Record, r idempotency.Request, now time.Time) bool {
	if k.Effect == "" && (k.Request.Owner == "" || now.Before(k.LeaseEnds)) { // it is free, or runs
		return false
	}
	k.Answer = nil
	without := k
	without.Request.Owner = "nobody"
	return slices.ContainsFunc([]idempotency.Claim{k.Tell(r, now), without.Tell(r, now)}, func(weaker idempotency.Claim) bool {
		return got.State == weaker.State && (got.Effect == toolerr.EffectApplied) == (weaker.Effect == toolerr.EffectApplied)
	})
}

// TestMemoryStore_Model compares random sequences of operations, whose time passes, with a
// model. A difference is reported with the fewest steps that show it.
func TestMemoryStore_Model(t *testing.T) {
	t.Parallel()
	for seed := range uint64(400) {
		size := []int{-1, 1800, 4000, 8000}[seed%4]
		try := func(steps []step) (differs string) {
			synctest.Test(t, func(t *testing.T) {
				m := &model{store: &idempotency.MemoryStore{MaxSize: size, MaxAge: modelAge}, isSmall: size > 0}
				differs = m.run(t, steps)
			})
			return differs
		}
		r := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // the same in every run
		steps := make([]step, 120)
		for i := range steps {
			for j := range steps[i] {
				steps[i][j] = r.IntN(1 << 20)
			}
		}
		if try(steps) == "" {
			continue
		}
		for i := range slices.Backward(steps) {
			if fewer := slices.Delete(slices.Clone(steps), i, i+1); try(fewer) != "" {
				steps = fewer
			}
		}
		assert.Empty(t, try(steps), "seed %d, %v", seed, steps)
		return
	}
}
