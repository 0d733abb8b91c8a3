package idempotency

import (
	"cmp"
	"container/list"
	"context"
	"log/slog"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// recordSize is the size of a record without its answer in bytes. Measured: the growth of
	// the heap for each of a million records, including hashes and tokens.
	recordSize = 576
	// markSize is the size of a mark in bytes. Measured: as above, right after the maps have
	// grown.
	markSize = 48
	// keptInPeace is the age from which an answer is dropped without a log record. Chosen:
	// ten times the total wait of an agent's attempts by default.
	keptInPeace = 10 * time.Minute
	// alertEvery is the minimum time between equal log records. Chosen: operators see one
	// incident.
	alertEvery = time.Minute
)

var errStoreFull = toolerr.Transient("The store of idempotency keys has no room left for the caller's calls; raise MemoryStore.MaxSize.").
	WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone)

// A tenant is a principal that uses memory.
type tenant struct {
	principal string
	records   list.List // of *memoryRecord, least recently used first
	running   int       // number of running records
	marks     int
	size      int
}

func (s *MemoryStore) tenant(principal string) *tenant {
	t, ok := s.tenants[principal]
	if !ok {
		t = &tenant{principal: principal}
		if s.tenants == nil {
			s.tenants = map[string]*tenant{}
		}
		s.tenants[principal] = t
	}
	return t
}

// leave forgets a tenant that uses no memory, which is not charged for itself.
func (s *MemoryStore) leave(t *tenant) {
	if t.records.Len() == 0 && t.marks == 0 {
		delete(s.tenants, t.principal)
	}
}

func (s *MemoryStore) charge(t *tenant, n int) {
	t.size += n
	s.size += n
}

// free returns the number of free bytes, and false if there is no limit.
func (s *MemoryStore) free() (n int, bounded bool) {
	return cmp.Or(s.MaxSize, defaultMaxSize) - s.size, s.MaxSize >= 0
}

// fits reports whether a tenant may use n more bytes. It never has more than what is left
// for others afterwards (dynamic thresholds, Choudhury and Hahne 1998).
func (s *MemoryStore) fits(t *tenant, n int) bool {
	free, bounded := s.free()
	return !bounded || t.size+n <= free-n
}

// makeRoom drops a tenant's oldest answers until there is room for n more bytes, and reports
// whether there is. It never drops a running call.
func (s *MemoryStore) makeRoom(t *tenant, now time.Time, n int) bool {
	for range t.records.Len() {
		if s.fits(t, n) {
			break
		}
		oldest := s.oldest(t)
		if oldest.Effect == "" && now.Before(oldest.LeaseEnds) {
			t.records.MoveToBack(oldest.in)
			continue
		}
		s.alerts.early = s.alerts.early || oldest.Answer != nil && now.Sub(oldest.at) < keptInPeace
		s.forget(oldest, now)
	}
	free, bounded := s.free()
	lasting := t.marks*markSize + t.running*recordSize + n
	s.alerts.filling = s.alerts.filling || bounded && lasting > (t.size+free)*3/8 // the tenant's room is half of that
	return s.fits(t, n)
}

func (s *MemoryStore) oldest(t *tenant) *memoryRecord {
	return t.records.Front().Value.(*memoryRecord) //nolint:errcheck,forcetypeassert // nothing else is in the list
}

// forget replaces a record by a mark if its call may have had an effect.
func (s *MemoryStore) forget(r *memoryRecord, now time.Time) {
	s.remove(r)
	if r.Effect == toolerr.EffectNone {
		return
	}
	s.marks.add(now, s.maxAge(), r)
	r.of.marks++
	s.charge(r.of, markSize)
}

// remove drops a record without a mark.
func (s *MemoryStore) remove(r *memoryRecord) {
	delete(s.records, r.Request.ID)
	r.of.records.Remove(r.in)
	if r.Effect == "" {
		r.of.running--
	}
	s.charge(r.of, -recordSize-len(r.Answer))
}

func (s *MemoryStore) forgetMark(t *tenant, id string) {
	s.marks.remove(id, t)
	s.unmark(t, 1)
}

func (s *MemoryStore) unmark(t *tenant, n int) {
	t.marks -= n
	s.charge(t, -n*markSize)
}

// sweep regularly drops expired data, also that of principals who never return.
func (s *MemoryStore) sweep(now time.Time) {
	age := s.maxAge()
	if age < 0 || now.Sub(s.swept) < age/generations {
		return
	}
	s.swept = now
	for _, of := range s.marks.drop(now, age) {
		for t, n := range of {
			s.unmark(t, n)
		}
	}
	for _, t := range s.tenants {
		for e := t.records.Front(); e != nil; {
			r := e.Value.(*memoryRecord) //nolint:errcheck,forcetypeassert // see oldest
			e = e.Next()
			if s.tooOld(now, r.at) && (r.Effect != "" || now.After(r.LeaseEnds)) {
				s.remove(r)
			}
		}
		s.leave(t)
	}
}

// alerts are pending log records, and the times of the last ones.
type alerts struct {
	early, filling, refused bool
	logged                  [len(alertTexts)]time.Time
}

// unlock unlocks s, and then logs the pending alerts.
func (s *MemoryStore) unlock(ctx context.Context) {
	a, size := &s.alerts, s.size
	var pending []string
	for i, text := range alertTexts {
		if [...]bool{a.early, a.filling, a.refused}[i] && (a.logged[i].IsZero() || time.Since(a.logged[i]) >= alertEvery) {
			pending, a.logged[i] = append(pending, text), time.Now()
		}
	}
	a.early, a.filling, a.refused = false, false, false
	s.mu.Unlock()
	for _, text := range pending {
		failure.FromContext(ctx).Log().LogAttrs(ctx, slog.LevelWarn, text,
			slog.Int("bytes", size), slog.Int("max_bytes", cmp.Or(s.MaxSize, defaultMaxSize)))
	}
}

var alertTexts = [...]string{
	"answers of calls with idempotency keys are dropped early; raise MemoryStore.MaxSize",
	"three quarters of a principal's room for idempotency keys cannot be freed; raise MemoryStore.MaxSize",
	"call rejected because the store of idempotency keys is full; raise MemoryStore.MaxSize",
}
