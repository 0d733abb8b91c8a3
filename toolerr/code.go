package toolerr

// A Code is a short, stable word in snake_case for programs to branch on; you may define your own.
// Failures with one next step share it. Most are gRPC's; insufficient_scope is from RFC 6750.
type Code string

// The codes of this module, by what they mean. Each has a default hint.
const (
	CodeTimeout            Code = "timeout"             // no answer came in time
	CodeRateLimited        Code = "rate_limited"        // there were too many calls
	CodeUnavailable        Code = "unavailable"         // the service cannot be reached, or is overloaded
	CodeCanceled           Code = "canceled"            // the caller canceled the call
	CodeInternal           Code = "internal"            // the tool has a bug, or failed unexpectedly
	CodeNotFound           Code = "not_found"           // something to which the input refers does not exist
	CodeInvalidArgument    Code = "invalid_argument"    // the input is malformed
	CodeMissingArgument    Code = "missing_argument"    // required input is missing
	CodeAmbiguous          Code = "ambiguous"           // the input has more than one match
	CodeOutOfRange         Code = "out_of_range"        // a value is outside the allowed range
	CodeConflict           Code = "conflict"            // the resource was changed concurrently
	CodeAlreadyExists      Code = "already_exists"      // the resource to create already exists
	CodeFailedPrecondition Code = "failed_precondition" // another step must come first
	CodeLimitExceeded      Code = "limit_exceeded"      // a policy's limit or a plan's quota is exceeded
	CodeUnauthenticated    Code = "unauthenticated"     // there are no valid credentials
	CodePermissionDenied   Code = "permission_denied"   // the credentials are valid but insufficient
	CodeInsufficientScope  Code = "insufficient_scope"  // the credentials lack a scope
)
