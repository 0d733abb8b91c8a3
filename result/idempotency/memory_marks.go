package idempotency

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// generations is the number of maps that marks are grouped in by age. The oldest map is
// dropped as a whole, so a mark needs no time. Chosen: a mark lives at most one eighth
// longer, and a lookup takes nine maps.
const generations = 8

// marks are the marks of calls whose answers were dropped.
type marks []generation

type generation struct {
	begun time.Time
	calls map[markID]mark
	of    map[*tenant]int // number of marks by tenant
}

// A markID is 128 bits of a hash of an id, which makes collisions negligible.
type markID [16]byte

// A mark is 31 bits of a hash of the fingerprint, and one bit that is set if the call was
// carried out. Otherwise the effect is unknown.
type mark uint32

func hashOf(s string) (sum markID) {
	long := sha256.Sum256([]byte(s))
	copy(sum[:], long[:])
	return sum
}

func markOf(fingerprint string, done bool) mark {
	sum := hashOf(fingerprint)
	m := mark(binary.BigEndian.Uint32(sum[:])) &^ 1
	if done {
		m |= 1
	}
	return m
}

// tell is [Record.Tell] for a mark.
func (m mark) tell(r Request) Claim {
	k := Record{Request: Request{Owner: "another"}, Ending: Ending{Effect: toolerr.EffectUnknown}}
	if m&1 == 1 {
		k.Effect = toolerr.EffectApplied
	}
	if m&^1 == markOf(r.Fingerprint, false) {
		k.Request.Fingerprint = r.Fingerprint
	}
	return k.Tell(r, time.Time{})
}

func (ms *marks) find(id string) (m mark, ok bool) {
	if len(*ms) == 0 {
		return 0, false
	}
	sum := hashOf(id)
	for _, g := range *ms {
		if m, ok := g.calls[sum]; ok {
			return m, true
		}
	}
	return 0, false
}

func (ms *marks) add(now time.Time, age time.Duration, r *memoryRecord) {
	if n := len(*ms); n == 0 || age > 0 && now.Sub((*ms)[n-1].begun) > age/generations {
		*ms = append(*ms, generation{now, map[markID]mark{}, map[*tenant]int{}})
	}
	g := (*ms)[len(*ms)-1]
	g.calls[hashOf(r.Request.ID)] = markOf(r.Request.Fingerprint, r.Effect == toolerr.EffectApplied)
	g.of[r.of]++
}

func (ms *marks) remove(id string, t *tenant) {
	sum := hashOf(id)
	for _, g := range *ms {
		if _, ok := g.calls[sum]; ok {
			delete(g.calls, sum)
			g.of[t]--
		}
	}
}

// drop drops the expired generations, and returns the number of dropped marks by tenant.
func (ms *marks) drop(now time.Time, age time.Duration) (dropped []map[*tenant]int) {
	for len(*ms) > 0 && now.Sub((*ms)[0].begun) > age+age/generations {
		dropped = append(dropped, (*ms)[0].of)
		*ms = (*ms)[1:]
	}
	return dropped
}
