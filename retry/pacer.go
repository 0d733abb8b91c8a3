package retry

import (
	"math/rand/v2"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A pacer keeps those who share it from asking again at once for what has failed: a
// connection, or a list of tools. The pauses grow as the waits of the policy do, but are
// never drawn shorter than half of that. The zero value has no pause.
type pacer struct {
	failures int
	until    time.Time
	err      error // of the last failure
}

// pause returns how long nobody is to ask, 0 if anybody may.
func (p *pacer) pause() time.Duration {
	if p.failures == 0 {
		return 0
	}
	return max(time.Until(p.until), 0)
}

// tooEarly returns the failure of an attempt in the pause: the next may be made after it,
// whatever the last one ended with.
func (p *pacer) tooEarly() error {
	return toolerr.Transient("The server could not be reached a moment ago.").
		WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone).WithCause(p.err)
}

// failed begins a pause.
func (p *pacer) failed(policy Policy, err error) {
	policy.BaseDelay = max(policy.BaseDelay, 0) // without a wait it would be no pause
	policy.MaxDelay = max(policy.MaxDelay, 0)
	p.failures++
	p.err = err
	e := result.Parse(nil, err).Err
	floor, _ := delayOf(&policy, e, p.failures, 0)
	full, _ := delayOf(&policy, e, p.failures, 1)
	jitter := 1 + rand.Float64()
	p.until = time.Now().Add(floor + time.Duration(float64(full-floor)/2*jitter))
}
