package idempotency

import "github.com/mcp-toolerr/toolerr-go/toolerr"

// mayRunAgain reports whether a repeat of what may have had an effect does nothing
// twice.
func mayRunAgain(e *toolerr.Error, rerun bool) bool {
	switch e.Effect {
	case toolerr.EffectNone:
		return true
	case toolerr.EffectApplied:
		return false
	case toolerr.EffectUnknown:
		return rerun
	}
	// Without a stated effect, the flag is what the author says of a repeat.
	return rerun || e.Retryable && e.Partial == nil
}

// hadNoEffect reports whether nothing can have happened.
func hadNoEffect(e *toolerr.Error) bool {
	return e.Effect == toolerr.EffectNone ||
		e.Effect == "" && (e.Category == toolerr.CategoryValidation || e.Category == toolerr.CategoryPermission)
}

// mayBeAnAnswer reports whether what could not be parsed, and was taken for the
// caller's input, may be the answer to a request that was carried out.
func mayBeAnAnswer(e *toolerr.Error) bool {
	behind := toolerr.From(e.Unwrap())
	return e.Effect == "" && behind != nil && behind.Category == toolerr.CategoryValidation && behind.Effect == ""
}
