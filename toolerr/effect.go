package toolerr

// An Effect is what a failed call changed, which determines whether a repeat is safe. An author
// states it or the kind of failure proves it; it is never guessed. The empty Effect means not stated:
// see [Error.Resolve]. The values are this module's.
type Effect string

// The effects, by what they mean.
const (
	EffectNone    Effect = "none"    // nothing was changed, for example because the call was rejected
	EffectApplied Effect = "applied" // the call took effect although it failed
	EffectUnknown Effect = "unknown" // the call may have taken effect, for example if its reply was lost
)
