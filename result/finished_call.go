package result

import (
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A FinishedCall is what [MiddlewareOptions.OnCall] gets. Only Err may hold arguments or results.
type FinishedCall struct {
	Tool string // the tool's name, or "(unknown)" for a failed call of a tool that is not listed
	Kind Kind   // one of the five constants; for a protocol error KindFailure
	// Err is the failure that a client reads, without its default hint, or nil. Do not change it.
	// Its cause, which is not sent, may be set.
	Err *toolerr.Error
	// Duration is how long the handler took, including any middleware inside this one.
	Duration time.Duration
	// KeyID is the call's idempotency.Request.ID if package idempotency handles its key.
	KeyID string
	// Claim is the idempotency.State that the store returned for the key, or after an error "full"
	// if the caller has no room left, otherwise "failed".
	Claim string
	// Waited is how long the call waited for the store and for an earlier call to end.
	Waited time.Duration
}

// finished calls OnCall. A panic in it is recovered, so the result is sent.
func (c *call) finished(done FinishedCall) {
	if c.opts.OnCall == nil {
		return
	}
	claim := failure.CallOf(c.ctx).Claim
	done.Duration, done.KeyID, done.Claim, done.Waited = c.elapsed, claim.ID, claim.State, claim.Waited
	defer func() { _ = recover() }()
	c.opts.OnCall(c.ctx, done)
}
