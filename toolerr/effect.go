package toolerr

// An Effect says what a failed call changed, which decides whether a repeat is safe.
// It is stated by an author or proven by the kind of failure, never guessed.
//
// The empty Effect says that nobody has stated it; result.Middleware then makes it
// none for read-only tools, and unknown for those that are not known to be safe to
// repeat. The words are chosen.
type Effect string

const (
	// EffectNone says that nothing can have happened: the call was refused
	// before it was carried out.
	EffectNone Effect = "none"
	// EffectApplied says that the call was carried out although it failed.
	EffectApplied Effect = "applied"
	// EffectUnknown says that the call may have been carried out: the request
	// was sent and its reply was lost.
	EffectUnknown Effect = "unknown"
)
