package idempotency

import (
	"crypto/sha256"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A markID is 96 bits of a hash of an id, which makes collisions negligible.
type markID [12]byte

// A mark is what is left of a record. It has no pointer and no padding, because there are many.
type mark struct {
	fingerprint [3]byte // of a hash of it
	isDone      bool    // the call was carried out; otherwise the effect is unknown
	ended       int32   // see secondsOf
}

func markIDOf(id string) markID {
	sum := sha256.Sum256([]byte(id))
	return markID(sum[:12])
}

func markOf(k Record) mark {
	sum := sha256.Sum256([]byte(k.Request.Fingerprint))
	return mark{fingerprint: [3]byte(sum[:3]), isDone: k.Effect == toolerr.EffectApplied, ended: secondsOf(k.LeaseEnds) + 1}
}

// record returns a mark as a record. The request is one for the mark's id.
func (m mark) record(r Request) Record {
	k := Record{Request: Request{Owner: "another"}, Ending: Ending{Effect: toolerr.EffectUnknown}}
	if m.isDone {
		k.Effect = toolerr.EffectApplied
	}
	if m.fingerprint == markOf(Record{Request: r}).fingerprint {
		k.Request.Fingerprint = r.Fingerprint
	}
	return k
}

// isOld reports whether a call ended longer ago than age. It may say so a second late.
func (m mark) isOld(now time.Time, age time.Duration) bool {
	return time.Duration(secondsOf(now)-m.ended)*time.Second > age
}

// secondsOf returns the seconds between the start of the process and t.
func secondsOf(t time.Time) int32 { return int32(t.Sub(processStart) / time.Second) }
