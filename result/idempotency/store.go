package idempotency

import "context"

// A Store remembers the calls that were made under idempotency keys. It is
// safe for concurrent use. The ids are hashes of fixed length, which give away
// neither keys nor principals; an answer holds what the tool answered.
//
// If Claim returns an error, the call is not made, and fails without effect. An
// error of another method is logged, and the id stays claimed, so that nothing is
// done twice. A store that outlives the process has to settle for itself what
// becomes of a claim whose process has died: nobody will finish it.
type Store interface {
	// Claim makes id the caller's if the store does not know it, or if it was
	// reopened and has this fingerprint, and returns [StateClaimed]. Else it changes
	// nothing and returns what it knows. Of callers at the same time, one alone gets it.
	Claim(ctx context.Context, id, fingerprint string) (Claim, error)
	// Finish records the answer of an id that was claimed. It is called again with a
	// shorter answer if it returns an error. Its context does not end.
	Finish(ctx context.Context, id string, answer []byte) error
	// Reopen lets an id that was claimed be claimed once more, with the same
	// fingerprint. Its context does not end.
	Reopen(ctx context.Context, id string) error
	// Release forgets an id that was claimed. Its context does not end.
	Release(ctx context.Context, id string) error
}

// A State says whose an id is, after a [Store] was asked for it. The zero State is none
// of them, and a failure of the store.
type State string

const (
	// StateClaimed is of an id that is the caller's now.
	StateClaimed State = "claimed"
	// StateRunning is of an id that is another caller's, and has no answer yet.
	StateRunning State = "running"
	// StateAnswered is of an id that has an answer.
	StateAnswered State = "answered"
)

// A Claim is what a [Store] returns when it is asked for an id.
type Claim struct {
	// State says whose the id is.
	State State
	// Record is what the store knew of it, the zero value in [StateClaimed].
	Record
}

// A Record is what a [Store] knows of a call.
type Record struct {
	// Fingerprint tells the arguments apart: a hash, as it was passed to Claim.
	Fingerprint string
	// Answer is empty while there is none. It must not be changed.
	Answer []byte
}
