package session

import (
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Delay returns the pause after the nth failed dial or listing.
type Delay func(err error, n int) time.Duration

// A pacer enforces pauses after failed dials and listings. The zero value has no pause.
type pacer struct {
	failures int
	until    time.Time
	err      error // the last failure
}

// pause returns the remaining pause, or 0 if there is none.
func (p *pacer) pause() time.Duration { return max(time.Until(p.until), 0) }

// tooEarly returns the failure of an attempt during the pause. It is retryable after the
// pause, regardless of the last failure.
func (p *pacer) tooEarly() error {
	return toolerr.Transient("The server could not be reached a moment ago.").
		WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone).WithCause(p.err)
}

// failed starts a pause.
func (p *pacer) failed(delay Delay, err error) {
	p.failures++
	p.err, p.until = err, time.Now().Add(delay(err, p.failures))
}
