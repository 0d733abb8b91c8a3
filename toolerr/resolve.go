package toolerr

import "github.com/mcp-toolerr/toolerr-go/internal/repeat"

// ToolHints are what is known of a tool whose call has failed, as the annotations of MCP
// say it. Of the zero value nothing is known. Believe those of your own server.
type ToolHints struct {
	// ReadOnly says that a call changes nothing.
	ReadOnly bool
	// Idempotent says that a repeat of the identical call does nothing twice: the tool is
	// annotated so, or takes an idempotency key, and the call carried one.
	Idempotent bool
}

// Resolve returns e as it should be sent for a failed call of such a tool, for servers that
// do not use package result, whose middleware does it: a read-only tool has had no effect;
// of a tool that may change something the effect is unknown, unless the failure is a
// refusal or its author has stated the effect; and a failure is retryable only if a repeat
// is safe. So who reads the flag alone neither repeats in vain nor does anything twice.
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
