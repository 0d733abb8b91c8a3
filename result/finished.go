package result

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

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

// finished counts a call and calls OnCall. A panic in OnCall is recovered, so the result is sent.
func (m *middleware) finished(ctx context.Context, call FinishedCall) {
	claim := failure.ClaimOf(ctx)
	call.KeyID, call.Claim, call.Waited = claim.ID, claim.State, claim.Waited
	m.opts.Counts.finished(call)
	if m.opts.OnCall == nil {
		return
	}
	defer func() { _ = recover() }()
	m.opts.OnCall(ctx, call)
}

// succeeded calls m.finished for a call that did not fail: its tool exists.
func (m *middleware) succeeded(ctx context.Context, name string, res *mcp.CallToolResult, elapsed time.Duration) {
	if m.opts.Counts == nil && m.opts.OnCall == nil {
		return
	}
	kind := KindData
	switch {
	case res == nil: // a result type of another middleware
	case res.NeedsInput():
		kind = KindInputRequired
	case res.Meta[kindKey] == KindEmpty.String():
		kind = KindEmpty
	}
	m.finished(ctx, FinishedCall{Tool: name, Kind: kind, Duration: elapsed})
}

// countedTool returns the name under which a call is counted.
func (f *failedCall) countedTool() string {
	if f.tool == nil {
		return unknownTool
	}
	return f.name
}
