package idempotency

import (
	"context"
	"errors"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Store remembers calls by their idempotency keys. It must be safe for concurrent use, even by
// several processes that share it.
//
// The result of Claim depends on the record of the id. The store's clock determines the time, so
// the clocks of several machines need not agree.
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
// Besides [Request.UnknownFor], there are three exceptions, in this order:
//
//   - An owner that has finished cannot claim again: such a request was delayed. Instead of
//     claimed, Claim returns the answer, or abandoned if there is none.
//   - If the fingerprint differs from the record's, Claim returns conflict and the record's effect,
//     unless the record has expired or is finished with EffectNone.
//   - If a record with EffectUnknown or EffectNone has an answer, Claim returns answered to a
//     duplicate of the finished attempt, or of an earlier attempt of the same call: see
//     [Request.SameAttempt]. With EffectNone the fingerprint must be the same too.
//
// Of several concurrent requests for an id, only one claims it. A method that returns an error may
// nevertheless have succeeded. Therefore all methods are idempotent, and may be called again with
// the same arguments. If Claim returns an error, the call is not executed.
//
// [Record.Tell] implements these rules for stores that can read and write a record atomically. Such
// a store only has to read and write the record, to compare the owner in Renew and Finish, and to
// check in Renew that Effect is empty. resulttest.TestStore checks a store, and has an example of one.
//
// The interface gains no methods before the next major version; new abilities of a store become
// interfaces of their own. [Request], [Claim] and [Ending] may gain fields whose zero value changes
// nothing, so store all of a [Record] unchanged.
type Store interface {
	// Claim claims the id for the owner if the table above allows it, and returns the result.
	Claim(ctx context.Context, r Request) (Claim, error)
	// Renew extends the owner's lease to the given time from now. It also renews a lease that has
	// ended, if the id has not been claimed since. It returns an error that matches [ErrLost] if
	// the owner has finished or does not own the id.
	Renew(ctx context.Context, id, owner string, lease time.Duration) error
	// Finish records the end of the owner's call, even after the lease has ended. The same owner
	// may call Finish again; the last call counts. If the owner has lost the id, Finish changes
	// nothing and returns an error that matches [ErrLost]. Ctx outlives the call's.
	Finish(ctx context.Context, id, owner string, end Ending) error
}

// A Resolver is a [Store] whose abandoned calls people can end. Packages sqlstore and redisstore have one.
type Resolver interface {
	// Resolve ends a call whose effect is unknown, or whose lease has ended: with
	// [toolerr.EffectApplied] if it was executed, or [toolerr.EffectNone], so that a repeat is. Its
	// answer is dropped. [Options.ID] returns the id. First make sure that the call's server has
	// exited. The error matches [ErrLost] for any other effect, and if the call is unknown or running, or
	// its effect is known, unless it was resolved with the same effect.
	Resolve(ctx context.Context, id string, effect toolerr.Effect) error
}

// ErrLost is returned by a [Store] if the given owner does not own the id, for example because
// another owner has claimed it. Renew also returns it to an owner that has finished.
var ErrLost = errors.New("the idempotency key is claimed by another call")

// ErrFull is returned by a [Store] if a principal has no room left for a new id.
var ErrFull error = toolerr.Unavailable("The store of idempotency keys has no room left for the caller's calls; "+
	"raise MemoryStore.MaxSize or the store's MaxCalls.", 0)

// A Request claims an id in a [Store]. Its strings have at most 64 bytes of ASCII, and do not
// disclose keys, principals or arguments.
type Request struct {
	// ID identifies the record: a hash of scope, principal, tool and key, in the default store also of the types.
	ID string `json:"id,omitempty"`
	// Principal is a hash of scope and principal. A store may limit each principal's space.
	Principal string `json:"principal,omitempty"`
	// Fingerprint is a hash of the arguments.
	Fingerprint string `json:"fingerprint,omitempty"`
	// Owner is a random, unique identifier of the claiming call.
	Owner string `json:"owner,omitempty"`
	// Lease is the duration of the claim without a renewal. It is greater than 0.
	Lease time.Duration `json:"lease,omitempty"`
	// Rerun means that the call may be executed even if an earlier run's effect is unknown.
	Rerun bool `json:"rerun,omitempty"`
	// Call identifies the client's call that this attempt belongs to. It is empty if unknown.
	Call string `json:"call,omitempty"`
	// Attempt is the number of the attempt, starting at 1. It is 0 if unknown.
	Attempt int `json:"attempt,omitempty"`
	// UnknownFor is the age of an earlier attempt that may have taken effect, and a minute in which
	// this one was on its way; it is 0 if there is none. A store that is lost with its process
	// returns [StateAbandoned] if it has no record of the id and the process is younger than
	// UnknownFor, unless Rerun is set: the attempt may have reached an earlier process. Other stores
	// may ignore it.
	UnknownFor time.Duration `json:"unknownFor,omitempty"`
}

// SameAttempt reports whether r, received after first, duplicates its attempt, or is an earlier,
// delayed attempt of the same call. Without Call the numbers must be equal.
func (r Request) SameAttempt(first Request) bool {
	return r.Attempt > 0 && r.Call == first.Call && r.Attempt <= first.Attempt &&
		(r.Call != "" || r.Attempt == first.Attempt)
}

// A State is the state of an id in a [Store]. The zero value counts as a failure of the store.
type State string

// The states, as in the table of [Store].
const (
	StateClaimed   State = "claimed"   // the caller owns the id now, and must make the call
	StateRunning   State = "running"   // another owner's lease has not ended
	StateAnswered  State = "answered"  // there is an answer
	StateAbandoned State = "abandoned" // the effect is unknown, and there is no answer
	StateDone      State = "done"      // the call was executed and its answer is gone
	StateConflict  State = "conflict"  // the id was used with another fingerprint
)

// A Claim is the answer of a [Store] to a [Request].
type Claim struct {
	// State is the state of the id.
	State State `json:"state,omitempty"`
	// Answer is the answer passed to Finish, set only with [StateAnswered]. Do not change it.
	Answer []byte `json:"answer,omitempty"`
	// With [StateConflict], Effect is that of the other call: [toolerr.EffectApplied] if it was
	// executed; anything else means that it may have taken effect. With [StateClaimed], Effect is
	// [toolerr.EffectUnknown] if an earlier run may have taken effect.
	Effect toolerr.Effect `json:"effect,omitempty"`
}

// An Ending describes the end of a call.
type Ending struct {
	// Effect is what the call has changed: one of the constants of package toolerr.
	Effect toolerr.Effect `json:"effect,omitempty"`
	// Answer is the answer for repeats. It may be empty. Without room for it, only Effect is kept.
	Answer []byte `json:"answer,omitempty"`
}

// A Record is what a [Store] holds for an id. The zero value is the record of an unclaimed id. A
// Record can be encoded and decoded as JSON.
type Record struct {
	// Request is the owner's request. Its Owner is empty if there is no owner.
	Request Request `json:"request"`
	// LeaseEnds is when the lease ends.
	LeaseEnds time.Time `json:"leaseEnds"`
	// Ending is the end of the call. Its Effect is empty until the owner has finished.
	Ending
}

// Tell returns the result of Claim for r at the time now. It does not change the record. If the
// result is [StateClaimed], the store must replace the record with Record{Request: r, LeaseEnds:
// now.Add(r.Lease)}; otherwise it must keep the record.
func (k Record) Tell(r Request, now time.Time) Claim {
	first := k.Request
	sameOwner := r.Owner == first.Owner
	sameArguments := r.Fingerprint == first.Fingerprint || first.Owner == "" // or the store has lost the request
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
