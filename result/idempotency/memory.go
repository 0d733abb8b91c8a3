package idempotency

import (
	"cmp"
	"container/list"
	"context"
	"math"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The defaults of [MemoryStore], chosen as its documentation explains.
const (
	defaultMaxAge  = 24 * time.Hour
	defaultMaxSize = 128 << 20
)

// A MemoryStore is a [Store] in the memory of one process. The zero value is ready to use. It is
// safe for concurrent use and must not be copied. Do not change its fields after its first use.
//
// A principal may use at most what it leaves free: half of MaxSize if alone, a third each if there
// are two. When memory runs out, its oldest answers are dropped, but not which calls may have had an
// effect; then its new calls are rejected. Many principals with full shares leave little for a new
// one: limit who may be a principal, or use a database.
type MemoryStore struct {
	// MaxSize is the maximum memory in bytes. Default: 128 MiB, chosen to hold a hundred
	// thousand calls of one principal, some with answers. A negative value means no limit.
	MaxSize int
	// MaxAge is how long a call is remembered after it ends. Its key counts as new after that, or
	// up to an eighth of MaxAge later. Default: 24 h, Stripe's minimum. Negative: forever.
	MaxAge time.Duration

	mu      sync.Mutex
	records map[string]*memoryRecord
	tenants map[string]*tenant // those that have records
	size    int
	swept   time.Time
	began   time.Time // when a handler first had the store
}

// processStart is about when this process started. Earlier calls are unknown. By the clock of testing/synctest, the
// process is younger than the calls.
var processStart = time.Now()

// A memoryRecord is the record of a call. If the call has ended, LeaseEnds is when it ended.
type memoryRecord struct {
	Record

	of *tenant
	in *list.Element // in the tenant's records, or nil
}

// Claim implements [Store]. If there is no room, it returns [ErrFull].
func (s *MemoryStore) Claim(_ context.Context, r Request) (Claim, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.records == nil {
		s.records, s.tenants = map[string]*memoryRecord{}, map[string]*tenant{}
	}
	now := time.Now()
	s.sweep(now)
	record, age := Record{}, min(now.Sub(processStart), now.Sub(s.began))
	if known := s.records[r.ID]; known != nil {
		record = known.Record
	} else if 0 <= age && age < r.UnknownFor { // it may have reached an earlier process or store
		record = Record{Request: r, LeaseEnds: now, Ending: Ending{Effect: toolerr.EffectUnknown}}
		record.Request.Owner = "another"
		s.put(record)
	}
	claim := record.Tell(r, now)
	if claim.State == StateClaimed && !s.put(Record{Request: r, LeaseEnds: now.Add(r.Lease)}) {
		return Claim{}, ErrFull
	}
	return claim, nil
}

// Renew implements [Store].
func (s *MemoryStore) Renew(_ context.Context, id, owner string, lease time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.records[id]
	if !ok || known.Request.Owner != owner || known.Effect != "" {
		return ErrLost
	}
	known.LeaseEnds = time.Now().Add(lease)
	return nil
}

// Finish implements [Store]. It stores only the effect if there is no room for the answer.
func (s *MemoryStore) Finish(_ context.Context, id, owner string, end Ending) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.records[id]
	if !ok || known.Request.Owner != owner {
		return ErrLost
	}
	s.dropAnswer(known) // also so that the record itself is not removed for its new answer
	known.Ending, known.LeaseEnds = Ending{Effect: end.Effect}, time.Now()
	if s.makeRoom(known.of, len(end.Answer)) {
		known.Answer = end.Answer
		s.charge(known.of, len(end.Answer))
	}
	if known.Effect == toolerr.EffectNone || known.Answer != nil { // there is something to drop
		known.in = known.of.records.PushBack(known)
	}
	return nil
}

// recordSize is the size in bytes of a record without its answer. Measured: how much each of a
// million records, with its hashes and tokens, adds to the heap.
const recordSize = 576

// A tenant is a principal that uses memory.
type tenant struct {
	principal string
	records   list.List // of *memoryRecord: what can be dropped, oldest first
	size      int
}

func (s *MemoryStore) charge(t *tenant, n int) {
	t.size += n
	s.size += n
}

// fits reports whether a tenant may use n more bytes. A tenant never gets more than remains for
// others afterwards (dynamic thresholds, Choudhury and Hahne 1998).
func (s *MemoryStore) fits(t *tenant, n int) bool {
	limit := cmp.Or(s.MaxSize, defaultMaxSize)
	if limit < 0 {
		limit = math.MaxInt
	}
	return t.size+n <= limit-s.size-n
}

// makeRoom drops a tenant's oldest answers, and calls that had no effect, until there is room for n
// more bytes. It reports whether there is. It never drops a running call.
func (s *MemoryStore) makeRoom(t *tenant, n int) bool {
	for t.records.Len() > 0 && !s.fits(t, n) {
		oldest := t.records.Front().Value.(*memoryRecord) //nolint:errcheck,forcetypeassert // nothing else is in the list
		if s.dropAnswer(oldest); oldest.Effect == toolerr.EffectNone {
			s.remove(oldest)
		}
	}
	return s.fits(t, n)
}

// put stores a record, and reports whether there is room for it.
func (s *MemoryStore) put(record Record) bool {
	known, principal := s.records[record.Request.ID], record.Request.Principal
	if known == nil {
		known = &memoryRecord{of: cmp.Or(s.tenants[principal], &tenant{principal: principal})}
		if !s.makeRoom(known.of, recordSize) {
			return false
		}
		s.records[record.Request.ID], s.tenants[principal] = known, known.of
		s.charge(known.of, recordSize)
	}
	s.dropAnswer(known)
	known.Record = record
	return true
}

func (s *MemoryStore) remove(r *memoryRecord) {
	delete(s.records, r.Request.ID)
	s.dropAnswer(r)
	if s.charge(r.of, -recordSize); r.of.size == 0 {
		delete(s.tenants, r.of.principal)
	}
}

// dropAnswer drops the answer of a record, if any, which then has nothing left to drop.
func (s *MemoryStore) dropAnswer(r *memoryRecord) {
	s.charge(r.of, -len(r.Answer))
	if r.Answer = nil; r.in != nil {
		r.of.records.Remove(r.in)
		r.in = nil
	}
}

// sweep drops expired records from time to time, including those of principals who never return.
func (s *MemoryStore) sweep(now time.Time) {
	age := cmp.Or(s.MaxAge, defaultMaxAge)
	if age < 0 || now.Sub(s.swept) < age/8 {
		return
	}
	s.swept = now
	for _, r := range s.records {
		if now.Sub(r.LeaseEnds) > age {
			s.remove(r)
		}
	}
}
