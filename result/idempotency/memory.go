package idempotency

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// defaultMaxAge is [MemoryStore.MaxAge]: Stripe's time, at the least.
	defaultMaxAge = 24 * time.Hour
	// defaultMaxSize is [MemoryStore.MaxSize]. Chosen: a principal alone has half of it, in
	// which there is room for more than a million calls whose answers are forgotten.
	defaultMaxSize = 128 << 20
)

// A MemoryStore is a [Store] in the memory of one process. Its zero value is
// ready to use. It is safe for concurrent use, and must not be copied. Its fields
// must not be changed after its first use.
//
// A principal may take up as much memory as is still free: one alone half of MaxSize, two a
// third each. If it has no more room, its own oldest answers are forgotten, and what is
// left of them is a mark of some forty bytes that the call was made. If even that does not
// make room, its new calls are refused. What others take up since makes its share smaller,
// and many principals that fill theirs leave little for a newcomer: bound who may be one, or
// use a database. Both are logged by the logger of
// the middleware that the call came through: that answers are forgotten early, and that
// three quarters of a principal's room are full of what cannot be forgotten.
type MemoryStore struct {
	// MaxSize bounds the memory, in bytes. Default: 128 MiB, chosen to hold more than a
	// million calls of one principal, some of them with their answers. A negative value
	// means no bound.
	MaxSize int
	// MaxAge is how long a call is remembered, from when it ended; after that its key is as
	// good as new. A mark is kept up to an eighth of it longer. Default: 24 h, for which
	// Stripe keeps its keys at least. A negative value means without end.
	MaxAge time.Duration

	mu      sync.Mutex
	records map[string]*memoryRecord
	tenants map[string]*tenant
	marks   marks
	size    int
	swept   time.Time
	alerts  alerts
}

// processStart is when the memory of this process was empty.
var processStart = time.Now()

// A memoryRecord is what is known of a call in full.
type memoryRecord struct {
	Record

	at time.Time // when it was claimed, or has ended
	of *tenant
	in *list.Element // of the tenant's records
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
		if state := mark.state(r); state != StateClaimed {
			return Claim{State: state}, nil
		}
	}
	// The age is negative under the clock of testing/synctest, and says nothing there.
	if age := now.Sub(processStart); !marked && !r.Rerun && age >= 0 && r.UnknownFor > age {
		return Claim{State: StateAbandoned}, nil
	}
	t := s.tenant(r.Principal)
	if !s.makeRoom(t, now, recordSize) {
		s.alerts.refused = true
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
	return Claim{State: StateClaimed}, nil
}

// claim makes a record the request's.
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

// Finish implements [Store]. An answer that is longer than the room of its principal is
// not kept, which is no error.
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
	known.of.records.Remove(known.in) // not to be forgotten for its own answer
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

func (s *MemoryStore) maxAge() time.Duration {
	if s.MaxAge == 0 {
		return defaultMaxAge
	}
	return s.MaxAge
}
