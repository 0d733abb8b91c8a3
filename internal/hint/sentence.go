package hint

// Sentence returns the default message of a code, or "" if package toolerr does not define it.
func Sentence(code string) string { return sentences[code] }

var sentences = map[string]string{
	"timeout":             "No answer came in time.",
	"rate_limited":        "Too many calls were made; no more are taken for now.",
	"unavailable":         "The service is unavailable, or the connection to it failed.",
	"canceled":            "The call was canceled.",
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
