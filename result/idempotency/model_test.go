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

// run carries out steps on a store, and compares it with records in a map. It returns the
// first difference. A store with little room may have dropped an answer or a record, but
// never that a call was or may have been made.
func run(t *testing.T, s *idempotency.MemoryStore, isSmall bool, steps []step) (differs string) {
	t.Helper()
	type entry struct {
		idempotency.Record

		at time.Time
	}
	known := map[string]*entry{}
	for n, op := range steps {
		id, owner := fmt.Sprint("id", op[1]%6), fmt.Sprint("owner", op[2]%4)
		k, now := known[id], time.Now()
		if k == nil {
			k = new(entry)
		}
		isOwner, age := k.Request.Owner == owner, now.Sub(k.at)
		isOld := age > modelAge && (k.Effect != "" || !now.Before(k.LeaseEnds)) // it may be swept, or live a little longer as a mark
		switch op[0] % 8 {
		case 0:
			time.Sleep([]time.Duration{time.Minute, time.Hour, modelAge / 2, modelAge, 2 * modelAge}[op[3]%5]) // in a bubble
		case 1:
			if err := s.Renew(t.Context(), id, owner, time.Hour); !isSmall && !isOld && (err == nil) != (isOwner && k.Effect == "") {
				return fmt.Sprintf("%d: %s renews %+v: %v", n, owner, k, err)
			} else if err == nil {
				k.LeaseEnds, k.at = now.Add(time.Hour), now
			}
		case 2, 3, 4:
			effects := []toolerr.Effect{toolerr.EffectNone, toolerr.EffectApplied, toolerr.EffectUnknown}
			end := idempotency.Ending{Effect: effects[op[3]%3], Answer: bytes.Repeat(fmt.Append(nil, n, " "), op[4]%2*op[5]%100)}
			if err := s.Finish(t.Context(), id, owner, end); !isSmall && !isOld && (err == nil) != isOwner {
				return fmt.Sprintf("%d: %s finishes %+v: %v", n, owner, k, err)
			} else if err == nil {
				k.Ending, k.at = end, now
			}
		default:
			r := idempotency.Request{
				ID: id, Owner: owner, Principal: fmt.Sprint(op[1] % 6 / 4), Fingerprint: fmt.Sprint(op[3] % 5 / 4), Rerun: op[4]%2 == 0,
				Lease: []time.Duration{time.Minute, 3 * modelAge}[op[7]%2], Call: fmt.Sprint(op[5] % 2), Attempt: op[6] % 3,
			}
			got, err := s.Claim(t.Context(), r)
			if !isSmall && k.Effect != "" && age > modelAge || isOld && got.State == idempotency.StateClaimed {
				k = new(entry)
			}
			want := k.Tell(r, now)
			switch isSame := got.State == want.State && string(got.Answer) == string(want.Answer) && got.Effect == want.Effect; {
			case err != nil && isSmall, isSame, isSmall && isWeaker(got, k.Record, r, now):
			default:
				return fmt.Sprintf("%d: %+v claims %+v: %+v, want %+v, %v", n, r, k, got, want, err)
			}
			if got.State == idempotency.StateClaimed {
				known[id] = &entry{idempotency.Record{Request: r, LeaseEnds: now.Add(r.Lease)}, now}
			}
		}
	}
	time.Sleep(9 * modelAge) // in a bubble
	empty := &idempotency.MemoryStore{MaxSize: s.MaxSize}
	for n := 0; isSmall; n++ {
		_, err := done(t, s, "ann", nil)
		_, wantErr := done(t, empty, "ann", nil)
		if err != nil || wantErr != nil {
			if (err == nil) != (wantErr == nil) {
				return fmt.Sprintf("when all has expired, call %d: %v, in an empty store %v", n, err, wantErr)
			}
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
				differs = run(t, &idempotency.MemoryStore{MaxSize: size, MaxAge: modelAge}, size > 0, steps)
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
		for i := len(steps) - 1; i >= 0; i-- {
			if fewer := slices.Delete(slices.Clone(steps), i, i+1); try(fewer) != "" {
				steps = fewer
			}
		}
		assert.Empty(t, try(steps), "seed %d, %v", seed, steps)
		return
	}
}
