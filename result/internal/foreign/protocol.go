package foreign

import (
	"cmp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/result/internal/refusal"
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

var (
	// runningWords occur in rejections of a running request that a proxy sent twice.
	runningWords = []string{"duplicate", "in-flight", "in flight", "already in progress", "already running"}
	// outputWords occur in errors about the output of a tool that ran. For these, the TypeScript
	// SDK uses the code for invalid params.
	outputWords = []string{"output validation", "output schema", "structured content", "tool output", strings.TrimSuffix(sdktext.EncodingOutput, ": ")}
)

// ProtocolError makes an envelope from a JSON-RPC error's data, or else its code and message.
func ProtocolError(wire *jsonrpc.Error) *toolerr.Error {
	if wire.Code == mcp.CodeURLElicitationRequired {
		return elicitation(wire)
	}
	if e := dataOf(wire); e != nil {
		return e
	}
	message := "The server answered with a protocol error: " + cmp.Or(wire.Message, "it has no text.")
	words := strings.ToLower(wire.Message)
	says := func(phrase string) bool { return strings.Contains(words, phrase) }
	switch {
	case slices.ContainsFunc(runningWords, says):
		return unanswered(toolerr.CodeUnavailable, message).WithRetryable(false)
	case slices.ContainsFunc(outputWords, says):
		return unanswered(toolerr.CodeInternal, message).WithRetryable(false)
	}
	refused := toolerr.Validation(message).WithEffect(toolerr.EffectNone)
	switch wire.Code {
	case jsonrpc.CodeInvalidParams:
		// The specification's example begins with a capital letter, and has a colon.
		if strings.HasPrefix(words, strings.TrimSpace(sdktext.UnknownTool)) {
			data, _ := object(string(wire.Data))
			return refused.WithCode(toolerr.CodeNotFound).WithSuggestions(layers{data}.suggestions()...).
				WithHint("List the server's tools and call one of those.")
		}
		code, field, _ := refusal.Read(unframe(wire.Message))
		return refused.WithCode(cmp.Or(code, toolerr.CodeInvalidArgument)).WithField(field)
	case mcp.CodeHeaderMismatch, mcp.CodeMissingRequiredClientCapabilities, mcp.CodeUnsupportedProtocolVersion:
		// No arguments can help a client that lacks what the server needs.
		return unanswered(toolerr.CodeInternal, message).WithRetryable(false).WithEffect(toolerr.EffectNone)
	case jsonrpc.CodeMethodNotFound:
		return refused.WithCode(toolerr.CodeNotFound)
	case jsonrpc.CodeParseError, jsonrpc.CodeInvalidRequest:
		return refused.WithCode(toolerr.CodeInvalidArgument)
	case jsonrpc.CodeInternalError: // also if a handler panics, or its output is invalid
	default:
		if byStatus := classify.Code("", int(wire.Code)); byStatus.Category == string(toolerr.CategoryPermission) {
			return newError(byStatus, message) // gateways use the statuses of HTTP
		}
		// The code is the server's own, and its text may be more specific. The SDK's HTTP
		// transport puts the status into the text of -32005.
		if words := (reader{prose: true}).text(wire.Message); words.Known() {
			return newError(words.Classification, message)
		}
	}
	return unanswered(toolerr.CodeInternal, message).WithRetryable(false)
}

// dataOf returns the failure in the data of a protocol error, or nil.
func dataOf(wire *jsonrpc.Error) *toolerr.Error {
	r, text := reader{prose: true}, string(wire.Data)
	e := r.envelope(text)
	if m, ok := object(text); ok && e == nil {
		e = r.report(m)
		e.Message = cmp.Or(e.Message, wire.Message)
	}
	if e == nil || e.Category == "" {
		return nil
	}
	return e
}
