// Package hint returns the default next step for the model, so that every failure has one.
// It also has the default messages of the codes (sentence.go).
package hint

import "strings"

// Facts are the properties of a failure that determine its default hint. Their strings are
// those of the wire.
type Facts struct {
	Category, Code, Effect string
	// Retryable is the value on the wire.
	Retryable bool
	// Delay means that there is a delay before a retry.
	Delay bool
	// Key is the argument for the idempotency key: [AnyArgument] if its name is not known,
	// "" if there is no key.
	Key string
	// Partial means that part of the work was done, and Continue that the rest can be
	// requested.
	Partial, Continue bool
	// Field means that the argument at fault is known.
	Field bool
}

// AnyArgument stands for a key argument whose name is not known.
const AnyArgument = "the tool's key argument"

const withKey = "with idempotencyKey as "

// KeyArgument returns the argument for the key in a default hint, or "".
func KeyArgument(text string) string {
	_, rest, _ := strings.Cut(text, withKey)
	return rest[:max(strings.IndexAny(rest, ".:;,"), 0)]
}

// Default returns the default hint. The flag is safe to act on by itself: a retryable call
// may be repeated even if it may have been executed. The properties of the failure take
// precedence over its code, and the code over the category.
func Default(f Facts) string {
	key := ""
	if f.Key != "" && (f.Effect == "unknown" || f.Effect == "applied") {
		key = " " + withKey + f.Key
	}
	switch {
	case f.Partial && f.Continue && f.Delay:
		return "Wait for retryAfterMs, then call again from partial.continueFrom to get the rest."
	case f.Partial && f.Continue:
		return "Call again from partial.continueFrom to get the rest."
	case f.Partial:
		return "Use the results in partial, and say that they are incomplete."
	case f.Retryable && f.Delay:
		return "Wait for retryAfterMs, then retry the same call" + key + "."
	case f.Retryable && f.Code == "rate_limited":
		return "Wait a few seconds, then retry the same call" + key + "."
	case f.Retryable && key != "":
		return "Retry the same call at most twice," + key + "."
	case f.Retryable:
		return "Wait a moment, then retry the same call at most twice; then tell the user."
	case f.Effect == "unknown" && key != "":
		return "The call may have taken effect. Repeat it only" + key + "."
	case f.Effect == "applied":
		return "The call has taken effect although it failed. Do not repeat it; tell the user what was done and what not."
	case f.Effect == "unknown":
		return "The call may have taken effect. Check whether it did before calling again."
	}
	if f.Code == "invalid_argument" && !f.Field { // services send 422 for states and quotas too
		return "Check the arguments, and do not repeat the call unchanged."
	}
	if hint := Code(f.Code); hint != "" {
		return hint
	}
	switch f.Category {
	case "transient":
		return "Do not repeat it now; tell the user that the tool failed, and go on without it."
	case "validation":
		return "Correct the input before calling again."
	case "business":
		return "Do not retry; explain it to the user, or hand over to a person."
	case "permission":
		return "Do not retry or work around it; tell the user that it was refused."
	case "":
		return "" // the message is all that is known
	}
	return "Do not repeat the call unchanged; tell the user what happened."
}

// Shown is the hint for an author's text that a type classifies. It claims nothing that the
// text could contradict.
const Shown = "Read the message to decide what to do next."

// Code returns the default hint of a code for failures that are not retryable, or "".
func Code(code string) string { return hints[code] }

var hints = map[string]string{
	"timeout":             "Do not repeat it now; tell the user that no answer came in time.",
	"rate_limited":        "Do not repeat it now; tell the user that the limit of calls is reached.",
	"unavailable":         "Do not repeat it now; tell the user that the service is unavailable.",
	"canceled":            "Do not retry: the call was cancelled on purpose.",
	"internal":            "Do not retry; tell the user that the tool failed, and go on without it.",
	"not_found":           "Check the name, or look up the right one, before calling again.",
	"invalid_argument":    "Correct the argument and call again.",
	"missing_argument":    "Add the missing argument and call again.",
	"ambiguous":           "Call again with exactly one of options, or ask the user which is meant.",
	"out_of_range":        "Call again with a value in range.",
	"conflict":            "Do not repeat the call; read the current state, and decide by that.",
	"already_exists":      "Use the one that exists, or call again with another name.",
	"failed_precondition": "Bring about the state that it needs first, then call again.",
	"limit_exceeded":      "Do not retry or split the request; explain the limit to the user, or hand over to a person.",
	"unauthenticated":     "Do not retry; tell the user that the credentials must be renewed.",
	"permission_denied":   "Do not retry or work around it; tell the user that it was refused.",
	"insufficient_scope":  "Do not retry; tell the user which scope must be granted.",
}
