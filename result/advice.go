package result

import (
	"bytes"
	"fmt"
	"log/slog"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The advice to authors that the log gives, once for each tool.
const (
	adviceCredential = "The message seems to hold a credential, and was sent with it: send a sentence of your own, as " +
		"toolerr.Wrap does, or let Reveal select less."
	adviceText = "Nothing classifies this failure, so that its text is all that agents get; return an error made " +
		"with toolerr.Business, Validation, Permission or Transient, or set the error of the result with " +
		"SetError, which a rule in MiddlewareOptions.Rules may classify."
	adviceError = "This error is unclassified; return one made with toolerr.Business, Validation, Permission or " +
		"Transient, or classify it with a rule in MiddlewareOptions.Rules. If it contains such an error, " +
		"wrap that with %w or toolerr.Wrap; if finding nothing is no failure, return result.Empty; rows " +
		"beside an error are not sent, unless it is returned WithPartial."
	adviceOutput = "The output cannot be encoded, or does not fit the tool's output schema; if the tool is not " +
		"added with result.AddTool, do that, and return failures as errors."
	adviceReadOnly   = "It is sent with effect none, so that clients may repeat the call: remove the hint."
	adviceAnnotation = "If a repeat is safe, annotate the tool with ReadOnlyHint or IdempotentHint; otherwise add it " +
		"with idempotency.AddTool; if the failed call changed nothing, return the error " +
		"WithEffect(toolerr.EffectNone)."
	adviceKey = "a tool got an idempotency key and does not keep its calls, so that a repeat does the work " +
		"again: add the tool with idempotency.AddTool, and with UpstreamDedupes if the handler passes " +
		"the key on to a service that never acts twice on it"
	adviceTypedNil = "a tool returned a nil *toolerr.Error as an error, which is not equal to nil: return " +
		"toolerr.Wrap, or declare the variable as error"
	adviceLost = "a tool returned an answer beside a retryable error, which is not sent: if part of the work was " +
		"done, return the error WithPartial, or a retry repeats it; otherwise return no answer"
	adviceUnflagged = "a tool reports a failure in a result without IsError: return result.Failure(err), or the error; " +
		"if it is data, set io.github.mcp-toolerr/kind in its _meta to data"
	adviceContinue = "the ContinueFrom of a partial result is not sent, because it is a %T: use a string of one line, " +
		"or an integer"
	adviceResults = "the Results of a partial result are not sent, because they are no JSON that every client can " +
		"read: use json.Marshal"
	adviceAlone = "a failed tool call without result.Middleware: call " +
		"server.AddReceivingMiddleware(result.Middleware(nil))"
	adviceClient = "result.Middleware on a client does nothing: add it to the server, and retry.Middleware to the " +
		"client"
	adviceSending = "result.Middleware as sending middleware does nothing: call " +
		"server.AddReceivingMiddleware(result.Middleware(nil))"
	adviceInside = "result.Middleware inside another one does nothing: remove it, and give its options to the outer " +
		"one"
)

// recordAdvice returns the advice for a failure's record, or "".
func (f *failedCall) recordAdvice(e *toolerr.Error, found failure.Findings) string {
	if redact.Mask(e.Message) != e.Message && f.rules.IsNew(f.countedTool(), "credential") {
		return adviceCredential
	}
	cause, kind, text := found.Cause, "", ""
	switch cause.(type) { //nolint:errorlint // only the outermost error
	case *failure.PanicError, failure.FaultError: // the latter is the library's own, and says what is wrong
	case *toolerr.Error:
		if isTypedNil(cause) { // from a typed handler, whose output the SDK has dropped
			kind, text = adviceTypedNil, adviceTypedNil
		}
	default:
		claim := failure.CallOf(f.ctx).Claim.State
		if isRun := claim == "" || claim == "claimed"; cause != nil && isRun && !f.isOutput && toolerr.CodeOf(cause) == "" {
			kind, text = f.rules.TextOf(cause), adviceError
		}
		if text != "" && sdktext.IsOwnOutput(kind) {
			text = adviceOutput
		}
	}
	if e.Code != toolerr.CodeInternal {
		text = ""
	}
	if cause != nil && e.Category == "" && found.Said != nil && f.tool != nil {
		kind, text = "", adviceText
	}
	if text == "" || !f.rules.IsNew(f.countedTool(), kind) {
		return ""
	}
	return text
}

// advise logs what an author should change whatever the level of the failure's record. Stated is the
// failure before it is resolved for the tool.
func (f *failedCall) advise(e, stated *toolerr.Error) {
	defer func() { _ = recover() }()    // a panic in a logger must not replace the answer
	if e.Effect != toolerr.EffectNone { // else the arguments may have been refused
		f.adviseKey(f.countedTool())
	}
	sent := new(toolerr.Error)
	if p := e.Partial; p != nil && sent.UnmarshalJSON(e.AppendJSON(nil)) == nil {
		if p.ContinueFrom != nil && p.ContinueFrom != "" && sent.Partial.ContinueFrom == nil {
			f.classifier.Warn(f.ctx, f.countedTool(), fmt.Sprintf(adviceContinue, p.ContinueFrom))
		}
		if len(p.Results) > 0 && string(p.Results) != "null" && sent.Partial.Results == nil {
			f.classifier.Warn(f.ctx, f.countedTool(), adviceResults)
		}
	}
	if f.tool == nil {
		return
	}
	what, advice := "", ""
	isChanged := stated.Effect == toolerr.EffectApplied && stated.Partial == nil && e.Effect == toolerr.EffectNone
	isUndeclared := !e.Retryable && e.Effect == toolerr.EffectUnknown && f.tool.KeyArgument() == "" &&
		e.Resolve(toolerr.ToolAnnotations{Idempotent: true}).Retryable
	if isChanged {
		what, advice = "a tool with ReadOnlyHint failed with effect applied", adviceReadOnly
	} else if isUndeclared {
		what, advice = "failure not retryable: the tool does not declare that a repeat is safe", adviceAnnotation
	}
	if what != "" && f.classifier.IsNew(f.tool.Name, "safety") {
		f.classifier.Log().LogAttrs(f.ctx, slog.LevelInfo, what,
			slog.String("gen_ai.tool.name", f.tool.Name), slog.String("advice", advice))
	}
}

// adviseKey logs that package idempotency does not handle the key of a call.
func (c *call) adviseKey(tool string) {
	if failure.CallOf(c.ctx).Claim.ID != "" || !bytes.Contains(c.arguments, []byte("dempotency")) {
		return
	}
	for name := range c.texts() {
		if toolinfo.IsKeyArgument(name) {
			c.classifier.Warn(c.ctx, tool, adviceKey)
		}
	}
}
