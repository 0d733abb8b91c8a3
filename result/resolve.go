package result

import (
	"encoding/json"
	"log/slog"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// forTool returns e with the effect and the flag for the tool and the call, so that a host
// can act on isRetryable alone. Keyed means that the call has an idempotency key that the
// tool honors. Unsure means that the failure is not retryable only because the tool does not
// declare that a repeat is safe.
func forTool(e *toolerr.Error, tool *toolinfo.Tool, keyed bool) (r *toolerr.Error, unsure bool) {
	var hints toolerr.ToolHints
	if tool != nil && tool.Annotations != nil {
		hints.ReadOnly, hints.Idempotent = tool.Annotations.ReadOnlyHint, tool.Annotations.IdempotentHint
	}
	hints.Idempotent = hints.Idempotent || keyed
	r = e.Resolve(hints)
	unsure = !r.Retryable && r.Effect == toolerr.EffectUnknown && e.Resolve(toolerr.ToolHints{Idempotent: true}).Retryable
	return r, unsure
}

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

// Advice to the tool's author.
const (
	adviceAnnotation = "If a repeat is safe, annotate the tool with ReadOnlyHint or IdempotentHint; otherwise add it with idempotency.AddTool; " +
		"if the failed call changed nothing, return the error WithEffect(toolerr.EffectNone)."
	adviceKey = "A repeat with the same key runs the handler again: add the tool with idempotency.AddTool, unless the handler passes the key on to a service that does nothing twice."
)

// advise logs advice, once for each tool.
func (f *failedCall) advise(what, advice string) {
	if f.tool == nil {
		return
	}
	if _, isLogged := f.advised.LoadOrStore(f.tool.Name, true); isLogged {
		return
	}
	defer func() { _ = recover() }() // a panic in a logger must not replace the answer
	f.classifier.Log().LogAttrs(f.ctx, slog.LevelInfo, what, slog.String("gen_ai.tool.name", f.tool.Name), slog.String("advice", advice))
}
