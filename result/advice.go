package result

import (
	"bytes"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The advice to authors that the log gives, once for each tool.
const (
	adviceCredential = "a tool's message seems to hold a credential, and was sent with it: send a sentence of your own, " +
		"as toolerr.Wrap does, or let Reveal select less"
	adviceText = "nothing classifies a tool's failure, so that its text is all that agents get: return an error made " +
		"with toolerr.Business, Validation, Permission or Transient, or set the error of the result with " +
		"SetError, which a rule in MiddlewareOptions.Rules may classify"
	adviceError = "a tool's error is unclassified: return one made with toolerr.Business, Validation, Permission or " +
		"Transient, or classify it with a rule in MiddlewareOptions.Rules; if it contains such an error, " +
		"wrap that with %w or toolerr.Wrap; if finding nothing is no failure, return result.Empty; rows " +
		"beside an error are not sent, unless it is returned WithPartial"
	adviceOutput = "a tool's output cannot be encoded, or does not fit its output schema: if the tool is not " +
		"added with result.AddTool, do that, and return failures as errors"
	adviceReadOnly = "a tool with ReadOnlyHint failed with effect applied, which is sent as none, so that clients may " +
		"repeat the call: remove the hint"
	adviceAnnotation = "a failure is not retryable, because its tool does not declare that a repeat is safe: if it is, " +
		"annotate the tool with ReadOnlyHint or IdempotentHint; otherwise add it with idempotency.AddTool; if the " +
		"failed call changed nothing, return the error WithEffect(toolerr.EffectNone)"
	adviceKey = "a tool got an idempotency key and does not keep its calls, so that a repeat does the work " +
		"again: add the tool with idempotency.AddTool, and with UpstreamDedupes if the handler passes " +
		"the key on to a service that never acts twice on it"
	adviceTypedNil = "a tool returned a nil *toolerr.Error as an error, which is not equal to nil: return " +
		"toolerr.Wrap, or declare the variable as error"
	adviceUnflagged = "a tool reports a failure in a result without IsError: return result.Failure(err), or the error; " +
		"if it is data, set io.github.mcp-toolerr/kind in its _meta to data"
	adviceAlone = "a failed tool call without result.Middleware: call " +
		"server.AddReceivingMiddleware(result.Middleware(nil))"
	adviceClient = "result.Middleware on a client does nothing: add it to the server, and retry.Middleware to the " +
		"client"
	adviceSending = "result.Middleware as sending middleware does nothing: call " +
		"server.AddReceivingMiddleware(result.Middleware(nil))"
	adviceInside = "result.Middleware inside another one does nothing: remove it, and give its options to the outer " +
		"one"
)

// advise logs what an author should change about a failure that was sent as e, whatever the level of its record.
func (f *failedCall) advise(e *toolerr.Error, found failure.Findings) {
	defer func() { _ = recover() }() // a panic in a logger must not replace the answer
	tool, cause, stated := f.knownTool(), found.Cause, found.Failure
	if e.Effect != toolerr.EffectNone { // else the arguments may have been refused
		f.adviseKey(tool)
	}
	_, isPanic := cause.(*failure.PanicError) //nolint:errorlint // only the outermost error
	_, isFault := cause.(failure.FaultError)  //nolint:errorlint // the library's own, which says what is wrong
	claim := failure.CallOf(f.ctx).Claim.State
	isUnclassified := e.Code == toolerr.CodeInternal && toolerr.CodeOf(cause) == "" && !isPanic && !isFault &&
		!isTypedNil(cause) && !f.isOutput && (claim == "" || claim == "claimed")
	isOutput := sdktext.IsOwnOutput(failure.Text(cause))
	for _, row := range []struct {
		applies bool
		advice  string
	}{
		{isTypedNil(cause), adviceTypedNil}, // from a typed handler, whose output the SDK has dropped
		{isUnclassified && isOutput, adviceOutput},
		{isUnclassified && !isOutput, adviceError},
		{e.Category == "" && found.Said != nil && f.tool != nil, adviceText},
		{
			f.tool != nil && stated.Effect == toolerr.EffectApplied && stated.Partial == nil && e.Effect == toolerr.EffectNone,
			adviceReadOnly,
		},
		{
			f.tool != nil && !e.Retryable && e.Effect == toolerr.EffectUnknown && f.tool.KeyArgument() == "" &&
				e.Resolve(toolerr.ToolAnnotations{Idempotent: true}).Retryable,
			adviceAnnotation,
		},
	} {
		if row.applies {
			f.classifier.Warn(f.ctx, tool, row.advice)
		}
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
