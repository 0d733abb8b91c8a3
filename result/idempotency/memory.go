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
	// defaultMaxAge is [MemoryStore.MaxAge]: Stripe's time, at the least.
	defaultMaxAge = 24 * time.Hour
	// defaultMaxSize is [MemoryStore.MaxSize]. Chosen: a day's calls at nearly one a
	// second, in memory that a server can spare.
	defaultMaxSize = 64 << 20
	// keptAtLeast is how long no answer is forgotten to make room. Chosen: ten times
	// what an agent waits in all between its attempts, by default.
	keptAtLeast = 10 * time.Minute
	// recordSize is what a record is taken to cost, in bytes. Chosen: half of it for
	// two digests, the map and the list, half for a short answer, so that one can
	// always be recorded.
	recordSize = 1 << 10
)

var errStoreFull = toolerr.Transient("The store of idempotency keys is full; raise MemoryStore.MaxSize.").
	WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone)

// A MemoryStore is a [Store] in the memory of one process. Its zero value is
// ready to use. It is safe for concurrent use, and must not be copied. Its fields
// must not be changed after its first use.
type MemoryStore struct {
	// MaxSize bounds the memory, in bytes. Default: 64 MiB, chosen to hold
	// some 65,000 calls with short answers, nearly one a second for a day. Over it,
	// the oldest answers are forgotten, but none within ten minutes: rather than that,
	// new calls are refused. A negative value means no bound.
	MaxSize int
	// MaxAge is how long an answer is kept, from when it was given. Default: 24 h, for
	// which Stripe keeps its keys at least. A negative value means without end.
	MaxAge time.Duration

	mu      sync.Mutex
	records map[string]*memoryRecord
	byAge   list.List // of the *memoryRecord whose calls have ended, the oldest first
	size    int
}

type memoryRecord struct {
	Record

	id   string
	open bool          // reopened
	at   time.Time     // of the answer, or when it was reopened
	in   *list.Element // of byAge; nil while the call runs
}

func sizeOf(answer []byte) int { return recordSize + max(0, len(answer)-recordSize/2) }

// Claim implements [Store]. If there is no room it returns a *[toolerr.Error]
// with code unavailable.
func (s *MemoryStore) Claim(_ context.Context, id, fingerprint string) (Claim, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire()
	if known, ok := s.records[id]; ok {
		switch {
		case known.open && known.Fingerprint == fingerprint:
			known.open = false
			s.byAge.Remove(known.in)
			known.in = nil
			return Claim{State: StateClaimed}, nil
		case len(known.Answer) > 0:
			return Claim{State: StateAnswered, Record: known.Record}, nil
		}
		return Claim{State: StateRunning, Record: known.Record}, nil
	}
	if !s.makeRoom(recordSize) {
		return Claim{}, errStoreFull
	}
	if s.records == nil {
		s.records = map[string]*memoryRecord{}
	}
	s.records[id] = &memoryRecord{id: id, Record: Record{Fingerprint: fingerprint}}
	s.size += recordSize
	return Claim{State: StateClaimed}, nil
}

// Finish implements [Store]. A short answer is always taken, of up to 512 bytes;
// one that is longer than a sixteenth of the store is not, and is an error. Of an
// id that was not claimed it does nothing.
func (s *MemoryStore) Finish(_ context.Context, id string, answer []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.records[id]
	if !ok {
		return nil // released
	}
	extra := sizeOf(answer) - sizeOf(r.Answer)
	if extra > 0 && (!s.fits(16*len(answer)) || !s.makeRoom(extra) || s.records[id] != r) {
		return errStoreFull
	}
	s.size += extra
	r.Answer, r.open = answer, false
	s.ended(r)
	return nil
}

// Reopen implements [Store]. Its error is always nil.
func (s *MemoryStore) Reopen(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.records[id]; ok && len(r.Answer) == 0 {
		r.open = true
		s.ended(r)
	}
	return nil
}

// ended notes when a call has ended.
func (s *MemoryStore) ended(r *memoryRecord) {
	r.at = time.Now()
	if r.in != nil {
		s.byAge.Remove(r.in)
	}
	r.in = s.byAge.PushBack(r)
}

// Release implements [Store]. Its error is always nil.
func (s *MemoryStore) Release(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.records[id]; ok {
		s.forget(r)
	}
	return nil
}

// fits reports whether n bytes are within the bound.
func (s *MemoryStore) fits(n int) bool {
	return s.MaxSize < 0 || n <= cmp.Or(s.MaxSize, defaultMaxSize)
}

// expire forgets the answers that are too old.
func (s *MemoryStore) expire() {
	limit := cmp.Or(s.MaxAge, defaultMaxAge)
	for r := s.oldest(); limit > 0 && r != nil && time.Since(r.at) > limit; r = s.oldest() {
		s.forget(r)
	}
}

// makeRoom forgets the oldest answers until there is room for n bytes more, and
// reports whether there is.
func (s *MemoryStore) makeRoom(n int) bool {
	for r := s.oldest(); r != nil && !s.fits(s.size+n) && time.Since(r.at) >= keptAtLeast; r = s.oldest() {
		s.forget(r)
	}
	return s.fits(s.size + n)
}

// oldest returns the record with the oldest answer, or nil.
func (s *MemoryStore) oldest() *memoryRecord {
	if front := s.byAge.Front(); front != nil {
		return front.Value.(*memoryRecord) //nolint:errcheck // nothing else is in the list
	}
	return nil
}

func (s *MemoryStore) forget(r *memoryRecord) {
	delete(s.records, r.id)
	if r.in != nil {
		s.byAge.Remove(r.in)
	}
	s.size -= sizeOf(r.Answer)
}
