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
//
// Where Claim returns an error, the call is not made, and fails without effect. An
// error of another method is logged, and the id stays claimed, so that nothing is
// done twice. A store that outlives the process has to settle for itself what
// becomes of a claim whose process has died: nobody will finish it.
type KeyStore interface {
	// Claim makes id the caller's where the store does not know it, or where it was
	// reopened and has this fingerprint, and returns nil. Else it changes nothing and
	// returns what it knows. Of callers at the same time, one alone gets it.
	Claim(ctx context.Context, id, fingerprint string) (*KeyRecord, error)
	// Finish records the answer of an id that was claimed. It is called again with a
	// shorter answer where it returns an error. Its context does not end.
	Finish(ctx context.Context, id string, answer []byte) error
	// Reopen lets an id that was claimed be claimed once more, with the same
	// fingerprint. Its context does not end.
	Reopen(ctx context.Context, id string) error
	// Release forgets an id that was claimed. Its context does not end.
	Release(ctx context.Context, id string) error
}

// A KeyRecord is what a [KeyStore] knows of a call.
type KeyRecord struct {
	// Fingerprint tells the arguments apart: a hash, as it was given to Claim.
	Fingerprint string
	// Answer is empty while there is none. It must not be changed.
	Answer []byte
}

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

// A MemoryStore is a [KeyStore] in the memory of one process. Its zero value is
// ready to use. It is safe for concurrent use, and must not be copied. Its fields
// must not be changed after its first use.
type MemoryStore struct {
	// MaxSize bounds the memory, in bytes. Zero or less is 64 MiB, chosen to hold
	// some 65,000 calls with short answers, nearly one a second for a day. Over it,
	// the oldest answers are forgotten, but none within ten minutes: rather than that,
	// new calls are refused.
	MaxSize int
	// MaxAge is how long an answer is kept, from when it was given. Zero or less is
	// 24 h, for which Stripe keeps its keys at least.
	MaxAge time.Duration

	mu      sync.Mutex
	records map[string]*memoryRecord
	byAge   list.List // of the *memoryRecord whose calls have ended, the oldest first
	size    int
}

type memoryRecord struct {
	KeyRecord

	id   string
	open bool          // reopened
	at   time.Time     // of the answer, or when it was reopened
	in   *list.Element // of byAge; nil while the call runs
}

func sizeOf(answer []byte) int { return recordSize + max(0, len(answer)-recordSize/2) }

// Claim implements [KeyStore]. Where there is no room it returns a *[toolerr.Error]
// with code unavailable.
func (s *MemoryStore) Claim(_ context.Context, id, fingerprint string) (*KeyRecord, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire()
	if known, ok := s.records[id]; ok {
		if known.open && known.Fingerprint == fingerprint {
			known.open = false
			s.byAge.Remove(known.in)
			known.in = nil
			return nil, nil
		}
		r := known.KeyRecord
		return &r, nil
	}
	if !s.makeRoom(recordSize) {
		return nil, errStoreFull
	}
	if s.records == nil {
		s.records = map[string]*memoryRecord{}
	}
	s.records[id] = &memoryRecord{id: id, KeyRecord: KeyRecord{Fingerprint: fingerprint}}
	s.size += recordSize
	return nil, nil
}

// Finish implements [KeyStore]. A short answer is always taken, of up to 512 bytes;
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
	if extra > 0 && (len(answer) > s.maxSize()/16 || !s.makeRoom(extra) || s.records[id] != r) {
		return errStoreFull
	}
	s.size += extra
	r.Answer, r.open = answer, false
	s.settled(r)
	return nil
}

// Reopen implements [KeyStore]. Its error is always nil.
func (s *MemoryStore) Reopen(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.records[id]; ok && len(r.Answer) == 0 {
		r.open = true
		s.settled(r)
	}
	return nil
}

// settled notes when a call has ended.
func (s *MemoryStore) settled(r *memoryRecord) {
	r.at = time.Now()
	if r.in != nil {
		s.byAge.Remove(r.in)
	}
	r.in = s.byAge.PushBack(r)
}

// Release implements [KeyStore]. Its error is always nil.
func (s *MemoryStore) Release(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.records[id]; ok {
		s.forget(r)
	}
	return nil
}

func (s *MemoryStore) maxSize() int {
	if s.MaxSize <= 0 {
		return defaultMaxSize
	}
	return s.MaxSize
}

// expire forgets the answers that are too old.
func (s *MemoryStore) expire() {
	limit := s.MaxAge
	if limit <= 0 {
		limit = defaultMaxAge
	}
	for r := s.oldest(); r != nil && time.Since(r.at) > limit; r = s.oldest() {
		s.forget(r)
	}
}

// makeRoom forgets the oldest answers until there is room for n bytes more, and
// reports whether there is.
func (s *MemoryStore) makeRoom(n int) bool {
	for r := s.oldest(); r != nil && s.size+n > s.maxSize() && time.Since(r.at) >= keptAtLeast; r = s.oldest() {
		s.forget(r)
	}
	return s.size+n <= s.maxSize()
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
