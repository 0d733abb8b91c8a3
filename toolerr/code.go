package toolerr

// A Code is a short, stable, snake_case word that a program branches on. Codes
// of one's own are welcome; the constants are the ones this module uses itself,
// each with a default hint. Two failures share a code if the next step of the
// caller is the same.
type Code string

const (
	CodeTimeout            Code = "timeout"             // no answer in time
	CodeRateLimited        Code = "rate_limited"        // too many calls for now
	CodeUnavailable        Code = "unavailable"         // the service cannot be reached or is overloaded
	CodeCanceled           Code = "canceled"            // the caller gave up
	CodeInternal           Code = "internal"            // a bug, or something unexpected
	CodeNotFound           Code = "not_found"           // a reference that had to exist does not
	CodeInvalidArgument    Code = "invalid_argument"    // malformed input
	CodeMissingArgument    Code = "missing_argument"    // required input is absent
	CodeAmbiguous          Code = "ambiguous"           // the input fits more than one thing
	CodeOutOfRange         Code = "out_of_range"        // a value beyond what is allowed
	CodeConflict           Code = "conflict"            // somebody else changed it meanwhile
	CodeAlreadyExists      Code = "already_exists"      // what should be created is there
	CodeFailedPrecondition Code = "failed_precondition" // something else must be done first
	CodeLimitExceeded      Code = "limit_exceeded"      // a policy's limit or an exhausted plan
	CodeUnauthenticated    Code = "unauthenticated"     // no valid credentials
	CodePermissionDenied   Code = "permission_denied"   // valid credentials, not allowed
	CodeInsufficientScope  Code = "insufficient_scope"  // the credentials lack a scope
)

// transientCode reports whether code alone, without a flag, says that the same
// call may succeed later.
func transientCode(code Code) bool {
	return code == CodeTimeout || code == CodeRateLimited || code == CodeUnavailable
}
