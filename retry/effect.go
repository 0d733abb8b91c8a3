package retry

import (
	"github.com/mcp-toolerr/toolerr-go/internal/effect"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// resolve returns the effect of all attempts, of which the last failed with e, and whether
// the identical call may be repeated: it may succeed, and cannot do the work twice.
func resolve(e *toolerr.Error, s *State) (whole toolerr.Effect, repeat bool) {
	f := effect.Facts{
		Effect: string(effect.Worst(s.past, e.Effect)), Temporary: isTemporary(e, s),
		Partial: e.Partial != nil, Attempted: len(e.Attempted) > 0,
	}
	var tool *effect.Tool // nil if nothing is known about it
	if s.Safety != SafetyUnknown {
		tool = &effect.Tool{ReadOnly: s.Safety == SafetyReadOnly, Idempotent: true}
	}
	decided, repeat := effect.Resolve(f, tool)
	return toolerr.Effect(decided), repeat
}

// isTemporary reports whether the identical call may succeed later. If the tool is safe to
// repeat, that may be so although the flag is false, because whoever set the flag did not
// know the tool. A server knows about keys, so the flag of its result is final for a keyed
// tool.
func isTemporary(e *toolerr.Error, s *State) bool {
	switch {
	case e.Retryable || s.Safety == SafetyUnknown:
		return e.Retryable
	case s.noResult && e.Resolve(toolerr.ToolHints{Idempotent: true}).Retryable:
		return true
	}
	outage := e.Category == toolerr.CategoryTransient && (e.Code == toolerr.CodeTimeout || e.Code == toolerr.CodeUnavailable)
	return outage && isUnknown(e.Effect) && !s.local && (s.Safety != SafetyKeyed || s.noResult)
}

// isUnknown reports whether the effect is unknown, or an unrecognized word.
func isUnknown(e toolerr.Effect) bool {
	return e != "" && e != toolerr.EffectNone && e != toolerr.EffectApplied
}

// mayHaveTakenEffect reports whether a call whose last attempt failed with e may have taken
// effect. If it is not stated, a retryable failure says that a repeat is safe, a partial
// result what was done, and a category other than transient that the call was refused.
func mayHaveTakenEffect(e *toolerr.Error, s *State) bool {
	whole, _ := resolve(e, s)
	if whole != "" {
		return isUnknown(whole)
	}
	return !e.Retryable && e.Partial == nil && categoryActions[e.Category] == ActionPropagate
}
