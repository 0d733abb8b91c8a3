package toolerr

import (
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// Transient returns a temporary, retryable failure. It does not state an effect. If the
// call changed nothing, add WithEffect(EffectNone): otherwise result.Middleware sends the
// failure as not retryable, unless the tool is known to be safe to repeat.
func Transient(message string) *Error {
	return &Error{Category: CategoryTransient, Retryable: true, Message: message}
}

// Validation returns a failure for bad input. It is not retryable, and its effect is none. The
// caller should send other arguments. Name the argument with [Error.WithField], and say what to
// send with [Error.WithHint].
func Validation(message string) *Error {
	return &Error{Category: CategoryValidation, Effect: EffectNone, Message: message}
}

// Business returns a failure for a call that a policy or the state forbids. It is not retryable,
// and its effect is none. The caller should explain it, or hand over to a person. Add wording for
// the customer with [Error.WithCustomerMessage].
func Business(message string) *Error {
	return &Error{Category: CategoryBusiness, Effect: EffectNone, Message: message}
}

// Permission returns a failure of authentication or authorization. It is not retryable, and its
// effect is none. The caller needs other credentials. If someone else must act, use [Business].
func Permission(message string) *Error {
	return &Error{Category: CategoryPermission, Effect: EffectNone, Message: message}
}

// Timeout returns a transient failure for an answer that did not come in time. The call may have
// taken effect, so the failure is retryable only for tools that are safe to repeat; see
// [Error.Resolve]. If nothing was sent, add WithEffect(EffectNone).
func Timeout(message string) *Error {
	return &Error{Category: CategoryTransient, Code: CodeTimeout, Effect: EffectUnknown, Message: message, temporary: true}
}

// Unavailable returns a transient failure for a service that is down and did not accept the call.
// Its effect is none, and it is retryable after the wait. A wait of 0 means unknown; see
// [Error.RetryAfter] for its bounds.
func Unavailable(message string, wait time.Duration) *Error {
	return &Error{
		Category: CategoryTransient, Retryable: true, Code: CodeUnavailable, Effect: EffectNone,
		Message: message, RetryAfter: wait,
	}
}

// Conflict returns a business failure for a change that conflicts with another one: the caller
// reads the current state and decides again. Its effect is none.
func Conflict(message string) *Error { return Business(message).WithCode(CodeConflict) }

// Unauthenticated returns a permission failure (effect none) for absent or expired credentials.
func Unauthenticated(message string) *Error { return Permission(message).WithCode(CodeUnauthenticated) }

// InsufficientScope returns a permission failure for credentials that lack a scope. The scope
// appears in the message and as Details["scope"]. The effect is none.
func InsufficientScope(scope string) *Error {
	e := Permission("The credentials lack a scope.").WithCode(CodeInsufficientScope)
	if scope != "" {
		e.Message = "The credentials lack the scope " + sanitize.Name(scope) + "."
		e.Details = map[string]any{"scope": scope}
	}
	return e
}
