package retry

import (
	"time"

	"github.com/mcp-toolerr/toolerr-go/retry/internal/hints"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A run holds the facts about the attempts of one call that is given up.
type run struct {
	safety   Safety
	earlier  bool // an attempt before the last, or an earlier identical call, may have taken effect
	unstated bool // an attempt did not state its effect
	elapsed  time.Duration
}

// resolve returns the final failure, and whether its effect or flag differs from that of
// the last attempt. The final failure lists the attempts, and is then not retryable. Its
// effect is unknown if an earlier attempt may have taken effect, and none only if every
// attempt had effect none.
func (r run) resolve(e *toolerr.Error, d Decision, a toolerr.Attempt) (resolved *toolerr.Error, amended bool) {
	byDefault := len(e.Attempted) == 0 && hints.IsDefault(e)
	switch {
	case r.safety == SafetyReadOnly:
	case r.earlier && e.Effect != toolerr.EffectUnknown && e.Effect != toolerr.EffectApplied:
		byDefault, amended = false, true
		e = e.WithEffect(toolerr.EffectUnknown).
			WithHint("An earlier attempt may have taken effect. Check whether it did before calling again.")
	case r.unstated && e.Effect == toolerr.EffectNone:
		e, amended = e.WithEffect(""), true
	}
	handedUp := d.Action == ActionPropagate || d.Action == ActionVerify
	if len(e.Attempted) == 0 && (handedUp || e.Retryable || d.Attempt > 1) {
		a.Attempts, a.Elapsed, a.Category, a.Code = d.Attempt, r.elapsed, e.Category, e.Code
		e = e.WithAttempted(a)
	}
	switch {
	case byDefault && d.Action == ActionPropagate && d.Attempt > 1:
		e = e.WithHint(hints.Retried)
	case byDefault && e.Retryable && len(e.Attempted) > 0 && e.Hint != "":
		e = e.WithHint("") // the default for a failure that is not retryable
	}
	if e.Retryable && len(e.Attempted) > 0 {
		e, amended = e.WithRetryable(false), true
	}
	return e, amended
}
