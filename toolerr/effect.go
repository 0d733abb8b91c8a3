package toolerr

// An Effect says what a failed call changed, which decides whether a retryable
// call is also safe to repeat.
//
// The empty Effect says nothing. Together with an explicit isRetryable: true it
// means that the server vouches for a repeat. The words are chosen.
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
