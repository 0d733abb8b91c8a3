package toolerr

// An Effect is what a failed call changed, as stated or proven. The empty one means not stated;
// another word, of foreign JSON, counts as unknown.
type Effect string

// The effects, by what they mean.
const (
	EffectNone    Effect = "none"    // nothing was changed, for example because the call was rejected
	EffectApplied Effect = "applied" // the call took effect although it failed
	EffectUnknown Effect = "unknown" // the call may have taken effect, for example if its reply was lost
)
