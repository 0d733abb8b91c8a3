package foreign

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result/internal/refusal"
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// runningWords occur in rejections of a running request that a proxy sent twice.
var runningWords = []string{"duplicate", "in-flight", "in flight", "already in progress", "already running"}

// codeOverloaded is the code of a server that takes no more requests: nothing was done.
const codeOverloaded = -32023

// ProtocolError makes an envelope from a JSON-RPC error's data, or else its code and message.
func ProtocolError(wire *jsonrpc.Error) *toolerr.Error {
	e := protocolError(wire)
	data, _ := object(string(wire.Data))
	if after := answers.Read(data).After; after > 0 && e.RetryAfter == 0 {
		if e.Code == toolerr.CodeInternal && e.Effect == toolerr.EffectUnknown {
			e = unanswered(toolerr.CodeUnavailable, e.Message) // a wait is for a cause that ends
		}
		e = e.WithEffect(e.Effect) // a copy
		e.RetryAfter = after
	}
	return e
}

func protocolError(wire *jsonrpc.Error) *toolerr.Error {
	if wire.Code == mcp.CodeURLElicitationRequired {
		return elicitation(wire)
	}
	if e := denial(wire); e != nil {
		return e
	}
	if e := dataOf(wire); e != nil {
		return e
	}
	message := "The server answered with a protocol error: " + cmp.Or(wire.Message, "it has no text.")
	words := strings.ToLower(wire.Message)
	switch {
	case says(wire, runningWords):
		return unanswered(toolerr.CodeUnavailable, message).WithRetryable(false)
	case refusal.IsOutput(unframe(wire.Message)): // the TypeScript SDK uses the code for invalid params
		return unanswered(toolerr.CodeInternal, message).WithRetryable(false)
	}
	refused := toolerr.Validation(message).WithEffect(toolerr.EffectNone)
	switch wire.Code {
	case jsonrpc.CodeInvalidParams:
		// The specification's example begins with a capital letter, and has a colon.
		if strings.HasPrefix(words, strings.TrimSpace(sdktext.UnknownTool)) {
			data, _ := object(string(wire.Data))
			addMissing(refused, answers.Read(data))
			return refused.WithCode(toolerr.CodeNotFound).
				WithHint("List the server's tools and call one of those.")
		}
		code, field, _ := refusal.Read(unframe(wire.Message))
		return refused.WithCode(cmp.Or(code, toolerr.CodeInvalidArgument)).WithField(field)
	case codeOverloaded:
		return unanswered(toolerr.CodeUnavailable, message).WithEffect(toolerr.EffectNone)
	case mcp.CodeHeaderMismatch, mcp.CodeMissingRequiredClientCapabilities, mcp.CodeUnsupportedProtocolVersion:
		// No arguments can help a client that lacks what the server needs.
		return withLacking(unanswered(toolerr.CodeInternal, message).WithRetryable(false).WithEffect(toolerr.EffectNone), wire)
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

// withLacking adds the capabilities that the server requires of the client.
func withLacking(e *toolerr.Error, wire *jsonrpc.Error) *toolerr.Error {
	data, _ := object(string(wire.Data))
	required, _ := data["requiredCapabilities"].(map[string]any)
	var names []string
	for _, name := range slices.Sorted(maps.Keys(required)) {
		names = append(names, sanitize.Name(name))
	}
	if len(names) == 0 || wire.Code != mcp.CodeMissingRequiredClientCapabilities {
		return e
	}
	return e.WithDetails(map[string]any{"requiredCapabilities": required}).WithHint(fmt.Sprintf(
		"Tell the user that the program's client lacks %s, which this tool requires.", strings.Join(names, ", ")))
}

// dataOf returns the failure in the data of a protocol error, or nil.
func dataOf(wire *jsonrpc.Error) *toolerr.Error {
	r, text := reader{prose: true}, string(wire.Data)
	e, _ := r.envelope(text)
	if m, ok := object(text); ok && e == nil {
		e = r.report(m)
		readOutput(e)
		e.Message = cmp.Or(e.Message, wire.Message)
	}
	if e == nil || e.Category == "" {
		return nil
	}
	return e
}

// Answers reports whether a protocol error in the body of an endpoint's refusal nevertheless answers
// the request: since 2026-07-28 servers send some codes with 400 or 404, and some errors are about a
// tool that runs or has run.
func Answers(wire *jsonrpc.Error) bool {
	switch wire.Code {
	case jsonrpc.CodeInvalidParams, jsonrpc.CodeMethodNotFound, mcp.CodeURLElicitationRequired, mcp.CodeHeaderMismatch,
		mcp.CodeMissingRequiredClientCapabilities, mcp.CodeUnsupportedProtocolVersion, codeOverloaded:
		return true
	}
	return says(wire, runningWords) || refusal.IsOutput(unframe(wire.Message))
}

// says reports whether the message of a protocol error has one of the phrases.
func says(wire *jsonrpc.Error, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(phrase string) bool { return strings.Contains(strings.ToLower(wire.Message), phrase) })
}

// refusedWith returns the failure for a protocol error that came with an HTTP status, or 0, and the
// status if the error does not say more. The response may be the one to an attempt to resume the
// call's stream.
func refusedWith(wire *jsonrpc.Error, status int) (*toolerr.Error, int) {
	e := ProtocolError(wire)
	switch {
	case status == 0 || says(wire, runningWords) || refusal.IsOutput(unframe(wire.Message)):
		return e, 0
	case Answers(wire) || dataOf(wire) != nil:
		return e, status
	}
	return byStatus(status).WithMessage(e.Message).WithEffect(toolerr.EffectUnknown), status
}
