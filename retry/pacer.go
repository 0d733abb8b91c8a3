package retry

import (
	"math/rand/v2"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A pacer enforces pauses after failed dials and listings. The pauses grow like the policy's
// delays, but are never shorter than half of them. The zero value has no pause.
type pacer struct {
	failures int
	until    time.Time
	err      error // the last failure
}

// pause returns the remaining pause, or 0 if there is none.
func (p *pacer) pause() time.Duration {
	if p.failures == 0 {
		return 0
	}
	return max(time.Until(p.until), 0)
}

// tooEarly returns the failure of an attempt during the pause. It is retryable after the
// pause, regardless of the last failure.
func (p *pacer) tooEarly() error {
	return toolerr.Transient("The server could not be reached a moment ago.").
		WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone).WithCause(p.err)
}

// failed starts a pause.
func (p *pacer) failed(policy Policy, err error) {
	policy.BaseDelay = max(policy.BaseDelay, 0) // a negative delay would mean no pause
	policy.MaxDelay = max(policy.MaxDelay, 0)
	p.failures++
	p.err = err
	e := result.Parse(nil, err).Err
	floor, _ := delayOf(&policy, e, p.failures, 0)
	full, _ := delayOf(&policy, e, p.failures, 1)
	jitter := 1 + rand.Float64()
	p.until = time.Now().Add(floor + time.Duration(float64(full-floor)/2*jitter))
}
