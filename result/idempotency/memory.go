package idempotency

import (
	"cmp"
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// defaultMaxAge is the default of [MemoryStore.MaxAge]: Stripe's minimum.
	defaultMaxAge = 24 * time.Hour
	// defaultMaxSize is the default of [MemoryStore.MaxSize]. Chosen: a single principal may
	// use half of it, which has room for more than a million calls without answers.
	defaultMaxSize = 128 << 20
)

// A MemoryStore is a [Store] in the memory of one process. The zero value is ready to use. It
// is safe for concurrent use and must not be copied. Do not change its fields after its
// first use.
//
// A principal may use as much memory as is still free: a single one half of MaxSize, two a
// third each. If there is no more room, the principal's oldest answers are replaced by marks
// of about forty bytes, which say that the call was made, and then its new calls are refused.
// Many principals with full shares leave little for a new one: limit who may be a principal,
// or use a database. The middleware's logger is notified when answers are dropped early, and
// when three quarters of a principal's room cannot be freed.
type MemoryStore struct {
	// MaxSize is the maximum memory in bytes. Default: 128 MiB, chosen to hold more than a
	// million calls of one principal, some with answers. A negative value means no limit.
	MaxSize int
	// MaxAge is how long a call is remembered after it ends. After that its key is
	// new; a mark may live up to one eighth longer. Default: 24 h, Stripe's minimum. A
	// negative value means forever.
	MaxAge time.Duration

	mu      sync.Mutex
	records map[string]*memoryRecord
	tenants map[string]*tenant
	marks   marks
	size    int
	swept   time.Time
	alerts  alerts
}

// processStart is the time at which the memory of this process was empty.
var processStart = time.Now()

// A memoryRecord is the complete record of a call.
type memoryRecord struct {
	Record

	at time.Time // when it was claimed or finished
	of *tenant
	in *list.Element // in the tenant's records
}

// Claim implements [Store]. If there is no room it returns a *[toolerr.Error]
// with code unavailable.
func (s *MemoryStore) Claim(ctx context.Context, r Request) (Claim, error) {
	s.mu.Lock()
	defer s.unlock(ctx)
	now := time.Now()
	s.sweep(now)
	known, ok := s.records[r.ID]
	if ok && known.Effect != "" && s.tooOld(now, known.at) {
		s.remove(known)
		ok = false
	}
	if ok {
		claim := known.Tell(r, now)
		if claim.State == StateClaimed {
			s.claim(known, now, r)
		}
		return claim, nil
	}
	mark, marked := s.marks.find(r.ID)
	if marked {
		if claim := mark.tell(r); claim.State != StateClaimed {
			return claim, nil
		}
	}
	// The age is negative with the clock of testing/synctest, and means nothing there.
	age := now.Sub(processStart)
	lost := !marked && !r.Rerun && age >= 0 && r.UnknownFor > age
	t := s.tenant(r.Principal)
	if !s.makeRoom(t, now, recordSize) {
		s.alerts.refused = true
		s.leave(t)
		if lost {
			return Claim{State: StateAbandoned}, nil
		}
		return Claim{}, errStoreFull
	}
	if marked {
		s.forgetMark(t, r.ID)
	}
	if s.records == nil {
		s.records = map[string]*memoryRecord{}
	}
	known = &memoryRecord{of: t, Record: Record{Ending: Ending{Effect: toolerr.EffectNone}}}
	known.in = t.records.PushBack(known)
	s.records[r.ID] = known
	s.charge(t, recordSize)
	s.claim(known, now, r)
	if lost { // for later repeats too
		known.of.running--
		known.Ending = Ending{Effect: toolerr.EffectUnknown}
		return Claim{State: StateAbandoned}, nil
	}
	return Claim{State: StateClaimed}, nil
}

// claim assigns a record to the request.
func (s *MemoryStore) claim(known *memoryRecord, now time.Time, r Request) {
	s.charge(known.of, -len(known.Answer))
	if known.Effect != "" {
		known.of.running++
	}
	known.Record = Record{Request: r, LeaseEnds: now.Add(r.Lease)}
	known.at = now
	known.of.records.MoveToBack(known.in)
}

// Renew implements [Store].
func (s *MemoryStore) Renew(_ context.Context, id, owner string, lease time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.records[id]
	if !ok || known.Request.Owner != owner || known.Effect != "" {
		return ErrLost
	}
	known.at = time.Now()
	known.LeaseEnds = known.at.Add(lease)
	return nil
}

// Finish implements [Store]. An answer that exceeds the principal's room is not stored, which
// is not an error.
func (s *MemoryStore) Finish(ctx context.Context, id, owner string, end Ending) error {
	s.mu.Lock()
	defer s.unlock(ctx)
	known, ok := s.records[id]
	if !ok || known.Request.Owner != owner {
		return ErrLost
	}
	now := time.Now()
	s.charge(known.of, -len(known.Answer))
	if known.Effect == "" {
		known.of.running--
	}
	known.Ending, known.at = Ending{Effect: end.Effect}, now
	known.of.records.Remove(known.in) // it must not be dropped for its own answer
	room := s.makeRoom(known.of, now, len(end.Answer))
	known.in = known.of.records.PushBack(known)
	if room && len(end.Answer) > 0 {
		known.Answer = end.Answer
		s.charge(known.of, len(end.Answer))
	}
	return nil
}

func (s *MemoryStore) tooOld(now, at time.Time) bool {
	age := s.maxAge()
	return age > 0 && now.Sub(at) > age
}

func (s *MemoryStore) maxAge() time.Duration { return cmp.Or(s.MaxAge, defaultMaxAge) }
