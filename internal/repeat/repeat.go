// Package repeat takes what is known of a failed call and of its tool, and returns what is
// then said of its effect and of repeating it. Its words are those of the wire.
package repeat

// Facts are the members of a failure that the answer depends on, and the tool's hints.
type Facts struct {
	Category, Effect string
	Retryable        bool
	// Partial says that part of the work was done, Processed that this was more than
	// nothing.
	Partial, Processed bool
	// ReadOnly says that the tool changes nothing, Idempotent that a repeat of this call
	// does nothing twice.
	ReadOnly, Idempotent bool
}

// Resolve returns the effect, and whether the identical call may be sent again: a host that
// reads that alone must neither repeat in vain nor do the work twice.
func Resolve(f Facts) (effect string, retryable bool) {
	safe := f.ReadOnly || f.Idempotent
	effect = f.Effect
	switch {
	case f.ReadOnly:
		effect = "none"
	case f.Partial && f.Processed && f.Effect == "none":
		effect = "applied" // its author says that items were processed
	case f.Effect == "" && !f.Partial && !safe && f.Category != "" && !IsRefusal(f.Category):
		effect = "unknown"
	}
	return effect, f.Retryable && (safe || effect == "none")
}

// IsRefusal reports whether failures of a category say that somebody has refused the call:
// what is then said of an effect is for their author alone.
func IsRefusal(category string) bool {
	return category == "validation" || category == "business" || category == "permission"
}
