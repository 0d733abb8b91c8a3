package result

import (
	"encoding/json"
	"log/slog"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

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
	safe := hints.ReadOnlyHint || hints.IdempotentHint || keyed
	switch {
	case hints.ReadOnlyHint:
		e.Effect = toolerr.EffectNone
	case e.Partial != nil && e.Partial.Processed > 0 && e.Effect == toolerr.EffectNone:
		e.Effect = toolerr.EffectApplied // its author says that items were processed
	case e.Effect == "" && e.Partial == nil && !safe && e.Category != "" && !isRejection(e.Category):
		e.Effect = toolerr.EffectUnknown
	}
	if safe || e.Effect == toolerr.EffectNone || !e.Retryable {
		return false
	}
	e.Retryable = false
	return e.Effect != toolerr.EffectApplied && e.Partial == nil && len(e.Attempted) == 0
}

// isRejection reports whether failures of a category say that somebody has refused the
// call: what is then said of an effect is for their author alone.
func isRejection(c toolerr.Category) bool {
	return c == toolerr.CategoryValidation || c == toolerr.CategoryBusiness || c == toolerr.CategoryPermission
}

// hasKey reports whether a call carries an idempotency key in the argument that its
// tool has for it, whatever the spelling of its name.
func hasKey(tool *toolinfo.Tool, arguments json.RawMessage) bool {
	for name := range tool.Input().Properties() {
		if !isKeyName(name) {
			continue
		}
		var members map[string]json.RawMessage
		var key string
		return json.Unmarshal(arguments, &members) == nil && json.Unmarshal(members[name], &key) == nil && key != ""
	}
	return false
}

// isKeyName reports whether an argument is called idempotency_key, in any spelling.
func isKeyName(name string) bool {
	return strings.EqualFold(strings.NewReplacer("_", "", "-", "").Replace(name), "idempotencykey")
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
