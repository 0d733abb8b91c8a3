package idempotency

import (
	"context"
	"errors"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Store remembers the calls that were made under idempotency keys. It is safe for
// concurrent use, by several processes if they share it.
//
// A record is in one of these conditions. Its time is the store's: what a clock of the
// process says does not count, so that the clocks of several machines need not agree.
//
//	the record of the id                          Claim returns
//	there is none, or it is too old               claimed
//	claimed by this very owner                    claimed; the lease begins anew
//	claimed, its lease has not ended              running
//	claimed, its lease has ended                  claimed if Rerun, else abandoned
//	finished, EffectApplied                       answered, or done without an answer
//	finished, EffectUnknown                       claimed if Rerun, else answered, or abandoned without an answer
//	finished, EffectNone                          claimed
//
// There are three exceptions, in this order:
//
//   - An owner that has finished claims nothing any more: the request was delayed on its
//     way. In place of claimed it gets the answer, or abandoned without one.
//   - Another fingerprint than the record's is answered with conflict, unless the record is
//     too old, or finished with EffectNone.
//   - If the record is finished with EffectUnknown or EffectNone and has an answer, and the
//     request is of the attempt that has ended so or of an earlier one of the same call, it
//     is answered: see [Request.SameAttempt]. With EffectNone this needs the same
//     fingerprint too.
//
// Of requests for an id at the same time one alone is told claimed. If a method returns an
// error, it may have been carried out all the same: all of them may be called again with the
// same arguments, and the second time changes nothing more. If Claim returns an error, the
// call is not made.
//
// A store that can read and write a record without anybody in between has all of that from
// [Record.Tell]; what is left to it is to look the record up, to write it, and to compare
// the owner in Renew and Finish. resulttest.TestStore checks it.
type Store interface {
	// Claim makes the id the owner's, if the table above says so, and returns what became
	// of it.
	Claim(ctx context.Context, r Request) (Claim, error)
	// Renew lets the owner's lease end so much later than now. A lease that has ended
	// already is renewed too if nobody else has claimed the id since. It returns an error
	// that is [ErrLost] if the owner has finished, or the id is not its own.
	Renew(ctx context.Context, id, owner string, lease time.Duration) error
	// Finish records how the owner's call has ended, also after its lease, and also if the
	// same owner has done so before: what it said last counts. It returns an error that is
	// [ErrLost], and changes nothing, if the id is not the owner's any more. Its context
	// does not end with the call.
	Finish(ctx context.Context, id, owner string, end Ending) error
}

// ErrLost is the error of a [Store] that is called by an owner to which the id does not
// belong: it never did, or another has claimed it after the end of the lease.
var ErrLost = errors.New("the idempotency key is claimed by another call")

// A Request asks a [Store] for an id. Its strings are at most 64 bytes of ASCII, and give
// away neither keys nor principals nor arguments.
type Request struct {
	// ID is the record's: a hash of principal, tool and key.
	ID string `json:"id,omitempty"`
	// Principal is a hash of the principal. A store may ignore it, or bound by it what one
	// of them takes up.
	Principal string `json:"principal,omitempty"`
	// Fingerprint tells the arguments apart: a hash of them.
	Fingerprint string `json:"fingerprint,omitempty"`
	// Owner is random, and no other call's.
	Owner string `json:"owner,omitempty"`
	// Lease is how long the id stays the owner's if it does not renew it. More than 0.
	Lease time.Duration `json:"lease,omitempty"`
	// Rerun says that the call may be made if it is unknown what the first one did.
	Rerun bool `json:"rerun,omitempty"`
	// Call tells the client's call, of which this is an attempt, from its others. It is
	// empty if the client does not say.
	Call string `json:"call,omitempty"`
	// Attempt counts the attempts of a call, from 1. It is 0 if the client does not.
	Attempt int `json:"attempt,omitempty"`
	// UnknownFor is how long ago the client has made an attempt of which it does not know
	// what it has done, 0 if there is none. A store that dies with its process answers
	// [StateAbandoned] if it has no record of the id and the process is younger than that,
	// unless Rerun: that attempt may have reached the one before. Others may ignore it.
	UnknownFor time.Duration `json:"unknownFor,omitempty"`
}

// SameAttempt reports whether r, which came later, is the attempt of first once more, or
// an earlier one of the same call that was delayed. Without Call the number must be the same.
func (r Request) SameAttempt(first Request) bool {
	return r.Attempt > 0 && r.Call == first.Call && (r.Attempt == first.Attempt || r.Call != "" && r.Attempt < first.Attempt)
}

// A State says what a [Store] knows of an id. The zero State is none of them, and a
// failure of the store.
type State string

const (
	// StateClaimed is of an id that is the caller's now: the call is to be made.
	StateClaimed State = "claimed"
	// StateRunning is of an id that is another's, whose lease has not ended.
	StateRunning State = "running"
	// StateAnswered is of an id that has an answer.
	StateAnswered State = "answered"
	// StateAbandoned is of an id of which nobody knows what was done under it: its owner
	// has died, or the answer of a call with unknown effect is gone.
	StateAbandoned State = "abandoned"
	// StateDone is of an id whose call was carried out, and whose answer is gone.
	StateDone State = "done"
	// StateConflict is of an id that was used with another fingerprint.
	StateConflict State = "conflict"
)

// A Claim is what a [Store] returns when it is asked for an id.
type Claim struct {
	// State says whose the id is.
	State State `json:"state,omitempty"`
	// Answer is as it was passed to Finish, in [StateAnswered] alone. It must not be
	// changed.
	Answer []byte `json:"answer,omitempty"`
}

// An Ending is how a call has ended.
type Ending struct {
	// Effect says what the call has changed: one of the three of package toolerr.
	Effect toolerr.Effect `json:"effect,omitempty"`
	// Answer is what a repeat gets. It is empty if there is none to be kept. A store that
	// has no room for it keeps the rest.
	Answer []byte `json:"answer,omitempty"`
}

// A Record is what a [Store] knows of an id. The zero Record is of an id that nobody has
// claimed. Like what it holds it survives encoding and decoding as JSON.
type Record struct {
	// Request is that of the owner. Its Owner is empty if there is none.
	Request Request `json:"request"`
	// LeaseEnds is when the lease does.
	LeaseEnds time.Time `json:"leaseEnds"`
	// Ending is how the call has ended. Its Effect is empty while it runs.
	Ending
}

// Tell returns what Claim of a [Store] answers to r, at the time now. It changes nothing: if
// that is [StateClaimed], the store has to write Record{Request: r, LeaseEnds:
// now.Add(r.Lease)} in the record's place. Otherwise the record stays as it is.
func (k Record) Tell(r Request, now time.Time) Claim {
	first, running := k.Request, k.Effect == ""
	mine, same, answered := r.Owner == first.Owner, r.Fingerprint == first.Fingerprint, len(k.Answer) > 0
	mayRun := !mine && (!answered || !same || !r.SameAttempt(first)) // if the effect allows it
	switch {
	case first.Owner == "", running && mine, k.Effect == toolerr.EffectNone && mayRun:
		return Claim{State: StateClaimed}
	case !same:
		return Claim{State: StateConflict}
	case running && now.Before(k.LeaseEnds):
		return Claim{State: StateRunning}
	case k.Effect != toolerr.EffectApplied && r.Rerun && mayRun:
		return Claim{State: StateClaimed}
	case answered:
		return Claim{State: StateAnswered, Answer: k.Answer}
	case k.Effect == toolerr.EffectApplied:
		return Claim{State: StateDone}
	}
	return Claim{State: StateAbandoned}
}
