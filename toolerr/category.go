package toolerr

// A Category is the kind of a failure, which determines the agent's next step. It is a string, so
// unknown categories survive decoding and encoding.
//
// There is no category for success. An unclassified error has the empty Category, is not retryable,
// and is propagated.
type Category string

const (
	// CategoryTransient means a temporary failure, such as a timeout or a rate limit, or an
	// unexpected one. If Retryable, retry with backoff; then propagate.
	CategoryTransient Category = "transient"
	// CategoryValidation means bad input: malformed, missing, out of range, or a name that does not
	// exist. Fix the input and call again.
	CategoryValidation Category = "validation"
	// CategoryBusiness means that a policy or the state forbids a valid, authorized call. Explain,
	// or escalate to a person.
	CategoryBusiness Category = "business"
	// CategoryPermission means that the caller is not authenticated or not authorized. Use other
	// credentials, or alert the operators.
	CategoryPermission Category = "permission"
)
