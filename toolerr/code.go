package toolerr

// A Code is a short, stable word in snake_case for programs to branch on. You may define
// your own. The constants are the codes of this module; each has a default hint. Two
// failures share a code if the caller's next step is the same.
//
// Most words are gRPC's status codes, insufficient_scope is from RFC 6750, the others are our own.
type Code string

const (
	// CodeTimeout means that no answer came in time.
	CodeTimeout Code = "timeout"
	// CodeRateLimited means that there were too many calls.
	CodeRateLimited Code = "rate_limited"
	// CodeUnavailable means that the service cannot be reached, or is overloaded.
	CodeUnavailable Code = "unavailable"
	// CodeCanceled means that the caller canceled the call.
	CodeCanceled Code = "canceled"
	// CodeInternal means that the tool has a bug, or failed unexpectedly.
	CodeInternal Code = "internal"
	// CodeNotFound means that something to which the input refers does not exist.
	CodeNotFound Code = "not_found"
	// CodeInvalidArgument means that the input is malformed.
	CodeInvalidArgument Code = "invalid_argument"
	// CodeMissingArgument means that required input is missing.
	CodeMissingArgument Code = "missing_argument"
	// CodeAmbiguous means that the input has more than one match.
	CodeAmbiguous Code = "ambiguous"
	// CodeOutOfRange means that a value is outside the allowed range.
	CodeOutOfRange Code = "out_of_range"
	// CodeConflict means that the resource was changed concurrently.
	CodeConflict Code = "conflict"
	// CodeAlreadyExists means that the resource to create already exists.
	CodeAlreadyExists Code = "already_exists"
	// CodeFailedPrecondition means that another step must come first.
	CodeFailedPrecondition Code = "failed_precondition"
	// CodeLimitExceeded means that a policy's limit or a plan's quota is exceeded.
	CodeLimitExceeded Code = "limit_exceeded"
	// CodeUnauthenticated means that there are no valid credentials.
	CodeUnauthenticated Code = "unauthenticated"
	// CodePermissionDenied means that the credentials are valid but insufficient.
	CodePermissionDenied Code = "permission_denied"
	// CodeInsufficientScope means that the credentials lack a scope.
	CodeInsufficientScope Code = "insufficient_scope"
)

// transientCode reports whether a code alone means that the same call may succeed later.
func transientCode(code Code) bool {
	return code == CodeTimeout || code == CodeRateLimited || code == CodeUnavailable
}
