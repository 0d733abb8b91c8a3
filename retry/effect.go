package retry

import (
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// isUnresolved reports whether a call of a tool with this safety may have taken effect,
// according to its failure: the effect is unknown, is an unrecognized word, or is not
// stated. A retryable failure states that a repeat is safe, a partial result states what
// was done, and a category other than transient states that the call was refused.
func isUnresolved(e *toolerr.Error, s Safety) bool {
	switch {
	case s == SafetyReadOnly, e.Effect == toolerr.EffectNone, e.Effect == toolerr.EffectApplied:
		return false
	case e.Effect == "":
		return !e.Retryable && e.Partial == nil && categoryActions[e.Category] == ActionPropagate
	}
	return true
}

// repeatable reports whether it is safe to repeat a retryable call.
func repeatable(e *toolerr.Error, s *State) bool {
	if s.Safety == SafetyReadOnly || s.Safety == SafetyIdempotent || s.Safety == SafetyKeyed {
		return true
	}
	// If the effect is not stated, the flag says that a repeat is safe.
	return (e.Effect == toolerr.EffectNone || e.Effect == "") && !s.Unsettled
}

// knowsMore reports whether a call may be repeated although the server's flag is false,
// because the server did not know that a repeat is safe and had no other reason. A server
// knows about keys, so this never applies to a keyed tool.
func knowsMore(e *toolerr.Error, s *State) bool {
	lost := e.Effect != "" && isUnresolved(e, SafetyUnknown)
	outage := e.Category == toolerr.CategoryTransient && (e.Code == toolerr.CodeTimeout || e.Code == toolerr.CodeUnavailable)
	return !s.local && lost && outage && (s.Safety == SafetyReadOnly || s.Safety == SafetyIdempotent) &&
		e.Partial == nil && len(e.Attempted) == 0
}

// isAnswer reports whether the server answered, with a result or a protocol error.
func isAnswer(out result.Outcome) bool {
	var wire *jsonrpc.Error
	return out.Result != nil || out.Err != nil && errors.As(out.Err, &wire)
}
