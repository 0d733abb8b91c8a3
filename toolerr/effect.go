package toolerr

// An Effect is what a failed call changed. It determines whether a repeat is safe. It is
// stated by an author or proven by the kind of failure, never guessed.
//
// The empty Effect means not stated. result.Middleware then sets none for read-only tools, and
// unknown for tools that are not known to be safe to repeat, unless the failure is a refusal,
// partial or unclassified. The values are this module's.
type Effect string

// The effects, by what they mean.
const (
	EffectNone    Effect = "none"    // nothing was changed, for example because the call was rejected
	EffectApplied Effect = "applied" // the call took effect although it failed
	EffectUnknown Effect = "unknown" // the call may have taken effect, for example if its reply was lost
)
