package result

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A KeyStore remembers the calls that were made under idempotency keys. It is
// safe for concurrent use. The ids are hashes of fixed length, which give away
// neither keys nor principals; an answer holds what the tool answered.
type KeyStore interface {
	// Claim makes id the caller's where the store does not know it, and returns
	// nil. Else it changes nothing and returns what it knows. Of callers at the
	// same time, one alone gets it.
	Claim(ctx context.Context, id, fingerprint string) (*KeyRecord, error)
	// Finish records the answer of an id that was claimed.
	Finish(ctx context.Context, id string, answer []byte) error
	// Release forgets an id that was claimed.
	Release(ctx context.Context, id string) error
}

// KeyRecord is what a [KeyStore] knows of a call.
type KeyRecord struct {
	// Fingerprint tells the arguments apart.
	Fingerprint string
	// Answer is empty while the call is running. It must not be changed.
	Answer []byte
}

const (
	// defaultMaxAge is how long Stripe keeps a key, at the least.
	defaultMaxAge  = 24 * time.Hour
	defaultMaxSize = 64 << 20
	// keptAtLeast is many times what an agent waits between two attempts.
	keptAtLeast = 10 * time.Minute
	// recordSize is what a record costs: the id, the fingerprint, the map, the list,
	// and room for a short answer, so that one can always be recorded.
	recordSize = 1 << 10
)

var errStoreFull = toolerr.Transient("The store of idempotency keys is full; raise MemoryStore.MaxSize.").
	WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone)

// A MemoryStore is a [KeyStore] in the memory of one process. Its zero value is
// ready to use. It must not be copied.
type MemoryStore struct {
	// MaxSize bounds the memory, in bytes. Default: 64 MiB, which is some 65,000
	// calls with short answers. Over it, the oldest answers are forgotten, but none
	// within ten minutes: rather than that, new calls are refused.
	MaxSize int
	// MaxAge is how long an answer is kept. Default: 24 h.
	MaxAge time.Duration

	mu      sync.Mutex
	records map[string]*list.Element // of *memoryRecord
	byAge   list.List                // oldest first
	size    int
}

type memoryRecord struct {
	KeyRecord

	id string
	at time.Time // of the claim
}

func (r *memoryRecord) size() int { return recordSize + max(0, len(r.Answer)-recordSize/2) }

// Claim implements [KeyStore].
func (s *MemoryStore) Claim(_ context.Context, id, fingerprint string) (*KeyRecord, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire()
	if known, ok := s.records[id]; ok {
		r := recordOf(known).KeyRecord
		return &r, nil
	}
	if !s.makeRoom(recordSize) {
		return nil, errStoreFull
	}
	if s.records == nil {
		s.records = map[string]*list.Element{}
	}
	r := &memoryRecord{id: id, at: time.Now(), KeyRecord: KeyRecord{Fingerprint: fingerprint}}
	s.records[id] = s.byAge.PushBack(r)
	s.size += r.size()
	return nil, nil
}

// Finish implements [KeyStore]. A short answer is always taken.
func (s *MemoryStore) Finish(_ context.Context, id string, answer []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.records[id]
	if !ok {
		return nil // released, or forgotten while it ran
	}
	r := recordOf(at)
	before := r.size()
	if extra := (&memoryRecord{KeyRecord: KeyRecord{Answer: answer}}).size() - before; extra > 0 && !s.makeRoom(extra) {
		return errStoreFull
	}
	r.Answer = answer
	s.size += r.size() - before
	return nil
}

// Release implements [KeyStore].
func (s *MemoryStore) Release(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, ok := s.records[id]; ok {
		s.forget(at)
	}
	return nil
}

// expire forgets the answers that are too old. Calls that are still running
// stay.
func (s *MemoryStore) expire() {
	limit := s.MaxAge
	if limit == 0 {
		limit = defaultMaxAge
	}
	for at := s.byAge.Front(); at != nil && time.Since(recordOf(at).at) > limit; {
		next := at.Next()
		if len(recordOf(at).Answer) > 0 {
			s.forget(at)
		}
		at = next
	}
}

// makeRoom forgets the oldest answers until there is room for n bytes more, and
// reports whether there is.
func (s *MemoryStore) makeRoom(n int) bool {
	limit := s.MaxSize
	if limit == 0 {
		limit = defaultMaxSize
	}
	for at := s.byAge.Front(); at != nil && s.size+n > limit; {
		if time.Since(recordOf(at).at) < keptAtLeast {
			break
		}
		next := at.Next()
		if len(recordOf(at).Answer) > 0 {
			s.forget(at)
		}
		at = next
	}
	return s.size+n <= limit
}

func (s *MemoryStore) forget(at *list.Element) {
	r := recordOf(at)
	delete(s.records, r.id)
	s.byAge.Remove(at)
	s.size -= r.size()
}

func recordOf(at *list.Element) *memoryRecord {
	return at.Value.(*memoryRecord) //nolint:errcheck // nothing else is in the list
}
