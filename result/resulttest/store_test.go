package resulttest_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A scribe records the errors of TestStore.
type scribe struct {
	testing.TB

	ctx  context.Context //nolint:containedctx // that of the test
	mu   sync.Mutex
	said []string
}

func (r *scribe) Helper()                  {}
func (r *scribe) Context() context.Context { return r.ctx }

func (r *scribe) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

type (
	claimFunc  = func(idempotency.Request) (idempotency.Claim, error)
	renewFunc  = func(id, owner string, lease time.Duration) error
	finishFunc = func(id, owner string, end idempotency.Ending) error
)

// A defective store wraps a good one.
type defective struct {
	idempotency.MemoryStore

	claim  func(claimFunc, idempotency.Request) (idempotency.Claim, error)
	renew  func(renewFunc, string, string, time.Duration) error
	finish func(finishFunc, string, string, idempotency.Ending) error
	// ended is like claim, with the context.
	ended func(context.Context, claimFunc, idempotency.Request) (idempotency.Claim, error)
}

func (d *defective) Claim(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
	good := func(r idempotency.Request) (idempotency.Claim, error) { return d.MemoryStore.Claim(ctx, r) }
	switch {
	case d.ended != nil:
		return d.ended(ctx, good, r)
	case d.claim != nil:
		return d.claim(good, r)
	}
	return good(r)
}

func (d *defective) Renew(ctx context.Context, id, owner string, lease time.Duration) error {
	good := func(id, owner string, lease time.Duration) error { return d.MemoryStore.Renew(ctx, id, owner, lease) }
	if d.renew != nil {
		return d.renew(good, id, owner, lease)
	}
	return good(id, owner, lease)
}

func (d *defective) Finish(ctx context.Context, id, owner string, end idempotency.Ending) error {
	good := func(id, owner string, end idempotency.Ending) error {
		return d.MemoryStore.Finish(ctx, id, owner, end)
	}
	if d.finish != nil {
		return d.finish(good, id, owner, end)
	}
	return good(id, owner, end)
}

// instead returns a claim that reports one state as another.
func instead(of, told idempotency.State) func(claimFunc, idempotency.Request) (idempotency.Claim, error) {
	return func(good claimFunc, r idempotency.Request) (idempotency.Claim, error) {
		got, err := good(r)
		if got.State == of {
			got = idempotency.Claim{State: told}
			if told == idempotency.StateAnswered {
				got.Answer = []byte("{}")
			}
		}
		return got, err
	}
}

// with returns a claim that changes the request first.
func with(change func(*idempotency.Request)) func(claimFunc, idempotency.Request) (idempotency.Claim, error) {
	return func(good claimFunc, r idempotency.Request) (idempotency.Claim, error) {
		change(&r)
		return good(r)
	}
}

// owners stores the owner of each claim, for stores without fencing.
type owners struct{ sync.Map }

func (o *owners) claim(good claimFunc, r idempotency.Request) (idempotency.Claim, error) {
	got, err := good(r)
	if got.State == idempotency.StateClaimed {
		o.Store(r.ID, r.Owner)
	}
	return got, err
}

func (o *owners) of(id string) string {
	owner, _ := o.Load(id)
	name, _ := owner.(string)
	return name
}

// defectiveStores returns stores with one defect each, and the expected test error.
func defectiveStores() map[string]struct {
	store *defective
	want  string
} {
	claimed, leases := new(owners), new(sync.Map)
	seen := new(sync.Map)
	return map[string]struct {
		store *defective
		want  string
	}{
		"two owners at once": {&defective{claim: instead(idempotency.StateRunning, idempotency.StateClaimed)}, "While the first call runs"},
		"a claim cannot be repeated": {&defective{claim: func(good claimFunc, r idempotency.Request) (idempotency.Claim, error) {
			if _, again := seen.LoadOrStore("1"+r.ID+r.Owner, true); again {
				r.Owner = rand.Text()
			}
			return good(r)
		}}, "whose first reply may be lost"},
		"fingerprints are ignored": {&defective{claim: with(func(r *idempotency.Request) { r.Fingerprint = "" })}, "another fingerprint"},
		"a conflict is an answer":  {&defective{claim: instead(idempotency.StateConflict, idempotency.StateAnswered)}, "want \"conflict\""},
		"a conflict has no effect": {&defective{claim: instead(idempotency.StateConflict, idempotency.StateConflict)}, `want effect "applied"`},
		"a conflict is always done": {&defective{claim: func(good claimFunc, r idempotency.Request) (idempotency.Claim, error) {
			got, err := good(r)
			got.Effect = toolerr.EffectApplied
			return got, err
		}}, `with effect "applied", want effect ""`},
		"a tombstone is an answer": {&defective{claim: instead(idempotency.StateDone, idempotency.StateAnswered)}, "without an answer"},
		"what is done is forgotten": {&defective{finish: func(good finishFunc, id, owner string, end idempotency.Ending) error {
			if len(end.Answer) == 0 {
				end.Effect = toolerr.EffectNone
			}
			return good(id, owner, end)
		}}, "without an answer"},
		"abandoned is claimed":       {&defective{claim: instead(idempotency.StateAbandoned, idempotency.StateClaimed)}, "want \"abandoned\""},
		"abandoned is running":       {&defective{claim: instead(idempotency.StateAbandoned, idempotency.StateRunning)}, "does not end"},
		"everybody may run it again": {&defective{claim: with(func(r *idempotency.Request) { r.Rerun = true })}, "want \"answered\""},
		"nobody may run it again":    {&defective{claim: with(func(r *idempotency.Request) { r.Rerun = false })}, "With Rerun"},
		"nothing is released": {&defective{finish: func(good finishFunc, id, owner string, end idempotency.Ending) error {
			if end.Effect == toolerr.EffectNone {
				end.Effect = toolerr.EffectUnknown
			}
			return good(id, owner, end)
		}}, "without effect"},
		"an unknown effect is none": {&defective{finish: func(good finishFunc, id, owner string, end idempotency.Ending) error {
			if end.Effect == toolerr.EffectUnknown {
				end.Effect = toolerr.EffectNone
			}
			return good(id, owner, end)
		}}, "effect unknown"},
		"any owner may finish": {&defective{claim: claimed.claim, finish: func(good finishFunc, id, _ string, end idempotency.Ending) error {
			return good(id, claimed.of(id), end)
		}}, "Finish by"},
		"any owner may renew": {&defective{claim: claimed.claim, renew: func(good renewFunc, id, _ string, lease time.Duration) error {
			return good(id, claimed.of(id), lease)
		}}, "Renew by"},
		"a lost lease is not reported": {&defective{renew: func(good renewFunc, id, owner string, lease time.Duration) error {
			_ = good(id, owner, lease)
			return nil
		}}, "Renew"},
		"a lost claim is not reported": {&defective{finish: func(good finishFunc, id, owner string, end idempotency.Ending) error {
			_ = good(id, owner, end)
			return nil
		}}, "Finish"},
		"nothing is renewed":     {&defective{renew: func(renewFunc, string, string, time.Duration) error { return nil }}, "After the lease was renewed"},
		"leases do not end":      {&defective{claim: with(func(r *idempotency.Request) { r.Lease = time.Hour })}, "does not end"},
		"leases end immediately": {&defective{claim: with(func(r *idempotency.Request) { r.Lease = -1 })}, "want \"running\""},
		"an owner may not finish late": {&defective{
			claim: func(good claimFunc, r idempotency.Request) (idempotency.Claim, error) {
				got, err := good(r)
				if got.State == idempotency.StateClaimed {
					leases.Store(r.ID+r.Owner, time.Now().Add(r.Lease))
				}
				return got, err
			},
			finish: func(good finishFunc, id, owner string, end idempotency.Ending) error {
				if until, ok := leases.Load(id + owner); ok && time.Now().After(until.(time.Time)) { //nolint:errcheck // nothing else is in it
					return idempotency.ErrLost
				}
				return good(id, owner, end)
			},
		}, "Finish by the owner"},
		"an owner may finish once": {&defective{finish: func(good finishFunc, id, owner string, end idempotency.Ending) error {
			if _, again := seen.LoadOrStore("2"+id+owner, true); again {
				return idempotency.ErrLost
			}
			return good(id, owner, end)
		}}, "an owner that finishes twice"},
		"a delayed claim is believed": {&defective{claim: with(func(r *idempotency.Request) {
			if _, again := seen.LoadOrStore("3"+r.ID+r.Owner, true); again {
				r.Owner = rand.Text()
			}
		})}, "the owner that has finished"},
		"attempts are ignored": {&defective{claim: with(func(r *idempotency.Request) { r.Attempt = 0 })}, "Of the same attempt"},
		"calls are ignored":    {&defective{claim: with(func(r *idempotency.Request) { r.Call = "" })}, "Of another call"},
		"only the same attempt": {&defective{claim: with(func(r *idempotency.Request) {
			if r.Attempt > 0 {
				r.Call += fmt.Sprint(r.Attempt)
			}
		})}, "Of an earlier attempt"},
		"answers are trimmed": {&defective{finish: func(good finishFunc, id, owner string, end idempotency.Ending) error {
			end.Answer = bytes.TrimSpace(end.Answer)
			return good(id, owner, end)
		}}, "a different answer"},
		"answers are text": {&defective{finish: func(good finishFunc, id, owner string, end idempotency.Ending) error {
			end.Answer = []byte(strings.ToValidUTF8(string(end.Answer), "?"))
			return good(id, owner, end)
		}}, "a different answer"},
		"long answers are cut": {&defective{finish: func(good finishFunc, id, owner string, end idempotency.Ending) error {
			end.Answer = end.Answer[:min(len(end.Answer), 1<<15)]
			return good(id, owner, end)
		}}, "a different answer"},
		"it reads first and writes later": {&defective{claim: func(good claimFunc, r idempotency.Request) (idempotency.Claim, error) {
			if _, known := claimed.Load("4" + r.ID); !known {
				time.Sleep(time.Millisecond) // the duration of a statement
				claimed.Store("4"+r.ID, true)
				_, _ = good(r)
				return idempotency.Claim{State: idempotency.StateClaimed}, nil
			}
			return good(r)
		}}, "concurrent claims"},
		"a canceled claim has no owner": {&defective{ended: func(ctx context.Context, good claimFunc, r idempotency.Request) (idempotency.Claim, error) {
			if ctx.Err() != nil { // executed all the same, for an unknown owner
				r.Owner = rand.Text()
				_, _ = good(r)
				return idempotency.Claim{}, ctx.Err()
			}
			return good(r)
		}}, "after canceled claims"},
	}
}

func TestStore_PlantedDefects(t *testing.T) {
	t.Parallel()
	defects := defectiveStores()
	assert.GreaterOrEqual(t, len(defects), 12)
	for name, defect := range defects {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said := &scribe{ctx: t.Context()}
			resulttest.TestStore(said, func() idempotency.Store { return defect.store })
			assert.Contains(t, strings.Join(said.said, "\n"), defect.want)
		})
	}
}

// Stores that do not share their storage are detected, and a good store has no errors.
func TestStore_Alone(t *testing.T) {
	t.Parallel()
	said := &scribe{ctx: t.Context()}
	resulttest.TestStore(said, func() idempotency.Store { return new(idempotency.MemoryStore) })
	assert.Contains(t, strings.Join(said.said, "\n"), "While the first call runs")
	good := new(defective)
	resulttest.TestStore(t, func() idempotency.Store { return good })
}
