// Package effect decides what a failed call is reported to have changed, and whether the identical
// call may be sent again. Its strings are the wire values.
package effect

import (
	"cmp"
	"slices"
)

// The effects on the wire. An empty effect is not stated.
const (
	None    = "none"
	Applied = "applied"
	Unknown = "unknown"
)

// Facts are the properties of a failure on which the decision depends.
type Facts struct {
	Category, Effect string
	// Temporary means that the identical call may succeed later.
	Temporary bool
	// Partial means that there is a partial result; Processed, that items of it were processed. An
	// unknown effect is then that of the item at which the work stopped.
	Partial, Processed bool
	// Attempted means that the call was already retried.
	Attempted bool
}

// A Tool describes the tool whose call failed.
type Tool struct {
	// ReadOnly means that the tool changes nothing; Idempotent means that a repeat of this call has
	// no further effect.
	ReadOnly, Idempotent bool
}

// Resolve returns the effect of a failed call, and whether the identical call may be sent again
// because it may succeed and cannot do the work twice. What was applied is never sent again. A nil tool means that the
// failure is not yet a tool's result: an effect that is not stated remains so, unless items were processed, and does
// not forbid a retry.
func Resolve(f Facts, tool *Tool) (effect string, retryable bool) {
	t := cmp.Or(tool, new(Tool))
	effect = f.Effect
	switch {
	case t.ReadOnly:
		effect = None
	case f.Processed && (t.Idempotent || !IsUnknown(f.Effect)): // the unknown item must not be passed over
		effect = Applied
	case f.Effect == "" && tool != nil && !t.Idempotent && !f.Partial && (f.Category != "" || f.Temporary) &&
		!slices.Contains([]string{"validation", "business", "permission"}, f.Category): // refusals
		effect = Unknown // a partial result says where to continue
	}
	safe := t.Idempotent || effect == None || effect == "" && tool == nil
	return effect, safe && effect != Applied && f.Temporary && !f.Partial && !f.Attempted
}

// Worst returns the worst effect of several outcomes: applied, then unknown, then not stated, then
// none. A word that is not an effect counts as unknown. Without outcomes it returns none.
func Worst[E ~string](effects ...E) E {
	worst := E(None)
	for _, e := range effects {
		if rank(e) > rank(worst) {
			worst = e
		}
	}
	return worst
}

func rank[E ~string](e E) int {
	if IsUnknown(e) {
		return 2
	}
	return slices.Index([]E{None, "", Unknown, Applied}, e)
}

// IsUnknown reports whether an effect is unknown, or a word that is not an effect.
func IsUnknown[E ~string](e E) bool { return e != None && e != "" && e != Applied }
