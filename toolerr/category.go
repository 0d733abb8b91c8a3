package toolerr

// A Category is the kind of a failure. Unknown ones are kept; an unclassified error has the empty one.
type Category string

// The categories, by what they mean and what to do next.
const (
	CategoryTransient  Category = "transient"  // temporary or unexpected: if Retryable, retry with backoff; then propagate
	CategoryValidation Category = "validation" // bad input, or a name that does not exist: fix it, and call again
	CategoryBusiness   Category = "business"   // a policy or the state forbids the call: explain, or ask a person
	CategoryPermission Category = "permission" // not authenticated or authorized: other credentials, or the operators
)
