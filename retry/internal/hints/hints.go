// Package hints distinguishes authors' hints from those of this module.
package hints

import (
	"cmp"
	"errors"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// ErrStopped is the cause of a stopped call's failure.
var ErrStopped = errors.New("the call was not sent, because the identical call has failed before")

// Retried is the hint of a failure that was retried without success. It replaces the default hint,
// which is meant for the first attempt.
const Retried = "This was retried already. Do not repeat it now; use another way, or tell the user what is missing."

// IsDefault reports whether e has no author's hint: its hint is empty, [Retried], or a default,
// with or without an idempotency key. In a failure read from the wire, nothing else distinguishes a
// default hint from an author's.
func IsDefault(e *toolerr.Error) bool {
	facts := factsOf(e)
	keyed := facts
	keyed.Key = cmp.Or(hint.KeyArgument(e.Hint), hint.AnyArgument)
	return e.Hint == "" || e.Hint == Retried || e.Hint == hint.Default(facts) || e.Hint == hint.Default(keyed)
}

// Default returns the default hint of a failure. Argument names where its key belongs, if it has one.
func Default(e *toolerr.Error, argument string) string {
	facts := factsOf(e)
	if e.IdempotencyKey != "" {
		facts.Key = argument
	}
	return hint.Default(facts)
}

func factsOf(e *toolerr.Error) hint.Facts {
	return hint.Facts{
		Category: string(e.Category), Code: string(e.Code), Effect: string(e.Effect), Retryable: e.Retryable &&
			e.Partial == nil && len(e.Attempted) == 0,
		Delay: e.RetryAfter, Field: e.Field != "", Options: len(e.Options) > 0,
		Partial: !e.Partial.IsEmpty(), Results: e.Partial != nil && len(e.Partial.Results) > 0, Continue: e.Partial != nil &&
			e.Partial.ContinueFrom != nil,
	}
}
