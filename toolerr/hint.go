package toolerr

// defaultHint is the next step for the model where the author gave none, so
// that no failure goes out without one. What is true of this failure comes
// before what is true of its code, and that before its category.
func defaultHint(e *Error) string {
	switch {
	case e.Partial != nil:
		if _, ok := appendCursor(nil, e.Partial.ContinueFrom); !ok {
			return "Use the results in partial, and say that they are incomplete."
		}
		return "Call again, continuing from partial.continueFrom, to get the rest."
	case e.Effect == EffectUnknown && e.IdempotencyKey != "":
		return "The call may have taken effect. If you call again, pass idempotencyKey back as the tool's key argument, so that nothing is done twice."
	case e.Effect == EffectApplied:
		return "The call has taken effect although it failed. Do not repeat it; tell the user what was done and what was not."
	case e.Effect == EffectUnknown:
		return "The call may have taken effect. Check whether it did before calling again; do not simply repeat it."
	}
	if e.retryable() {
		if e.Code == CodeRateLimited || e.RetryAfter > 0 {
			return "Wait for retryAfterMs, or some seconds where it is absent, then retry the same call."
		}
		return "Wait a few seconds and retry the same call once or twice; if it still fails, tell the user instead of retrying."
	}
	if hint, ok := codeHints[e.Code]; ok {
		return hint
	}
	if hint, ok := categoryHints[e.Category]; ok {
		return hint
	}
	return "Do not repeat the call unchanged; tell the user what happened."
}

var codeHints = map[Code]string{
	CodeTimeout:            "Do not repeat the call now; tell the user that no answer came in time.",
	CodeRateLimited:        "Do not repeat the call now; tell the user that the limit of calls has been reached.",
	CodeUnavailable:        "Do not repeat the call now; tell the user that the service is unavailable.",
	CodeCanceled:           "Do not retry: the call was cancelled on purpose.",
	CodeInternal:           "Do not repeat the call; tell the user that the tool failed, and go on without it.",
	CodeNotFound:           "Check the name or identifier, or look up the right one, before calling again.",
	CodeInvalidArgument:    "Correct the argument and call again.",
	CodeMissingArgument:    "Add the missing argument and call again.",
	CodeAmbiguous:          "Choose one of the options and call again with exactly that, or ask the user which is meant.",
	CodeOutOfRange:         "Call again with a value within the allowed range.",
	CodeConflict:           "Read the current state before deciding what to do; do not repeat the same call.",
	CodeAlreadyExists:      "Use the one that exists, or call again with another name.",
	CodeFailedPrecondition: "Bring about what the message asks for first, then call again.",
	CodeLimitExceeded:      "Do not retry or split the request to get around the limit; explain it to the user or hand over to a person.",
	CodeUnauthenticated:    "Do not retry; tell the user that the credentials must be renewed.",
	CodePermissionDenied:   "Do not retry or look for a way around; tell the user that access is missing.",
	CodeInsufficientScope:  "Do not retry; tell the user which scope must be granted.",
}

var categoryHints = map[Category]string{
	CategoryTransient:  "Do not repeat the call now; tell the user that the tool failed, and go on without it.",
	CategoryValidation: "Correct the input and call again; the same input will fail again.",
	CategoryBusiness:   "Do not retry; explain to the user, or hand over to a person who can decide.",
	CategoryPermission: "Do not retry or look for a way around; tell the user that access is missing.",
}
