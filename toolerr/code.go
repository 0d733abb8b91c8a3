package toolerr

// A Code is a short, stable, snake_case word that a program branches on. Codes
// of one's own are welcome; the constants are the ones this module uses itself,
// each with a default hint. Two failures share a code if the next step of the
// caller is the same.
//
// The words are those of gRPC's status codes where it has one for the case, and
// insufficient_scope is that of RFC 6750; the others are chosen.
type Code string

const (
	// CodeTimeout says that no answer came in time.
	CodeTimeout Code = "timeout"
	// CodeRateLimited says that too many calls were made for now.
	CodeRateLimited Code = "rate_limited"
	// CodeUnavailable says that the service cannot be reached, or is overloaded.
	CodeUnavailable Code = "unavailable"
	// CodeCanceled says that the caller gave up.
	CodeCanceled Code = "canceled"
	// CodeInternal says that the tool has a bug, or met what nobody expected.
	CodeInternal Code = "internal"
	// CodeNotFound says that a reference that had to exist does not.
	CodeNotFound Code = "not_found"
	// CodeInvalidArgument says that the input is malformed.
	CodeInvalidArgument Code = "invalid_argument"
	// CodeMissingArgument says that required input is absent.
	CodeMissingArgument Code = "missing_argument"
	// CodeAmbiguous says that the input fits more than one thing.
	CodeAmbiguous Code = "ambiguous"
	// CodeOutOfRange says that a value is beyond what is allowed.
	CodeOutOfRange Code = "out_of_range"
	// CodeConflict says that somebody else changed it meanwhile.
	CodeConflict Code = "conflict"
	// CodeAlreadyExists says that what should be created is there already.
	CodeAlreadyExists Code = "already_exists"
	// CodeFailedPrecondition says that something else must be done first.
	CodeFailedPrecondition Code = "failed_precondition"
	// CodeLimitExceeded says that a policy's limit is exceeded, or a plan exhausted.
	CodeLimitExceeded Code = "limit_exceeded"
	// CodeUnauthenticated says that there are no valid credentials.
	CodeUnauthenticated Code = "unauthenticated"
	// CodePermissionDenied says that the credentials are valid, and do not allow it.
	CodePermissionDenied Code = "permission_denied"
	// CodeInsufficientScope says that the credentials lack a scope.
	CodeInsufficientScope Code = "insufficient_scope"
)

// transientCode reports whether code alone, without a flag, says that the same
// call may succeed later.
func transientCode(code Code) bool {
	return code == CodeTimeout || code == CodeRateLimited || code == CodeUnavailable
}
