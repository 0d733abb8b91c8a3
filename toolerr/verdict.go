package toolerr

import "time"

// A verdict is what From knows of an error. The zero verdict knows nothing.
type verdict struct {
	category  Category
	code      Code
	retryable bool
	effect    Effect
	after     time.Duration
}

var (
	vTimeout     = verdict{category: CategoryTransient, code: CodeTimeout, retryable: true, effect: EffectUnknown}
	vNotSent     = verdict{category: CategoryTransient, code: CodeTimeout, retryable: true, effect: EffectNone}
	vUnavailable = verdict{category: CategoryTransient, code: CodeUnavailable, retryable: true, effect: EffectNone}
	vBroken      = verdict{category: CategoryTransient, code: CodeUnavailable, retryable: true, effect: EffectUnknown}
	vExhausted   = verdict{category: CategoryTransient, code: CodeUnavailable, effect: EffectUnknown}
	vThrottled   = verdict{category: CategoryTransient, code: CodeRateLimited, retryable: true, effect: EffectNone}
	vCanceled    = verdict{category: CategoryTransient, code: CodeCanceled, effect: EffectUnknown}
	vInternal    = verdict{category: CategoryTransient, code: CodeInternal, effect: EffectUnknown}

	vInvalid = verdict{category: CategoryValidation, code: CodeInvalidArgument, effect: EffectNone}
	// vUnparsed leaves open whose text it is: the caller's, and nothing was done, or
	// the answer to a request that was.
	vUnparsed   = verdict{category: CategoryValidation, code: CodeInvalidArgument}
	vMissing    = verdict{category: CategoryValidation, code: CodeMissingArgument, effect: EffectNone}
	vNotFound   = verdict{category: CategoryValidation, code: CodeNotFound, effect: EffectNone}
	vOutOfRange = verdict{category: CategoryValidation, code: CodeOutOfRange, effect: EffectNone}
	vAmbiguous  = verdict{category: CategoryValidation, code: CodeAmbiguous, effect: EffectNone}

	vConflict     = verdict{category: CategoryBusiness, code: CodeConflict}
	vExists       = verdict{category: CategoryBusiness, code: CodeAlreadyExists, effect: EffectNone}
	vPrecondition = verdict{category: CategoryBusiness, code: CodeFailedPrecondition, effect: EffectNone}
	vLimit        = verdict{category: CategoryBusiness, code: CodeLimitExceeded, effect: EffectNone}

	vUnauthenticated = verdict{category: CategoryPermission, code: CodeUnauthenticated, effect: EffectNone}
	vDenied          = verdict{category: CategoryPermission, code: CodePermissionDenied, effect: EffectNone}
	vScope           = verdict{category: CategoryPermission, code: CodeInsufficientScope, effect: EffectNone}
)

func (v verdict) known() bool { return v.code != "" }

// error returns the envelope with the code's fixed sentence.
func (v verdict) error(cause error) *Error {
	if !v.known() {
		v = vInternal
	}
	e := &Error{
		Category: v.category, Retryable: v.retryable, Code: v.code, Message: sentences[v.code],
		Effect: v.effect, cause: cause,
	}
	if v.retryable {
		e.RetryAfter = min(max(v.after, 0), maxRetryAfter)
	}
	return e
}

var sentences = map[Code]string{
	CodeTimeout:            "No answer came in time.",
	CodeRateLimited:        "Too many calls were made; no more are taken for now.",
	CodeUnavailable:        "The service is unavailable, or the connection to it failed.",
	CodeCanceled:           "The call was cancelled.",
	CodeInternal:           "The tool failed unexpectedly.",
	CodeNotFound:           "What was asked for does not exist.",
	CodeInvalidArgument:    "The input is malformed or not allowed.",
	CodeMissingArgument:    "The input lacks a value that is required.",
	CodeAmbiguous:          "The input fits more than one thing.",
	CodeOutOfRange:         "A value of the input is out of range.",
	CodeConflict:           "The request conflicts with the current state.",
	CodeAlreadyExists:      "What should be created exists already.",
	CodeFailedPrecondition: "The current state does not allow this.",
	CodeLimitExceeded:      "A limit or quota is exceeded.",
	CodeUnauthenticated:    "The credentials are missing or were not accepted.",
	CodePermissionDenied:   "Access is denied.",
	CodeInsufficientScope:  "The credentials lack a scope that is required.",
}
