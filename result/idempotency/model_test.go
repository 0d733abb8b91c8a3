package idempotency_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// modelAge is the MaxAge of the model test, if there is one: the default.
const modelAge = 24 * time.Hour

// A step is one operation on a store, made from random numbers.
type step [8]int

// A model compares a store with records in a map, whose LeaseEnds is the end of the call if it has
// ended. A store with little room may have dropped an answer or a record, but never that a call was
// or may have been made.
type model struct {
	store *idempotency.MemoryStore
	known map[string]*idempotency.Record
	done  []string // the steps so far, in words
}

func (m *model) isSmall() bool { return m.store.MaxSize > 0 }

// isOlder reports whether a call has ended, or lost its lease, for longer than an age.
func (m *model) isOlder(k *idempotency.Record, age time.Duration) bool {
	return m.store.MaxAge >= 0 && time.Since(k.LeaseEnds) > age
}

// run carries out steps until one differs, and returns them with the difference, or "".
func (m *model) run(t *testing.T, steps []step) (differs string) {
	t.Helper()
	m.known = map[string]*idempotency.Record{}
	for _, op := range steps {
		id := fmt.Sprint("id", op[1]%4)
		k, by := cmp.Or(m.known[id], new(idempotency.Record)), owner(op)
		if op[7]%2 == 0 { // renewals and ends are often the owner's
			by = cmp.Or(k.Request.Owner, by)
		}
		switch op[0] % 8 {
		case 0:
			pause := []time.Duration{time.Minute, time.Hour, modelAge / 2, modelAge, 2 * modelAge}[op[3]%5]
			m.done = append(m.done, pause.String()+" pass")
			time.Sleep(pause) // in a bubble
		case 1:
			differs = m.renew(t, k, id, by)
		case 2, 3, 4:
			differs = m.finish(t, k, id, by, op)
		default:
			differs = m.claim(t, id, op)
		}
		if differs != "" {
			return strings.Join(append(m.done, differs), "\n")
		}
	}
	return m.left(t)
}

func owner(op step) string { return fmt.Sprint("owner", op[2]%4) }

// lost compares the error of a step with whether the record has to be lost for it. It may be gone.
func (m *model) lost(k *idempotency.Record, what string, err error, want bool) (differs string) {
	m.done = append(m.done, what)
	if got := errors.Is(err, idempotency.ErrLost); got == want || got && (m.isSmall() || m.isOlder(k, modelAge)) {
		return ""
	}
	return fmt.Sprintf("got:  %v\nwant: lost %t", err, want)
}

func (m *model) renew(t *testing.T, k *idempotency.Record, id, by string) string {
	t.Helper()
	err := m.store.Renew(t.Context(), id, by, time.Hour)
	differs := m.lost(k, by+" renews "+id, err, k.Request.Owner != by || k.Effect != "")
	if err == nil {
		k.LeaseEnds = time.Now().Add(time.Hour)
	}
	return differs
}

func (m *model) finish(t *testing.T, k *idempotency.Record, id, by string, op step) string {
	t.Helper()
	effects := []toolerr.Effect{toolerr.EffectNone, toolerr.EffectApplied, toolerr.EffectUnknown}
	end := idempotency.Ending{
		Effect: effects[op[3]%3], Answer: bytes.Repeat(fmt.Append(nil, op[6], " "), op[4]%2*op[5]%100),
	}
	err := m.store.Finish(t.Context(), id, by, end)
	differs := m.lost(k, fmt.Sprintf("%s finishes %s, %s, answer %.20q", by, id, end.Effect, end.Answer), err,
		k.Request.Owner != by)
	if err == nil {
		k.Ending, k.LeaseEnds = end, time.Now()
	}
	return differs
}

// claim claims an id, for some steps twice at once: then one of the two must have come first.
func (m *model) claim(t *testing.T, id string, op step) string {
	t.Helper()
	r := idempotency.Request{
		ID: id, Owner: owner(op), Principal: fmt.Sprint(op[1] % 4 / 3), Fingerprint: fmt.Sprint(op[3] % 5 / 4),
		Rerun: op[4]%2 == 0,
		Lease: []time.Duration{time.Minute, 3 * modelAge}[op[7]%2], Call: fmt.Sprint(op[5] % 2), Attempt: op[6] % 3,
	}
	m.done = append(m.done, fmt.Sprintf("%s claims %s, twice %t, arguments %s, rerun %t, lease %v, attempt %d of call %s",
		r.Owner, id, op[7]%8 == 0, r.Fingerprint, r.Rerun, r.Lease, r.Attempt, r.Call))
	if op[7]%8 != 0 {
		got, err := m.store.Claim(t.Context(), r)
		return m.told(r, got, err)
	}
	both := [2]idempotency.Request{r, r}
	both[1].Owner += " too"
	var got [2]idempotency.Claim
	var errs [2]error
	var claims sync.WaitGroup
	for i := range both {
		claims.Go(func() { got[i], errs[i] = m.store.Claim(t.Context(), both[i]) })
	}
	claims.Wait()
	before := cmp.Or(m.known[id], new(idempotency.Record))
	differs := m.told(both[0], got[0], errs[0]) + m.told(both[1], got[1], errs[1])
	if differs == "" {
		return ""
	}
	m.known[id] = before
	return m.told(both[1], got[1], errs[1]) + m.told(both[0], got[0], errs[0])
}

// told compares what a claim was told. Between the age and an eighth more, the record may be gone.
func (m *model) told(r idempotency.Request, got idempotency.Claim, err error) string {
	now, k := time.Now(), m.known[r.ID]
	if k == nil || m.isOlder(k, modelAge*9/8+time.Second) ||
		m.isOlder(k, modelAge) && got.State == idempotency.StateClaimed && got.Effect == "" {
		k = new(idempotency.Record)
	}
	want := k.Tell(r, now)
	isSame := got.State == want.State && string(got.Answer) == string(want.Answer) && got.Effect == want.Effect
	if !isSame && (!m.isSmall() || err == nil && !isWeaker(got, *k, r, now)) {
		const form = "got:  %s %s %.20q %v\nwant: %s %s %.20q"
		return fmt.Sprintf(form, got.State, got.Effect, got.Answer, err, want.State, want.Effect, want.Answer)
	}
	if got.State == idempotency.StateClaimed {
		m.known[r.ID] = &idempotency.Record{Request: r, LeaseEnds: now.Add(r.Lease)}
	}
	return ""
}

// left compares the room of a small store in which all has expired with that of an empty one.
func (m *model) left(t *testing.T) string {
	t.Helper()
	time.Sleep(9 * modelAge) // in a bubble
	empty := &idempotency.MemoryStore{MaxSize: m.store.MaxSize}
	for n := 0; m.isSmall(); n++ {
		_, err := done(t, m.store, "ann", nil)
		_, wantErr := done(t, empty, "ann", nil)
		if (err == nil) != (wantErr == nil) {
			m.done = append(m.done, fmt.Sprintf("all expires\ngot:  call %d: %v\nwant: as in an empty store: %v", n, err, wantErr))
			return strings.Join(m.done, "\n")
		}
		if err != nil {
			break
		}
	}
	return ""
}

// isWeaker reports whether a claim is that of a record without its answer, or its owner too.
func isWeaker(got idempotency.Claim, k idempotency.Record, r idempotency.Request, now time.Time) bool {
	if k.Effect == "" && (k.Request.Owner == "" || now.Before(k.LeaseEnds)) { // it is free, or runs
		return false
	}
	k.Answer = nil
	without := k
	without.Request.Owner = "nobody"
	return slices.ContainsFunc([]idempotency.Claim{k.Tell(r, now), without.Tell(r, now)},
		func(weaker idempotency.Claim) bool {
			return got.State == weaker.State && (got.Effect == toolerr.EffectApplied) == (weaker.Effect == toolerr.EffectApplied)
		})
}

// TestMemoryStore_Model compares random sequences of operations, whose time passes, with a
// model. A difference is reported with the fewest steps that show it.
func TestMemoryStore_Model(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		size, age := []int{-1, 1800, 4000, 8000, -1}[seed%5], []time.Duration{0, modelAge, 0, modelAge, -1}[seed%5]
		try := func(steps []step) (differs string) {
			synctest.Test(t, func(t *testing.T) {
				m := &model{store: &idempotency.MemoryStore{MaxSize: size, MaxAge: age}}
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
		assert.Empty(t, try(steps), "seed %d", seed)
		return
	}
}
