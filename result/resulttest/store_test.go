package resulttest_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type (
	claimFunc  = func(context.Context, idempotency.Request) (idempotency.Claim, error)
	renewFunc  = func(ctx context.Context, id, owner string, lease time.Duration) error
	finishFunc = func(ctx context.Context, id, owner string, end idempotency.Ending) error
)

// A store of functions.
type funcStore struct {
	claim  claimFunc
	renew  renewFunc
	finish finishFunc
}

func (s *funcStore) Claim(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
	return s.claim(ctx, r)
}

func (s *funcStore) Renew(ctx context.Context, id, owner string, d time.Duration) error {
	return s.renew(ctx, id, owner, d)
}

func (s *funcStore) Finish(ctx context.Context, id, owner string, e idempotency.Ending) error {
	return s.finish(ctx, id, owner, e)
}

// goodStore returns a store of the functions of a MemoryStore.
func goodStore() *funcStore {
	m := new(idempotency.MemoryStore)
	return &funcStore{m.Claim, m.Renew, m.Finish}
}

// requests returns a defect that changes the request of a claim.
func requests(change func(*idempotency.Request)) func(*funcStore) {
	return func(s *funcStore) {
		good := s.claim
		s.claim = func(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
			change(&r)
			return good(ctx, r)
		}
	}
}

// claims returns a defect that changes the reply to a claim.
func claims(change func(r idempotency.Request, got *idempotency.Claim)) func(*funcStore) {
	return func(s *funcStore) {
		good := s.claim
		s.claim = func(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
			got, err := good(ctx, r)
			change(r, &got)
			return got, err
		}
	}
}

// instead returns a defect that reports one state as another.
func instead(of, told idempotency.State) func(*funcStore) {
	return claims(func(_ idempotency.Request, got *idempotency.Claim) {
		if got.State == of {
			*got = idempotency.Claim{State: told}
			if told == idempotency.StateAnswered {
				got.Answer = []byte("{}")
			}
		}
	})
}

// endings returns a defect that changes how a call ended.
func endings(change func(*idempotency.Ending)) func(*funcStore) {
	return func(s *funcStore) {
		good := s.finish
		s.finish = func(ctx context.Context, id, owner string, end idempotency.Ending) error {
			change(&end)
			return good(ctx, id, owner, end)
		}
	}
}

// effectAs returns a defect that stores one effect as another.
func effectAs(of, stored toolerr.Effect) func(*funcStore) {
	return endings(func(end *idempotency.Ending) {
		if end.Effect == of {
			end.Effect = stored
		}
	})
}

// renamedRepeats is the defect that a repeated claim has another owner.
func renamedRepeats(s *funcStore) {
	seen := new(sync.Map)
	requests(func(r *idempotency.Request) {
		if _, again := seen.LoadOrStore(r.ID+r.Owner, true); again {
			r.Owner = rand.Text()
		}
	})(s)
}

// anyOwner stores the owner of each claim, for stores without fencing.
func anyOwner(s *funcStore) (ownerOf func(id string) string) {
	owners := new(sync.Map)
	claims(func(r idempotency.Request, got *idempotency.Claim) {
		if got.State == idempotency.StateClaimed {
			owners.Store(r.ID, r.Owner)
		}
	})(s)
	return func(id string) string {
		owner, _ := owners.Load(id)
		name, _ := owner.(string)
		return name
	}
}

// storeDefects are the defects of stores, and the expected test errors.
var storeDefects = map[string]struct {
	plant func(*funcStore)
	want  string
}{
	"two owners at once": {
		instead(idempotency.StateRunning, idempotency.StateClaimed),
		`"claimed", want "running"`,
	},
	"a claim cannot be repeated": {renamedRepeats, `want "claimed"`},
	"fingerprints are ignored":   {requests(func(r *idempotency.Request) { r.Fingerprint = "" }), `want "conflict"`},
	"a conflict is an answer":    {instead(idempotency.StateConflict, idempotency.StateAnswered), `want "conflict"`},
	"a conflict has no effect": {
		instead(idempotency.StateConflict, idempotency.StateConflict),
		`want effect "applied"`,
	},
	"an earlier run is forgotten": {
		instead(idempotency.StateClaimed, idempotency.StateClaimed),
		`with effect "", want effect "unknown"`,
	},
	"a conflict is always done": {claims(func(_ idempotency.Request,
		got *idempotency.Claim,
	) {
		got.Effect = toolerr.EffectApplied
	}), `with effect "applied", want effect ""`},
	"a tombstone is an answer": {instead(idempotency.StateDone, idempotency.StateAnswered), `"answered", want "done"`},
	"what is done is forgotten": {endings(func(end *idempotency.Ending) {
		if len(end.Answer) == 0 {
			end.Effect = toolerr.EffectNone
		}
	}), `want "conflict"`},
	"abandoned is claimed": {instead(idempotency.StateAbandoned, idempotency.StateClaimed), `want "abandoned"`},
	"abandoned is running": {
		instead(idempotency.StateAbandoned, idempotency.StateRunning),
		`"running", want "abandoned"`,
	},
	"everybody may run it again": {requests(func(r *idempotency.Request) { r.Rerun = true }), `want "answered"`},
	"nobody may run it again":    {requests(func(r *idempotency.Request) { r.Rerun = false }), `want "claimed"`},
	"nothing is released":        {effectAs(toolerr.EffectNone, toolerr.EffectUnknown), `want "claimed"`},
	"an unknown effect is none":  {effectAs(toolerr.EffectUnknown, toolerr.EffectNone), `"claimed", want "answered"`},
	"any owner may finish": {func(s *funcStore) {
		ownerOf, good := anyOwner(s), s.finish
		s.finish = func(ctx context.Context, id, _ string, end idempotency.Ending) error {
			return good(ctx, id, ownerOf(id), end)
		}
	}, "the error is <nil>, want ErrLost"},
	"any owner may renew": {func(s *funcStore) {
		ownerOf, good := anyOwner(s), s.renew
		s.renew = func(ctx context.Context, id, _ string, lease time.Duration) error {
			return good(ctx, id, ownerOf(id), lease)
		}
	}, "the error is <nil>, want ErrLost"},
	"nothing is renewed": {func(s *funcStore) {
		good := s.renew
		s.renew = func(ctx context.Context, id, owner string, _ time.Duration) error { return good(ctx, id, owner, -1) }
	}, `"abandoned", want "running"`},
	"leases do not end":      {requests(func(r *idempotency.Request) { r.Lease = time.Hour }), "it does not end"},
	"leases end immediately": {requests(func(r *idempotency.Request) { r.Lease = -1 }), `want "running"`},
	"an owner may not finish late": {func(s *funcStore) {
		leases, finish := new(sync.Map), s.finish
		claims(func(r idempotency.Request, got *idempotency.Claim) {
			if got.State == idempotency.StateClaimed {
				leases.Store(r.ID+r.Owner, time.Now().Add(r.Lease))
			}
		})(s)
		s.finish = func(ctx context.Context, id, owner string, end idempotency.Ending) error {
			if until, ok := leases.Load(id + owner); ok && time.Now().After(until.(time.Time)) { //nolint:errcheck // one is
				return idempotency.ErrLost
			}
			return finish(ctx, id, owner, end)
		}
	}, "want nil"},
	"an owner may finish once": {func(s *funcStore) {
		finished, good := new(sync.Map), s.finish
		s.finish = func(ctx context.Context, id, owner string, end idempotency.Ending) error {
			if _, again := finished.LoadOrStore(id+owner, true); again {
				return idempotency.ErrLost
			}
			return good(ctx, id, owner, end)
		}
	}, "want nil"},
	"attempts are ignored": {requests(func(r *idempotency.Request) { r.Attempt = 0 }), `want "answered"`},
	"calls are ignored":    {requests(func(r *idempotency.Request) { r.Call = "" }), `"answered", want "claimed"`},
	"only the same attempt": {requests(func(r *idempotency.Request) {
		if r.Attempt > 0 {
			r.Call += fmt.Sprint(r.Attempt)
		}
	}), `want "answered"`},
	"fingerprints are cut": {
		requests(func(r *idempotency.Request) { r.Fingerprint = r.Fingerprint[:63] }),
		`want "conflict"`,
	},
	"an answer outlives a later claim": {func(s *funcStore) {
		answers, good := new(sync.Map), s.finish
		s.finish = func(ctx context.Context, id, owner string, end idempotency.Ending) error {
			if old, ok := answers.Load(id); ok && len(end.Answer) == 0 {
				end.Answer, _ = old.([]byte)
			}
			err := good(ctx, id, owner, end)
			if err == nil {
				answers.Store(id, end.Answer)
			}
			return err
		}
	}, `"answered", want "`},
	"answers are trimmed": {
		endings(func(end *idempotency.Ending) { end.Answer = bytes.TrimSpace(end.Answer) }),
		"a different answer",
	},
	"answers are text": {endings(func(end *idempotency.Ending) {
		end.Answer = []byte(strings.ToValidUTF8(string(end.Answer), "?"))
	}), "a different answer"},
	"long answers are cut": {endings(func(end *idempotency.Ending) {
		end.Answer = end.Answer[:min(len(end.Answer),
			1<<15)]
	}), "a different answer"},
	"it reads first and writes later": {func(s *funcStore) {
		known, good := new(sync.Map), s.claim
		s.claim = func(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
			if _, ok := known.Load(r.ID); !ok {
				time.Sleep(time.Millisecond) // the duration of a statement
				known.Store(r.ID, true)
				_, _ = good(ctx, r)
				return idempotency.Claim{State: idempotency.StateClaimed}, nil
			}
			return good(ctx, r)
		}
	}, "concurrent claims"},
	"a canceled claim has no owner": {func(s *funcStore) {
		good := s.claim
		s.claim = func(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
			if ctx.Err() != nil { // executed all the same, for an unknown owner
				r.Owner = rand.Text()
				_, _ = good(ctx, r)
				return idempotency.Claim{}, ctx.Err()
			}
			return good(ctx, r)
		}
	}, "after canceled claims"},
}

func TestStore_PlantedDefects(t *testing.T) {
	t.Parallel()
	for name, defect := range storeDefects {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				said, store := &spy{TB: t}, goodStore()
				defect.plant(store)
				resulttest.TestStore(said, func() idempotency.Store { return store })
				assert.Contains(t, strings.Join(said.errors, "\n"), defect.want)
			})
		})
	}
}

// Stores that do not share their storage are detected, and a good store has no errors.
func TestStore_Alone(t *testing.T) {
	t.Parallel()
	said := &spy{TB: t}
	resulttest.TestStore(said, func() idempotency.Store { return new(idempotency.MemoryStore) })
	assert.Contains(t, strings.Join(said.errors, "\n"), "violates the contract")
	// The store of the example was written from the documentation alone.
	for _, s := range []idempotency.Store{goodStore(), new(idempotency.MemoryStore), &fileStore{dir: t.TempDir()}} {
		synctest.Test(t, func(t *testing.T) { resulttest.TestStore(t, func() idempotency.Store { return s }) })
	}
}
