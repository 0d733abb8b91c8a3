package retry

import (
	"container/list"
	"slices"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A memory holds the remembered calls of a guard. The cost of its methods does not depend on
// the number of calls, because they are indexed by what releases them. The zero value is
// empty.
type memory struct {
	calls         map[callID]*guarded
	recent, held  list.List     // of *guarded, latest first
	preconditions index[string] // recent calls by the tool to call first
	values        index[uint64] // held calls by identifying value
}

// An index finds calls by a key.
type index[K comparable] map[K][]*guarded

func (x index[K]) add(key K, call *guarded) {
	if before := x[key]; len(before) == 0 || before[len(before)-1] != call {
		x[key] = append(before, call)
	}
}

func (x index[K]) remove(key K, call *guarded) {
	calls := x[key]
	if at := slices.Index(calls, call); at >= 0 {
		calls = slices.Delete(calls, at, at+1)
		x[key] = calls
	}
	if len(calls) == 0 {
		delete(x, key)
	}
}

// of returns a copy of the list of calls with the key.
func (x index[K]) of(key K) []*guarded { return slices.Clone(x[key]) }

func (m *memory) listOf(call *guarded) *list.List {
	if call.held {
		return &m.held
	}
	return &m.recent
}

// add remembers a call, and forgets the oldest of its kind if there are too many.
func (m *memory) add(call *guarded) {
	if m.calls == nil {
		m.calls, m.preconditions, m.values = map[callID]*guarded{}, index[string]{}, index[uint64]{}
	}
	l, limit := m.listOf(call), guardSize
	if call.held {
		limit = heldSize
	}
	m.calls[call.id], call.element = call, l.PushFront(call)
	if call.isPrecondition() {
		m.preconditions.add(call.first, call)
	}
	if call.held {
		for _, v := range call.values {
			m.values.add(v, call)
		}
	}
	if l.Len() > limit {
		m.forget(guardedAt(l.Back()))
	}
}

func (m *memory) forget(call *guarded) {
	delete(m.calls, call.id)
	m.listOf(call).Remove(call.element)
	if call.isPrecondition() {
		m.preconditions.remove(call.first, call)
	}
	if call.held {
		for _, v := range call.values {
			m.values.remove(v, call)
		}
	}
}

// touch makes a call the latest of its kind.
func (m *memory) touch(call *guarded) { m.listOf(call).MoveToFront(call.element) }

// forgetOld forgets calls that are too old, and their sessions. It stops at the first call
// from the back that is recent: an old call before that is forgotten later.
func (m *memory) forgetOld(now time.Time) {
	for _, l := range []*list.List{&m.recent, &m.held} {
		for at := l.Back(); at != nil && guardedAt(at).isOld(now); at = l.Back() {
			m.forget(guardedAt(at))
		}
	}
}

// forgetAll forgets the found calls, except one.
func (m *memory) forgetAll(found []*guarded, except callID) {
	for _, call := range found {
		if call.id != except {
			m.forget(call)
		}
	}
}

// forgetRecent forgets the failures and the empty answers, except those of one call.
func (m *memory) forgetRecent(except callID) {
	for at := m.recent.Front(); at != nil; {
		next, call := at.Next(), guardedAt(at)
		if call.id != except {
			m.forget(call)
		}
		at = next
	}
}

func guardedAt(at *list.Element) *guarded { return at.Value.(*guarded) } //nolint:errcheck,forcetypeassert // nothing else is in the lists

func (g *guarded) isOld(now time.Time) bool {
	if g.held {
		return now.Sub(g.at) > heldAge
	}
	return now.Sub(g.at) > guardAge
}

// isPrecondition reports whether another tool has to be called first.
func (g *guarded) isPrecondition() bool {
	return !g.held && g.err != nil && g.err.Code == toolerr.CodeFailedPrecondition
}
