package retry

import (
	"container/list"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A memory holds the remembered calls of a guard. The zero value is empty.
type memory struct {
	calls        map[callID]*guarded
	recent, held list.List // of *guarded, latest first
}

func (m *memory) listOf(call *guarded) *list.List {
	if call.held {
		return &m.held
	}
	return &m.recent
}

// add remembers a call, and forgets the oldest of its kind if there are too many.
func (m *memory) add(call *guarded) {
	if m.calls == nil {
		m.calls = map[callID]*guarded{}
	}
	l, limit := m.listOf(call), guardSize
	if call.held {
		limit = heldSize
	}
	m.calls[call.id], call.element = call, l.PushFront(call)
	if l.Len() > limit {
		m.forget(guardedAt(l.Back()))
	}
}

func (m *memory) forget(call *guarded) {
	delete(m.calls, call.id)
	m.listOf(call).Remove(call.element)
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

// forgetIf forgets the calls of a list that match.
func (m *memory) forgetIf(l *list.List, matches func(*guarded) bool) {
	for at := l.Front(); at != nil; {
		next, call := at.Next(), guardedAt(at)
		if matches(call) {
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
