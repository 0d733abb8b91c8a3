package toolerr

import (
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// Transient returns a temporary, retryable failure without an effect. If the call changed nothing,
// add WithEffect(EffectNone): else result.Middleware sends the failure as not retryable, unless the
// tool is known to be safe to repeat.
func Transient(message string) *Error {
	return &Error{Category: CategoryTransient, Retryable: true, Message: message}
}

// Validation returns a failure for bad input. Name the argument with [Error.WithField], and say what
// to send with [Error.WithHint].
func Validation(message string) *Error { return refusal(CategoryValidation, "", message) }

// Business returns a failure for a call that a policy or the state forbids: the caller explains it,
// or hands over to a person. Add text for the customer with [Error.WithCustomerMessage].
func Business(message string) *Error { return refusal(CategoryBusiness, "", message) }

// Permission returns a failure of authentication or authorization, for which the caller needs other
// credentials. If someone else must act, use [Business].
func Permission(message string) *Error { return refusal(CategoryPermission, "", message) }

// refusal returns a failure for a call that was rejected before it changed anything.
func refusal(category Category, code Code, message string) *Error {
	return &Error{Category: category, Code: code, Effect: EffectNone, Message: message}
}

// busy returns a failure for a call that was not accepted, but may be after the wait.
func busy(code Code, message string, wait time.Duration) *Error {
	e := refusal(CategoryTransient, code, message)
	e.Retryable, e.RetryAfter = true, wait
	return e
}

// Timeout returns a transient failure for an answer that did not come in time. Its effect is unknown,
// so it is retryable only for tools that are safe to repeat: see [Error.Resolve]. If nothing was sent,
// add WithEffect(EffectNone).
func Timeout(message string) *Error {
	return &Error{Category: CategoryTransient, Code: CodeTimeout, Effect: EffectUnknown, Message: message, temporary: true}
}

// Unavailable returns a transient failure for a service that is down and did not accept the call
// (effect none). It is retryable after the wait, in the bounds of [Error.RetryAfter]; 0 means unknown.
func Unavailable(message string, wait time.Duration) *Error {
	return busy(CodeUnavailable, message, wait)
}

// RateLimited returns a transient failure for too many calls (effect none). It is retryable after the
// wait, in the bounds of [Error.RetryAfter]; 0 means unknown.
func RateLimited(message string, wait time.Duration) *Error {
	return busy(CodeRateLimited, message, wait)
}

// Conflict returns a business failure for a change that conflicts with another one: the caller reads
// the current state and decides again.
func Conflict(message string) *Error { return refusal(CategoryBusiness, CodeConflict, message) }

// LimitExceeded returns a business failure for a call that exceeds a policy's limit, with a message
// for the agent and the log, and one for the customer, which should not disclose the limit.
func LimitExceeded(message, customerMessage string) *Error {
	e := refusal(CategoryBusiness, CodeLimitExceeded, message)
	e.CustomerMessage = customerMessage
	return e
}

// Unauthenticated returns a permission failure for absent or expired credentials.
func Unauthenticated(message string) *Error {
	return refusal(CategoryPermission, CodeUnauthenticated, message)
}

// InsufficientScope returns a permission failure for credentials that lack a scope, which appears in
// the message and as Details["scope"].
func InsufficientScope(scope string) *Error {
	e := refusal(CategoryPermission, CodeInsufficientScope, "The credentials lack a scope.")
	if scope != "" {
		e.Message = "The credentials lack the scope " + sanitize.Name(scope) + "."
		e.Details = map[string]any{"scope": scope}
	}
	return e
}

// Internal returns the failure for an unexpected error: transient, not retryable, with an unknown
// effect. The cause, which may be nil, is only logged.
func Internal(cause error) *Error { return newError(classify.Internal(), cause) }
