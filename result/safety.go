package result

import (
	"encoding/json"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/repeat"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// resolve has the last word on what e says about effect and retry, since it knows the
// tool and the call: a host that reads isRetryable alone must neither repeat in vain
// nor do the work twice. E is the caller's own copy. Keyed says that the call carried an
// idempotency key that the tool honours. It reports whether the failure is not
// retryable only because nobody knows whether a repeat is safe.
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

// hasKey reports whether a call carries an idempotency key in the argument that its
// tool has for it.
func hasKey(tool *toolinfo.Tool, arguments json.RawMessage) bool {
	name := tool.KeyArgument()
	if name == "" {
		return false
	}
	var members map[string]json.RawMessage
	var key string
	return json.Unmarshal(arguments, &members) == nil && json.Unmarshal(members[name], &key) == nil && key != ""
}

// adviseAnnotation says once for each tool what would make its failures retryable.
func (f *failedCall) adviseAnnotation() {
	if f.tool == nil {
		return
	}
	if _, said := f.advised.LoadOrStore(f.tool.Name, true); said {
		return
	}
	defer func() { _ = recover() }() // a logger, which must not cost the answer
	f.classifier.Log().LogAttrs(f.ctx, slog.LevelInfo, "a failure was not retryable because nothing says that a repeat of the tool is safe",
		slog.String("gen_ai.tool.name", f.tool.Name),
		slog.String("advice", "If a repeat does nothing twice, annotate the tool with ReadOnlyHint or IdempotentHint, or let it take an idempotency key; "+
			"if nothing was done, return the failure WithEffect(toolerr.EffectNone)."))
}
