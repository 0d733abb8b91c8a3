package result

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// constructors names the constructors that the advice recommends.
	constructors = "toolerr.Business, Validation, Permission or Transient"

	adviceAnnotation = "If a repeat is safe, annotate the tool with ReadOnlyHint or IdempotentHint; otherwise add it with idempotency.AddTool; " +
		"if the failed call changed nothing, return the error WithEffect(toolerr.EffectNone)."
	unflaggedAdvice = "a tool reports a failure in a result without IsError: return result.Failure(err), or the error; if it is data, set io.github.mcp-toolerr/kind in its _meta to data"
	rawAdvice       = "a raw tool was called with arguments that its input schema forbids, which Server.AddTool does not check: set MiddlewareOptions.ValidateArguments, or use result.AddTool"
	adviceKey       = "a tool got an idempotency key and does not keep its calls, so that a repeat does the work again: add the tool with idempotency.AddTool, " +
		"and with UpstreamDedupes if the handler passes the key on to a service that never acts twice on it"
)

// advice returns advice for the log on what the tool's author should change, or "". It returns
// advice at most once for each tool and kind of error.
func (f *failedCall) advice(tool string, e *toolerr.Error, found failure.Findings) string {
	if redact.Mask(e.Message) != e.Message && f.rules.IsNew(tool, "credential") {
		return "The message seems to hold a credential, and was sent with it: send a sentence of your own, as toolerr.Wrap does, or let Reveal select less."
	}
	cause := found.Cause
	if cause == nil {
		return ""
	}
	if e.Category == "" && found.Said != nil {
		if f.tool == nil || !f.rules.IsNew(tool, "") {
			return ""
		}
		return "Nothing classifies this failure, so that its text is all that agents get; return an error made with " + constructors +
			", or set the error of the result with SetError, which a rule in MiddlewareOptions.Rules may classify."
	}
	if e.Code != toolerr.CodeInternal {
		return ""
	}
	if isTypedNil(cause) && f.rules.IsNew(tool, typedNilAdvice) { // from a typed handler, whose output the SDK has dropped
		return typedNilAdvice
	}
	switch cause.(type) { //nolint:errorlint // only the outermost error
	case *failure.PanicError, *toolerr.Error, failure.FaultError: // the last is the library's own, and says what is wrong
		return ""
	}
	text, claim := f.rules.TextOf(cause), failure.ClaimOf(f.ctx).State
	switch {
	case toolerr.CodeOf(cause) != "" || f.output || claim != "" && claim != "claimed":
		return "" // the error is classified, the cause says what is wrong, or the handler did not run
	case !f.rules.IsNew(tool, text):
		return ""
	case sdktext.IsOwnOutput(text):
		return "The output cannot be encoded, or does not fit the tool's output schema; if the tool is not added with result.AddTool, do that, and return failures as errors."
	}
	return "This error is unclassified; return one made with " + constructors + ", or classify it with a rule in MiddlewareOptions.Rules. " +
		"If it contains such an error, wrap that with %w or toolerr.Wrap; if finding nothing is no failure, return result.Empty; rows beside an error are not sent, unless it is returned WithPartial."
}

// warnOfLoss logs which parts of a failure cannot be sent as the author meant them.
func (f *failedCall) warnOfLoss(e *toolerr.Error) {
	warn := func(format string, args ...any) {
		f.classifier.Warn(f.ctx, f.countedTool(), fmt.Sprintf(format, args...))
	}
	if d := e.RetryAfter; 0 < d && d < time.Microsecond {
		warn("a failure's RetryAfter of %v has no unit: write %d*time.Second", d, d)
	}
	sent, p := new(toolerr.Error), e.Partial
	if p == nil || sent.UnmarshalJSON(e.AppendJSON(nil)) != nil {
		return
	}
	if p.ContinueFrom != nil && p.ContinueFrom != "" && sent.Partial.ContinueFrom == nil {
		warn("the ContinueFrom of a partial result is not sent, because it is a %T: use a string of one line, or an integer", p.ContinueFrom)
	}
	if len(p.Results) > 0 && string(p.Results) != "null" && sent.Partial.Results == nil {
		warn("the Results of a partial result are not sent, because they are no JSON that every client can read: use json.Marshal")
	}
}

// adviseSafety logs, once for each tool, that a temporary failure is not retryable for lack of an
// annotation, or that the tool changed something despite being read-only. Stated is the failure
// before the merge.
func (f *failedCall) adviseSafety(e, stated *toolerr.Error) {
	var what, advice string
	switch {
	case f.tool == nil:
		return
	case e.Effect == toolerr.EffectNone && stated.Effect == toolerr.EffectApplied && stated.Partial == nil:
		what, advice = "a tool with ReadOnlyHint failed with effect applied", "It is sent with effect none, so that clients may repeat the call: remove the hint."
	case !e.Retryable && e.Effect == toolerr.EffectUnknown && f.tool.KeyArgument() == "" && e.Resolve(toolerr.ToolAnnotations{Idempotent: true}).Retryable:
		what, advice = "failure not retryable: the tool does not declare that a repeat is safe", adviceAnnotation
	default:
		return
	}
	if !f.classifier.IsNew(f.tool.Name, "safety") {
		return
	}
	defer func() { _ = recover() }() // a panic in a logger must not replace the answer
	f.classifier.Log().LogAttrs(f.ctx, slog.LevelInfo, what, slog.String("gen_ai.tool.name", f.tool.Name), slog.String("advice", advice))
}

// adviseKey logs, once for each tool, that package idempotency does not handle the key of a call.
func adviseKey(ctx context.Context, c *failure.Classifier, tool string, arguments json.RawMessage) {
	if failure.ClaimOf(ctx).ID != "" || !bytes.Contains(arguments, []byte("dempotency")) {
		return
	}
	var members map[string]any
	_ = json.Unmarshal(arguments, &members) // what are no members has no key
	for name, key := range members {
		if text, ok := key.(string); ok && text != "" && toolinfo.IsKeyArgument(name) {
			c.Warn(ctx, tool, adviceKey)
		}
	}
}
