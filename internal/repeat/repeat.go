// Package repeat decides which effect a failed call is reported with, and whether it may be
// repeated. Its strings are those of the wire.
package repeat

// Facts are the properties of a failure and its tool on which the decision depends.
type Facts struct {
	Category, Effect string
	Retryable        bool
	// Partial means that part of the work was done, and Processed that this was at least
	// one item.
	Partial, Processed bool
	// ReadOnly means that the tool changes nothing, and Idempotent that a repeat of this
	// call has no further effect.
	ReadOnly, Idempotent bool
}

// Resolve returns the effect, and whether the identical call may be sent again. A host that
// only reads retryable must neither repeat without a chance of success nor do the work
// twice.
func Resolve(f Facts) (effect string, retryable bool) {
	safe := f.ReadOnly || f.Idempotent
	effect = f.Effect
	switch {
	case f.ReadOnly:
		effect = "none"
	case f.Partial && f.Processed && f.Effect == "none":
		effect = "applied" // its author states that items were processed
	case f.Effect == "" && !f.Partial && !safe && f.Category != "" && !IsRefusal(f.Category):
		effect = "unknown"
	}
	return effect, f.Retryable && (safe || effect == "none")
}

// IsRefusal reports whether a category means that the call was refused. Only the author can
// then state an effect.
func IsRefusal(category string) bool {
	return category == "validation" || category == "business" || category == "permission"
}
