package toolerr

// A Category says what kind of failure happened, and with it what an agent
// does next. A string rather than an integer, so that categories this version
// does not know survive decoding and encoding.
//
// There is no category for success: an error that was classified by nobody has
// the empty Category, is not retryable, and is handed up.
type Category string

const (
	// CategoryTransient is a temporary failure: a timeout, a service that is
	// down, a rate limit. Retry with backoff, then propagate.
	CategoryTransient Category = "transient"
	// CategoryValidation is bad input: malformed, missing, out of range, or
	// naming something that does not exist. Fix the input and call again.
	CategoryValidation Category = "validation"
	// CategoryBusiness is a well-formed, authorized call that a policy or the
	// state of things forbids. Explain, or escalate to a person.
	CategoryBusiness Category = "business"
	// CategoryPermission is a caller who is not authenticated or not allowed.
	// Use other credentials, or alert the operators.
	CategoryPermission Category = "permission"
)
