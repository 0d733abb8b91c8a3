package toolerr

// Transient returns a temporary failure, retryable. It says nothing of what the call
// has changed. If nothing can have happened, say WithEffect(EffectNone): of a tool
// that is not known to be safe to repeat, result.Middleware then lets the failure be
// repeated, and otherwise not.
func Transient(message string) *Error {
	return &Error{Category: CategoryTransient, Retryable: true, Message: message}
}

// Validation returns a failure of the input, not retryable and without effect: the
// caller calls again with other arguments. Name the argument with [Error.WithField] and say
// with [Error.WithHint] what to send.
func Validation(message string) *Error {
	return &Error{Category: CategoryValidation, Effect: EffectNone, Message: message}
}

// Business returns a failure of policy or state, not retryable and without effect:
// the caller explains or hands over to a person. [Error.WithCustomerMessage] gives it words
// that reveal no more than they should.
func Business(message string) *Error {
	return &Error{Category: CategoryBusiness, Effect: EffectNone, Message: message}
}

// Permission returns a failure of authentication or authorization, not retryable
// and without effect: other credentials are needed.
func Permission(message string) *Error {
	return &Error{Category: CategoryPermission, Effect: EffectNone, Message: message}
}
