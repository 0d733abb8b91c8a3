package toolerr

// Transient returns a temporary, retryable failure. It does not state an effect. If the
// call changed nothing, add WithEffect(EffectNone): otherwise result.Middleware sends the
// failure as not retryable, unless the tool is known to be safe to repeat.
func Transient(message string) *Error {
	return &Error{Category: CategoryTransient, Retryable: true, Message: message}
}

// Validation returns a failure of the input. It is not retryable and has no effect: the
// caller sends other arguments. Name the argument with [Error.WithField], and say what to
// send with [Error.WithHint].
func Validation(message string) *Error {
	return &Error{Category: CategoryValidation, Effect: EffectNone, Message: message}
}

// Business returns a failure of policy or state. It is not retryable and has no effect:
// the caller explains it, or hands over to a person. Add the customer's wording with
// [Error.WithCustomerMessage].
func Business(message string) *Error {
	return &Error{Category: CategoryBusiness, Effect: EffectNone, Message: message}
}

// Permission returns a failure of authentication or authorization. It is not retryable and
// has no effect: other credentials are needed.
func Permission(message string) *Error {
	return &Error{Category: CategoryPermission, Effect: EffectNone, Message: message}
}
