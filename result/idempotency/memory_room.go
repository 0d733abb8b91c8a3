package idempotency

import (
	"cmp"
	"container/list"
	"math"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

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
	return t.size+n <= limit(s.MaxSize, defaultMaxSize, math.MaxInt)-s.size-n
}

// makeRoom drops a tenant's oldest answers, and calls that had no effect, until there is room for n
// more bytes. It reports whether there is. It never drops a running call.
func (s *MemoryStore) makeRoom(t *tenant, n int) bool {
	for t.records.Len() > 0 && !s.fits(t, n) {
		oldest := t.records.Front().Value.(*memoryRecord) //nolint:errcheck,forcetypeassert // nothing else is in the list
		if oldest.Effect == toolerr.EffectNone {
			s.remove(oldest)
			continue
		}
		s.charge(t, -len(oldest.Answer))
		oldest.Answer = nil
		oldest.leaveList()
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
	s.charge(known.of, -len(known.Answer))
	known.Record = record
	return true
}

func (s *MemoryStore) remove(r *memoryRecord) {
	delete(s.records, r.Request.ID)
	r.leaveList()
	if s.charge(r.of, -recordSize-len(r.Answer)); r.of.size == 0 {
		delete(s.tenants, r.of.principal)
	}
}

func (r *memoryRecord) leaveList() {
	if r.in != nil {
		r.of.records.Remove(r.in)
		r.in = nil
	}
}

// sweep drops expired records from time to time, including those of principals who never return.
func (s *MemoryStore) sweep(now time.Time) {
	age := limit(s.MaxAge, defaultMaxAge, math.MaxInt64)
	if now.Sub(s.swept) < age/8 {
		return
	}
	s.swept = now
	for _, r := range s.records {
		if now.Sub(r.LeaseEnds) > age {
			s.remove(r)
		}
	}
}

// limit returns v, or byDefault if v is 0, or none if v is negative.
func limit[T int | time.Duration](v, byDefault, none T) T {
	if v < 0 {
		return none
	}
	return cmp.Or(v, byDefault)
}
