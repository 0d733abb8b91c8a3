package result

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A FinishedCall is what [MiddlewareOptions.OnCall] is called with. It holds neither
// arguments nor what the tool has answered.
type FinishedCall struct {
	// Tool is the tool's name; "(unknown)" for all names that the server has no tool of.
	Tool string
	// Kind tells data, nothing, a part of the work and failure apart. A protocol error is
	// a failure.
	Kind Kind
	// Err is the failure as the agent gets it, nil if there is none. It must not be
	// changed. Its cause may be what the wire never has.
	Err *toolerr.Error
	// Duration is how long the handler took.
	Duration time.Duration
}

// finished counts a call and tells OnCall. A hook that panics does not cost the answer.
func (m *middleware) finished(ctx context.Context, call FinishedCall) {
	m.opts.Counts.finished(call)
	if m.opts.OnCall == nil {
		return
	}
	defer func() { _ = recover() }()
	m.opts.OnCall(ctx, call)
}

// succeeded is finished for a call without a failure. Its tool is there.
func (m *middleware) succeeded(ctx context.Context, req mcp.Request, res *mcp.CallToolResult, elapsed time.Duration) {
	if m.opts.Counts == nil && m.opts.OnCall == nil {
		return
	}
	name, _ := calledTool(req)
	kind := KindData
	switch {
	case res == nil: // a result of another middleware's own kind
	case res.NeedsInput():
		kind = KindInputRequired
	case res.Meta[kindKey] == KindEmpty.String():
		kind = KindEmpty
	}
	m.finished(ctx, FinishedCall{Tool: name, Kind: kind, Duration: elapsed})
}

// failed is finished for a failure.
func (f *failedCall) failed(e *toolerr.Error) {
	call := FinishedCall{Tool: f.countedTool(), Kind: KindFailure, Err: e, Duration: f.elapsed}
	if e.Partial != nil {
		call.Kind = KindPartial
	}
	f.finished(f.ctx, call)
}

// countedTool is the name that a call is counted under.
func (f *failedCall) countedTool() string {
	if f.tool == nil {
		return unknownTool
	}
	return f.name
}
