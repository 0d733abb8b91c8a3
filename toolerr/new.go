package toolerr

import (
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// Transient returns a retryable failure that states no effect. Add WithEffect(EffectNone) if nothing was
// done: else it is sent as retryable only by a tool that is known to be safe to repeat.
func Transient(message string) *Error {
	return &Error{Category: CategoryTransient, Retryable: true, Message: message}
}

// Validation returns a failure for bad input: add a field and a hint.
func Validation(message string) *Error { return refusal(CategoryValidation, "", message) }

// Business returns a failure for a call that a policy or the state forbids.
func Business(message string) *Error { return refusal(CategoryBusiness, "", message) }

// Permission returns a failure for which the caller needs other credentials.
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

// Timeout returns a failure for an answer that did not come in time. Its effect is unknown, so it is not
// retryable before [Error.Resolve].
func Timeout(message string) *Error {
	return &Error{Category: CategoryTransient, Code: CodeTimeout, Effect: EffectUnknown, Message: message, temporary: true}
}

// Unavailable returns a failure for a service that did not accept the call. It is retryable after the
// wait (see [Error]), and has effect none.
func Unavailable(message string, wait time.Duration) *Error {
	return busy(CodeUnavailable, message, wait)
}

// RateLimited is [Unavailable] for too many calls.
func RateLimited(message string, wait time.Duration) *Error {
	return busy(CodeRateLimited, message, wait)
}

// Conflict returns a business failure for what has changed meanwhile.
func Conflict(message string) *Error { return refusal(CategoryBusiness, CodeConflict, message) }

// LimitExceeded is [Business] for a limit, which the customerMessage should not disclose.
func LimitExceeded(message, customerMessage string) *Error {
	e := refusal(CategoryBusiness, CodeLimitExceeded, message)
	e.CustomerMessage = customerMessage
	return e
}

// Unauthenticated returns a permission failure for missing credentials.
func Unauthenticated(message string) *Error {
	return refusal(CategoryPermission, CodeUnauthenticated, message)
}

// InsufficientScope returns a permission failure with Details["scope"].
func InsufficientScope(scope string) *Error {
	e := refusal(CategoryPermission, CodeInsufficientScope, "The credentials lack a scope.")
	if scope != "" {
		e.Message = "The credentials lack the scope " + sanitize.Name(scope) + "."
		e.Details = map[string]any{"scope": scope}
	}
	return e
}

// Internal returns the failure, of unknown effect, for an unexpected error.
func Internal(cause error) *Error { return newError(classify.Internal(), cause) }
