package idempotency

import (
	"context"
	"errors"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Store remembers calls by their idempotency keys. It is safe for concurrent use, even by several
// processes that share it.
//
// Claim depends on the state of the record. The store's clock determines the time, so the clocks of
// several machines need not agree.
//
//	the record of the id                          Claim returns
//	does not exist, or has expired                claimed
//	claimed by the same owner                     claimed; the lease is renewed
//	claimed, its lease has not ended              running
//	claimed, its lease has ended                  claimed if Rerun, otherwise abandoned
//	finished, EffectApplied                       answered, or done without an answer
//	finished, EffectUnknown                       claimed if Rerun, otherwise answered, or abandoned without an answer
//	finished, EffectNone                          claimed
//
// There are three exceptions, in this order:
//
//   - An owner that has finished cannot claim again, because its request was delayed.
//     Instead of claimed, Claim returns the answer, or abandoned if there is none.
//   - For another fingerprint than the record's, Claim returns conflict and the record's
//     effect, unless the record has expired or is finished with EffectNone.
//   - If the record is finished with EffectUnknown or EffectNone and has an answer, and the
//     request is a duplicate of the finished attempt or of an earlier one of the same call,
//     Claim returns answered: see [Request.SameAttempt]. With EffectNone the fingerprint
//     must be the same too.
//
// Of several concurrent requests for an id, only one claims it. A method that returns an error may
// nevertheless have succeeded. Therefore all methods are idempotent, and may be called again with
// the same arguments. If Claim returns an error, the call is not executed.
//
// [Record.Tell] implements these rules for stores that can read and write a record
// atomically. Such a store only reads and writes the record, and compares the owner in Renew
// and Finish. resulttest.TestStore checks a store.
//
// The interface gets no more methods before the next major version. Additional abilities of a store
// become interfaces of their own. [Request], [Claim] and [Ending] may get fields whose zero value
// changes nothing: store all of a [Record] unchanged.
type Store interface {
	// Claim claims the id for the owner according to the table above, and returns the result.
	Claim(ctx context.Context, r Request) (Claim, error)
	// Renew extends the owner's lease to the given time from now. It also renews a lease that has
	// ended, if the id has not been claimed since. It returns an error that matches [ErrLost] if
	// the owner has finished or does not own the id.
	Renew(ctx context.Context, id, owner string, lease time.Duration) error
	// Finish records the end of the owner's call, even after its lease. The same owner may call it
	// again; the last call counts. If the owner has lost the id, it changes nothing and returns an
	// error that matches [ErrLost]. Its context does not end with the call.
	Finish(ctx context.Context, id, owner string, end Ending) error
}

// ErrLost is the error of a [Store] for an owner that does not own the id: it never did, or another
// owner claimed the id after the lease had ended.
var ErrLost = errors.New("the idempotency key is claimed by another call")

// ErrFull is the error of a [Store] for a new id of a principal that has no room left.
var ErrFull error = toolerr.Unavailable("The store of idempotency keys has no room left for the caller's calls; raise MemoryStore.MaxSize or sqlstore.Store.MaxCalls.", 0)

// A Request is a request to a [Store] for an id. Its strings have at most 64 bytes of ASCII,
// and do not disclose keys, principals or arguments.
type Request struct {
	// ID identifies the record: a hash of scope, principal, tool and key.
	ID string `json:"id,omitempty"`
	// Principal is a hash of scope and principal. A store may use it to limit the space of each
	// principal.
	Principal string `json:"principal,omitempty"`
	// Fingerprint is a hash of the arguments.
	Fingerprint string `json:"fingerprint,omitempty"`
	// Owner is a random, unique identifier of the claiming call.
	Owner string `json:"owner,omitempty"`
	// Lease is the duration of the claim without a renewal. It is greater than 0.
	Lease time.Duration `json:"lease,omitempty"`
	// Rerun means that the call may be made if the first call's effect is unknown.
	Rerun bool `json:"rerun,omitempty"`
	// Call identifies the client's call that this attempt belongs to. It is empty if unknown.
	Call string `json:"call,omitempty"`
	// Attempt is the number of the attempt, starting at 1. It is 0 if unknown.
	Attempt int `json:"attempt,omitempty"`
	// UnknownFor is the age of an earlier attempt whose result the client does not know, and 0 if
	// there is none. A store that is lost with its process returns [StateAbandoned] if it has no
	// record of the id and the process is younger than that, unless Rerun is set: the attempt may
	// have reached an earlier process. Other stores may ignore it.
	UnknownFor time.Duration `json:"unknownFor,omitempty"`
}

// SameAttempt reports whether r, which came later, duplicates the attempt of first, or is an
// earlier, delayed attempt of the same call. Without Call the numbers must be equal.
func (r Request) SameAttempt(first Request) bool {
	return r.Attempt > 0 && r.Call == first.Call && (r.Attempt == first.Attempt || r.Call != "" && r.Attempt < first.Attempt)
}

// A State is the state of an id in a [Store]. The zero value is invalid, and is treated as a
// failure of the store.
type State string

const (
	// StateClaimed means that the caller owns the id now, and must make the call.
	StateClaimed State = "claimed"
	// StateRunning means that another owner's lease has not ended.
	StateRunning State = "running"
	// StateAnswered means that there is an answer.
	StateAnswered State = "answered"
	// StateAbandoned means that the effect is unknown: the owner's lease has ended, or the answer
	// of a call with an unknown effect is gone.
	StateAbandoned State = "abandoned"
	// StateDone means that the call was executed and its answer is gone.
	StateDone State = "done"
	// StateConflict means that the id was used with another fingerprint.
	StateConflict State = "conflict"
)

// A Claim is the answer of a [Store] to a [Request].
type Claim struct {
	// State is the state of the id.
	State State `json:"state,omitempty"`
	// Answer is the answer passed to Finish. It is only set in [StateAnswered]. Do not change it.
	Answer []byte `json:"answer,omitempty"`
	// Effect is the effect of the other call in [StateConflict]: [toolerr.EffectApplied] if it was
	// executed. Anything else means that it may have taken effect. In [StateClaimed] it is
	// [toolerr.EffectUnknown] if an earlier run may have taken effect.
	Effect toolerr.Effect `json:"effect,omitempty"`
}

// An Ending describes the end of a call.
type Ending struct {
	// Effect is what the call has changed: one of the constants of package toolerr.
	Effect toolerr.Effect `json:"effect,omitempty"`
	// Answer is the answer for repeats. It may be empty. A store without room for it stores the
	// other fields.
	Answer []byte `json:"answer,omitempty"`
}

// A Record is the data of a [Store] for an id. The zero value is the record of an unclaimed id. It
// can be encoded and decoded as JSON.
type Record struct {
	// Request is the owner's request. Its Owner is empty if there is no owner.
	Request Request `json:"request"`
	// LeaseEnds is the time at which the lease ends.
	LeaseEnds time.Time `json:"leaseEnds"`
	// Ending is the end of the call. Its Effect is empty while the call runs.
	Ending
}

// Tell returns the result of Claim for r at the time now. It does not change the record. If
// the result is [StateClaimed], the store must replace the record by Record{Request: r,
// LeaseEnds: now.Add(r.Lease)}; otherwise it must keep the record.
func (k Record) Tell(r Request, now time.Time) Claim {
	first := k.Request
	sameOwner := r.Owner == first.Owner
	sameArguments := r.Fingerprint == first.Fingerprint || first.Owner == "" // the store has lost the request
	isRunning, hasAnswer := k.Effect == "", len(k.Answer) > 0
	isDuplicate := sameOwner || hasAnswer && sameArguments && r.SameAttempt(first)
	switch {
	case first.Owner == "" && isRunning, isRunning && sameOwner, k.Effect == toolerr.EffectNone && !isDuplicate:
		return Claim{State: StateClaimed}
	case !sameArguments:
		return Claim{State: StateConflict, Effect: k.Effect}
	case isRunning && now.Before(k.LeaseEnds):
		return Claim{State: StateRunning}
	case k.Effect != toolerr.EffectApplied && r.Rerun && !isDuplicate:
		return Claim{State: StateClaimed, Effect: toolerr.EffectUnknown}
	case hasAnswer:
		return Claim{State: StateAnswered, Answer: k.Answer}
	case k.Effect == toolerr.EffectApplied:
		return Claim{State: StateDone}
	}
	return Claim{State: StateAbandoned}
}
