package toolerr

import (
	"cmp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/effect"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// ToolAnnotations describe a tool like MCP's. Trust only your servers'.
type ToolAnnotations struct {
	ReadOnly   bool // a call changes nothing
	Idempotent bool // a repeat has no second effect, by annotation or because the call carried a key that the tool takes
}

// Resolve returns a copy of e with the Effect and Retryable to send for a tool with these annotations.
//
//   - A read-only tool has effect none. One that is not known to be safe to repeat has effect unknown,
//     unless the failure states an effect, or is a refusal, partial, or unclassified and permanent.
//   - A partial result with processed items has effect applied, unless the tool is read-only. An
//     unknown effect is then that of the next item: it stays, unless the tool is idempotent.
//   - A temporary failure is retryable only if a repeat is safe and nothing was applied. For a safe tool,
//     this includes one with an unknown effect, such as a timeout.
func (e *Error) Resolve(tool ToolAnnotations) *Error {
	if e == nil {
		return nil
	}
	c := *e // Resolve changes no list and no map
	c.parent = e
	if c.Partial.IsEmpty() { // the failure is then handled, and retried, like one without it
		c.Partial = nil
	}
	c.decide(c.facts(), &effect.Tool{ReadOnly: tool.ReadOnly, Idempotent: tool.Idempotent})
	if c.retryable() {
		c.Category = cmp.Or(c.Category, CategoryTransient) // else readers take the flag for a stranger's
	}
	return &c
}

// decide sets the effect and the flag. The tool is nil if it is not known.
func (e *Error) decide(f effect.Facts, tool *effect.Tool) {
	decided, retryable := effect.Resolve(f, tool)
	e.Effect, e.Retryable, e.temporary = Effect(decided), retryable, f.Temporary && !retryable
	e.yieldHint()
}

// yieldHint drops a constructor's hint to call again, if that may do work twice.
func (e *Error) yieldHint() {
	if e.origin.hint && (e.Partial != nil || e.Effect != "" && e.Effect != EffectNone) {
		e.Hint, e.origin.hint = "", false
	}
}

// IsEmpty reports whether there are no processed items and no results.
func (p *Partial) IsEmpty() bool {
	if p == nil || p.Processed > 0 || len(p.Results) == 0 {
		return p == nil || p.Processed <= 0
	}
	v, ok := jsonvalue.Decode(p.Results)
	return ok && jsonvalue.IsVoid(v, func(string) bool { return false })
}

// retryable returns the flag that is sent.
func (e *Error) retryable() bool {
	return e.Retryable && e.Partial == nil && len(e.Attempted) == 0
}

func (e *Error) facts() effect.Facts {
	return effect.Facts{
		Category: string(e.Category), Effect: string(e.Effect), Temporary: e.Retryable || e.temporary,
		Partial: e.Partial != nil, Processed: e.Partial != nil && e.Partial.Processed > 0,
		Attempted: e.retried || len(e.Attempted) > 0,
	}
}

// retried returns the first failure in err's tree that was retried already, or nil.
func retried(err error) *Error {
	e, _ := classify.Find(err, func(err error) (*Error, bool) {
		e, ok := classify.As[Error](err)
		return e, ok && (e.retried || len(e.Attempted) > 0)
	})
	return e
}
