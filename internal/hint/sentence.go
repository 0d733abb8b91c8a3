package hint

// Sentence returns the default message of a failure with this code, or "" for a code that is not one of package toolerr's.
func Sentence(code string) string { return sentences[code] }

var sentences = map[string]string{
	"timeout":             "No answer came in time.",
	"rate_limited":        "Too many calls were made; no more are taken for now.",
	"unavailable":         "The service is unavailable, or the connection to it failed.",
	"canceled":            "The call was cancelled.",
	"internal":            "The tool failed unexpectedly.",
	"not_found":           "What was asked for does not exist.",
	"invalid_argument":    "The input is malformed or not allowed.",
	"missing_argument":    "The input lacks a value that is required.",
	"ambiguous":           "The input fits more than one thing.",
	"out_of_range":        "A value of the input is out of range.",
	"conflict":            "The request conflicts with the current state.",
	"already_exists":      "What should be created exists already.",
	"failed_precondition": "The current state does not allow this.",
	"limit_exceeded":      "A limit or quota is exceeded.",
	"unauthenticated":     "The credentials are missing or were not accepted.",
	"permission_denied":   "Access is denied.",
	"insufficient_scope":  "The credentials lack a scope that is required.",
}

// Unproven returns the message of a failure of the tool's whose error speaks of what this
// code says, though nothing shows whether it is about the call or about the tool itself, and
// the step that is right in either case. Both are "" for a code that blames nobody.
func Unproven(code string) (sentence, step string) {
	u := unproven[code]
	return u.sentence, u.step
}

const (
	checkCall  = "Do not repeat the call unchanged. Check what it names, and whether anything was done; if all is right, tell the user that the tool failed."
	checkState = "Do not repeat the call unchanged. Read the current state; if nothing there explains it, tell the user that the tool failed."
	tellAccess = "Do not repeat the call. Access is missing, the user's or the tool's own: tell the user that the tool failed for that."
)

var unproven = map[string]struct{ sentence, step string }{
	"not_found":           {"The tool failed: what was asked for, or something that it needs itself, does not exist.", checkCall},
	"invalid_argument":    {"The tool failed: the input, or something that it uses itself, is malformed or not allowed.", checkCall},
	"missing_argument":    {"The tool failed: a value is missing, in the input or in what it uses itself.", checkCall},
	"out_of_range":        {"The tool failed: a value is out of range, in the input or in what it uses itself.", checkCall},
	"ambiguous":           {"The tool failed: the input, or something that it uses itself, fits more than one thing.", checkCall},
	"conflict":            {"The tool failed: something conflicts with the current state.", checkState},
	"already_exists":      {"The tool failed: something exists already.", checkState},
	"failed_precondition": {"The tool failed: the current state does not allow this.", checkState},
	"limit_exceeded":      {"The tool failed: a limit or quota is exceeded.", checkState},
	"unauthenticated":     {"The tool failed: credentials, the user's or its own, are missing or were not accepted.", tellAccess},
	"permission_denied":   {"The tool failed: access was denied, to the user or to the tool itself.", tellAccess},
	"insufficient_scope":  {"The tool failed: credentials, the user's or its own, lack a scope.", tellAccess},
}
