// Package hints tells the hint that an author gave a failure from one that this
// module gave it.
package hints

import (
	"cmp"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Retried is the hint of a failure that was retried without success, in place of the
// default one, which was for the first attempt.
const Retried = "This was retried already, without success. Do not repeat it now; use another way, or tell the user what is missing."

// IsDefault reports whether no author gave e its hint: e has none, [Retried], or the
// one that it has on the wire if it has none, with its idempotency key or before a caller
// added that. A failure that was read from the wire has nothing else to tell them apart.
func IsDefault(e *toolerr.Error) bool {
	facts := factsOf(e)
	if e.IdempotencyKey != "" {
		facts.Key = cmp.Or(hint.KeyArgument(e.Hint), hint.AnyArgument)
	}
	if e.Hint == "" || e.Hint == Retried || e.Hint == hint.Default(facts) {
		return true
	}
	facts.Key = ""
	return e.Hint == hint.Default(facts)
}

func factsOf(e *toolerr.Error) hint.Facts {
	return hint.Facts{
		Category: string(e.Category), Code: string(e.Code), Effect: string(e.Effect), Retryable: e.Retryable && e.Partial == nil && len(e.Attempted) == 0,
		Delay: e.RetryAfter > 0, Partial: e.Partial != nil, Continue: e.Partial != nil && e.Partial.ContinueFrom != nil,
	}
}
