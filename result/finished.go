package result

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A FinishedCall is the argument of [MiddlewareOptions.OnCall]. It holds neither arguments nor
// results.
type FinishedCall struct {
	// Tool is the tool's name, or "(unknown)" for names that are not tools of the server.
	Tool string
	// Kind is KindData, KindEmpty, KindPartial, KindFailure or KindInputRequired. A protocol error is a failure.
	Kind Kind
	// Err is the failure as it is sent, or nil. Do not change it. Its cause, which is not
	// sent, may be set.
	Err *toolerr.Error
	// Duration is the duration of the handler and of the middleware inside.
	Duration time.Duration
	// KeyID is the ID of the idempotency.Request of a call of a tool with idempotency keys.
	KeyID string
	// Claim is the idempotency.State that the store returned for the key, or "failed" after an error.
	Claim string
	// Waited is how long the call waited for the store and for an earlier call to end.
	Waited time.Duration
}

// finished counts a call and calls OnCall. A panic of OnCall is recovered, so that the result is
// sent.
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

// succeeded is finished for a success, whose tool is known to exist.
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

// countedTool returns the name that a call is counted under.
func (f *failedCall) countedTool() string {
	if f.tool == nil {
		return unknownTool
	}
	return f.name
}
