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
	// recordSize is what a record costs besides its answer, in bytes. Measured: what the
	// heap grows by for each of a million of them, hashes and tokens included.
	recordSize = 576
	// markSize is what a mark costs, in bytes. Measured: as above, right after the maps
	// have grown, when they are emptiest.
	markSize = 48
	// keptInPeace is how old an answer is that is forgotten without a word in the log.
	// Chosen: ten times what an agent waits in all between its attempts, by default.
	keptInPeace = 10 * time.Minute
	// alertEvery is how often the log says the same. Chosen: operators read it as one.
	alertEvery = time.Minute
)

var errStoreFull = toolerr.Transient("The store of idempotency keys has no room left for the caller's calls; raise MemoryStore.MaxSize.").
	WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone)

// A tenant is a principal that takes up memory.
type tenant struct {
	principal string
	records   list.List // of *memoryRecord, those first that were touched longest ago
	running   int       // of the records
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

func (s *MemoryStore) charge(t *tenant, n int) {
	t.size += n
	s.size += n
}

// free is how many bytes are within the bound, and false if there is none.
func (s *MemoryStore) free() (n int, bounded bool) {
	return cmp.Or(s.MaxSize, defaultMaxSize) - s.size, s.MaxSize >= 0
}

// fits reports whether a tenant may take up n bytes more: it has never more than what is
// left for others after that (dynamic thresholds, Choudhury and Hahne 1998). So there is
// always some left, but half of it less with each that fills its room.
func (s *MemoryStore) fits(t *tenant, n int) bool {
	free, bounded := s.free()
	return !bounded || t.size+n <= free-n
}

// makeRoom forgets a tenant's oldest answers until there is room for n bytes more, and
// reports whether there is. A call that is running is not forgotten.
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
	s.alerts.filling = s.alerts.filling || bounded && lasting > (t.size+free)*3/8 // of a room that is half of that
	return s.fits(t, n)
}

func (s *MemoryStore) oldest(t *tenant) *memoryRecord {
	return t.records.Front().Value.(*memoryRecord) //nolint:errcheck,forcetypeassert // nothing else is in the list
}

// forget leaves a mark of a record, if something may have been done under it.
func (s *MemoryStore) forget(r *memoryRecord, now time.Time) {
	s.remove(r)
	if r.Effect == toolerr.EffectNone {
		return
	}
	s.marks.add(now, s.maxAge(), r)
	r.of.marks++
	s.charge(r.of, markSize)
}

// remove forgets a record without a mark.
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

// sweep forgets now and then what is too old, of those too who never come back.
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
	for name, t := range s.tenants {
		for e := t.records.Front(); e != nil; {
			r := e.Value.(*memoryRecord) //nolint:errcheck,forcetypeassert // see oldest
			e = e.Next()
			if s.tooOld(now, r.at) && (r.Effect != "" || now.After(r.LeaseEnds)) {
				s.remove(r)
			}
		}
		if t.records.Len() == 0 && t.marks == 0 {
			delete(s.tenants, name)
		}
	}
}

// alerts are what is to be logged, and when it was last.
type alerts struct {
	early, filling, refused bool
	said                    [len(alertTexts)]time.Time
}

// unlock unlocks s, and then logs what has come up.
func (s *MemoryStore) unlock(ctx context.Context) {
	a, size := &s.alerts, s.size
	var say []string
	for i, text := range alertTexts {
		if [...]bool{a.early, a.filling, a.refused}[i] && (a.said[i].IsZero() || time.Since(a.said[i]) >= alertEvery) {
			say, a.said[i] = append(say, text), time.Now()
		}
	}
	a.early, a.filling, a.refused = false, false, false
	s.mu.Unlock()
	for _, text := range say {
		failure.FromContext(ctx).Log().LogAttrs(ctx, slog.LevelWarn, text,
			slog.Int("bytes", size), slog.Int("max_bytes", cmp.Or(s.MaxSize, defaultMaxSize)))
	}
}

var alertTexts = [...]string{
	"answers to calls under idempotency keys are forgotten early; raise MemoryStore.MaxSize",
	"three quarters of what one principal may take up are full of idempotency keys that cannot be forgotten; raise MemoryStore.MaxSize",
	"a call is refused because the store of idempotency keys is full; raise MemoryStore.MaxSize",
}
