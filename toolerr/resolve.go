package toolerr

import "github.com/mcp-toolerr/toolerr-go/internal/repeat"

// ToolHints describe the tool whose call failed, like the annotations of MCP. The zero
// value states nothing. Only use annotations of servers that you trust.
type ToolHints struct {
	// ReadOnly means that a call changes nothing.
	ReadOnly bool
	// Idempotent means that a repeat of the identical call does nothing twice: the tool is
	// annotated as idempotent, or the call carried an idempotency key that the tool takes.
	Idempotent bool
}

// Resolve returns e with the effect and the flag to send for a tool with these hints. The
// middleware of package result calls it; other servers call it themselves.
//
//   - A read-only tool has effect none.
//   - A tool that may change something has an unknown effect, unless the failure is a
//     refusal or its author has stated the effect.
//   - A failure is retryable only if a repeat is safe, so that a host can act on the flag
//     alone.
func (e *Error) Resolve(tool ToolHints) *Error {
	return e.with(func(c *Error) {
		effect, retryable := repeat.Resolve(repeat.Facts{
			Category: string(c.Category), Effect: string(c.Effect), Retryable: c.Retryable,
			Partial: c.Partial != nil, Processed: c.Partial != nil && c.Partial.Processed > 0,
			ReadOnly: tool.ReadOnly, Idempotent: tool.Idempotent,
		})
		c.Effect, c.Retryable = Effect(effect), retryable
	})
}
