package toolerr

import "github.com/mcp-toolerr/toolerr-go/internal/hint"

// DefaultHint returns the hint that a failure with this code has if its author gave
// none, it is not retryable, and nothing is known of its effect. For a code other
// than the constants of this package it is "".
func DefaultHint(code Code) string { return hint.Code(string(code)) }

// defaultHint is the next step for the model if the author gave none.
func defaultHint(e *Error) string {
	facts := hint.Facts{
		Category: string(e.Category), Code: string(e.Code), Effect: string(e.Effect), Retryable: e.retryable(),
		Delay: e.RetryAfter > 0, Partial: e.Partial != nil,
	}
	if e.IdempotencyKey != "" {
		facts.Key = hint.AnyArgument
	}
	if e.Partial != nil {
		_, facts.Continue = appendCursor(nil, e.Partial.ContinueFrom)
	}
	return hint.Default(facts)
}
