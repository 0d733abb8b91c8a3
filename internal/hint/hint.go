// Package hint provides the default hints, which tell the model the next step, and the default
// messages of codes (codes.tsv).
package hint

import (
	"cmp"
	"strings"
	"time"
)

// Facts are the properties of a failure that determine its default hint, as wire values.
type Facts struct {
	Category, Code, Effect string
	Retryable              bool
	// Delay is the delay before a retry, or 0.
	Delay time.Duration
	// Key is the argument for the idempotency key, [AnyArgument] if its name is not known, or "".
	Key string
	// Partial means that part of the work was done, Results that there are results, and Continue
	// that the rest can be requested.
	Partial, Results, Continue bool
	Field, Options             bool // are set
}

// longDelay is the longest wait asked of a model. It is retry's default MaxRetryAfter.
const longDelay = 30 * time.Second

// AnyArgument stands for a key argument whose name is not known.
const AnyArgument = "the tool's key argument"

const setKey = " set to idempotencyKey"

// KeyArgument returns the key argument that a default hint names, or "".
func KeyArgument(text string) string {
	before, _, ok := strings.Cut(text, setKey)
	if at := strings.LastIndex(before, "with "); ok && at >= 0 {
		return before[at+len("with "):]
	}
	return ""
}

// SameAnswer begins the hint of a call with a key that is not run again; the key's argument follows. The service may
// still be at it after its tool has died.
const SameAnswer = "Check whether the call took effect. A repeat with this key only gets this answer: if nothing was " +
	"done after a minute, make the call with another "

// Default returns the default hint, or "". A retryable call may be repeated even if it may have
// been executed. The properties of the failure take precedence over its code, and the code over the
// category, unless they disagree about what to do next.
func Default(f Facts) string {
	key, rest, unknown, isLong := "", f.Partial && f.Continue, f.Effect == "unknown", f.Delay > longDelay
	if f.Key != "" && unknown {
		key = " with " + f.Key + setKey
	}
	isFixable, isRefused := Fixes(f.Category, f.Code), f.Category == "business" || f.Category == "permission"
	isVague := f.Code == "invalid_argument" && !f.Field // services send 422 for states and quotas too
	for _, row := range []struct {
		applies bool
		hint    string // with %s for the key
	}{
		{rest && unknown && f.Key != "", fromUndone + ", with another key."}, // the key is that of the first part
		{rest && unknown, fromUndone + "."},
		{f.Partial && unknown, "Check what else was done, before calling again."},
		{rest && isRefused, "Tell the user why it stopped; when solved, call again from partial.continueFrom."},
		{rest && isLong, "Tell the user the wait; after retryAfterMs call again from partial.continueFrom."},
		{rest && f.Delay > 0, "Wait for retryAfterMs, then call again from partial.continueFrom."},
		{rest, "Call again from partial.continueFrom to get the rest."},
		{f.Partial && f.Effect != "applied" && isFixable, "Correct the input, and call again for what partial lacks."},
		{f.Partial && f.Results, "Use the results in partial, and say that they are incomplete."},
		{f.Effect == "applied", "Do not repeat it; look up what was done, and tell the user."},
		{f.Partial, "Tell the user what was done and what was not."},
		{f.Retryable && isLong, "Tell the user the wait; after retryAfterMs retry the same call%s."},
		{f.Retryable && f.Delay > 0, "Wait for retryAfterMs, then retry the same call%s."},
		{f.Retryable, "Wait, then retry the same call%s at most twice; then tell the user."},
		{key != "", "Send the same arguments%s; it takes effect only once."},
		// nothing says that nothing was done
		{unknown || f.Effect == "" && f.Category == "transient", Unknown + mayRun[f.Code]},
		{f.Code == "ambiguous" && !f.Options, "Ask the user which one is meant."},
		{isVague, "Check the arguments; do not repeat the call unchanged."},
		{f.Category == "" || strings.HasPrefix(Code(f.Code), "Do not") != isFixable, Code(f.Code)},
	} {
		if row.applies && (row.hint != "" || f.Category == "") {
			return strings.ReplaceAll(row.hint, "%s", key)
		}
	}
	return cmp.Or(ofCategory[f.Category], "Do not repeat the call unchanged; tell the user what happened.")
}

var ofCategory = map[string]string{
	"transient":  "Do not repeat it now; tell the user that it failed.",
	"validation": "Correct the input before calling again.",
	"business":   "Do not retry; explain it to the user, or hand over to a person.",
	"permission": "Do not retry or work around it; tell the user that it was refused.",
}

const fromUndone = "Check which items from partial.continueFrom on were done; call again from the first that was not"

// mayRun follows for a call without an answer: it may go on, and after a look at once another would do the work twice.
var mayRun = map[string]string{"timeout": " Wait a minute first.", "unavailable": " Wait a minute first."}

// Unknown is the hint of last resort if the effect is unknown.
const Unknown = "Before calling again, check whether the call took effect."

// Shown is the hint for a text that Reveal selects if an error's type determines the category. It
// claims nothing that the text could contradict.
const Shown = "Read the message to decide what to do next."

// Fixes reports whether a call that was refused may be made again after a change: of its arguments,
// or of the state that it needs.
func Fixes(category, code string) bool {
	isState := code == "conflict" || code == "already_exists" || code == "failed_precondition"
	return isState || category == "validation" && code != "canceled"
}
