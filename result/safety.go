package result

import (
	"encoding/json"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/repeat"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// resolve sets the final effect and retryability of e from the tool and the call, so that a
// host can act on isRetryable alone. Keyed means that the call has an idempotency key that
// the tool honors. It reports whether the failure is not retryable only because the tool does
// not declare that a repeat is safe. It changes e.
func resolve(e *toolerr.Error, tool *toolinfo.Tool, keyed bool) (unsure bool) {
	var hints mcp.ToolAnnotations
	if tool != nil && tool.Annotations != nil {
		hints = *tool.Annotations
	}
	effect, retryable := repeat.Resolve(repeat.Facts{
		Category: string(e.Category), Effect: string(e.Effect), Retryable: e.Retryable,
		Partial: e.Partial != nil, Processed: e.Partial != nil && e.Partial.Processed > 0,
		ReadOnly: hints.ReadOnlyHint, Idempotent: hints.IdempotentHint || keyed,
	})
	unsure = e.Retryable && !retryable && effect != string(toolerr.EffectApplied) && e.Partial == nil && len(e.Attempted) == 0
	e.Effect, e.Retryable = toolerr.Effect(effect), retryable
	return unsure
}

func isRejection(c toolerr.Category) bool { return repeat.IsRefusal(string(c)) }

// hasKey reports whether a call has an idempotency key in the tool's argument for it.
func hasKey(tool *toolinfo.Tool, arguments json.RawMessage) bool {
	name := tool.KeyArgument()
	if name == "" {
		return false
	}
	var members map[string]json.RawMessage
	var key string
	return json.Unmarshal(arguments, &members) == nil && json.Unmarshal(members[name], &key) == nil && key != ""
}

// adviseAnnotation logs, once for each tool, how to make its failures retryable.
func (f *failedCall) adviseAnnotation() {
	if f.tool == nil {
		return
	}
	if _, isLogged := f.advised.LoadOrStore(f.tool.Name, true); isLogged {
		return
	}
	defer func() { _ = recover() }() // a panic in a logger must not replace the answer
	f.classifier.Log().LogAttrs(f.ctx, slog.LevelInfo, "failure not retryable: the tool does not declare that a repeat is safe",
		slog.String("gen_ai.tool.name", f.tool.Name),
		slog.String("advice", "If a repeat is safe, annotate the tool with ReadOnlyHint or IdempotentHint, or add an idempotency key argument; "+
			"if the failed call changed nothing, return the error WithEffect(toolerr.EffectNone)."))
}
