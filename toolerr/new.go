package toolerr

// Transient returns a temporary failure, retryable: the author vouches that the
// identical call may be repeated. Where the call may have been carried out
// already, add WithEffect(EffectUnknown).
func Transient(message string) *Error {
	return &Error{Category: CategoryTransient, Retryable: true, Message: message}
}

// Validation returns a failure of the input, not retryable: the caller calls
// again with other arguments. Name the argument with [Error.WithField] and say
// with [Error.WithHint] what to send.
func Validation(message string) *Error {
	return &Error{Category: CategoryValidation, Message: message}
}

// Business returns a failure of policy or state, not retryable: the caller
// explains or hands over to a person. [Error.WithCustomerMessage] gives it words
// that reveal no more than they should.
func Business(message string) *Error {
	return &Error{Category: CategoryBusiness, Message: message}
}

// Permission returns a failure of authentication or authorization, not
// retryable: other credentials are needed.
func Permission(message string) *Error {
	return &Error{Category: CategoryPermission, Message: message}
}
