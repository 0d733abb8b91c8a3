package foreign

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// codeOverloaded is the code of a server that takes no more requests: nothing was done.
const codeOverloaded = -32023

// codeNotFound is MCP's code for a missing resource until 2026-07-28. A text that says more decides:
// the Language Server Protocol has the code for a server that is not initialized.
const codeNotFound = -32002

var (
	invalid = toolerr.Validation("").WithCode(toolerr.CodeInvalidArgument)
	missing = invalid.WithCode(toolerr.CodeNotFound)
	unfit   = internal("").WithEffect(toolerr.EffectNone) // the client: no arguments help
)

// byCode has the failures for codes of JSON-RPC and MCP. A call that they refuse was not carried out.
var byCode = map[int64]*toolerr.Error{
	jsonrpc.CodeInvalidParams: invalid, jsonrpc.CodeParseError: invalid, jsonrpc.CodeInvalidRequest: invalid,
	jsonrpc.CodeMethodNotFound: missing, codeNotFound: missing, mcp.CodeHeaderMismatch: unfit,
	mcp.CodeUnsupportedProtocolVersion: unfit, mcp.CodeMissingRequiredClientCapabilities: unfit,
	jsonrpc.CodeInternalError: internal(""), // also if a handler panics, or its output is invalid
	codeOverloaded:            unanswered(toolerr.CodeUnavailable, "").WithEffect(toolerr.EffectNone),
}

// ProtocolError makes an envelope from a JSON-RPC error's data, or else its code and message.
func ProtocolError(wire *jsonrpc.Error) *toolerr.Error {
	data, _ := Object(string(wire.Data))
	c := answers.Read(data)
	e := protocolError(wire, data, c)
	if c.After > 0 && e.RetryAfter == 0 {
		if e.Code == toolerr.CodeInternal && e.Effect == toolerr.EffectUnknown {
			e = unanswered(toolerr.CodeUnavailable, e.Message) // a wait is for a cause that ends
		}
		e = e.WithEffect(e.Effect) // a copy
		e.RetryAfter = c.After
	}
	return e
}

func protocolError(wire *jsonrpc.Error, data map[string]any, c *answers.Claims) *toolerr.Error {
	said := dataOf(wire)
	message := "The server answered with a protocol error: " + cmp.Or(wire.Message, "it has no text.")
	switch {
	case wire.Code == mcp.CodeURLElicitationRequired:
		return elicitation(wire)
	case said != nil:
		return said
	case isRunning(wire):
		return unanswered(toolerr.CodeUnavailable, message).WithRetryable(false)
	case sdktext.IsOutput(wire.Message): // the TypeScript SDK uses the code for invalid params
		return internal(message)
	}
	known := byCode[wire.Code]
	if known == nil || wire.Code == codeNotFound {
		// The code is the server's own, or a gateway's: a status of HTTP. Its text may be more specific, and the
		// SDK's HTTP transport puts the status into the text of -32005.
		said := classify.Code("", int(wire.Code))
		if said.Category != string(toolerr.CategoryPermission) {
			words := reader{prose: true}.text(wire.Message).Classification
			if said = coded("", int(wire.Code)); words.Known() || !said.Retryable { // a gateway's 404 blames nobody
				said = words
			}
		}
		if said.Known() {
			return newError(said, message)
		}
	}
	e := cmp.Or(known, internal("")).WithMessage(message)
	switch wire.Code {
	case jsonrpc.CodeInvalidParams:
		// The specification's example begins with a capital letter, and has a colon.
		if strings.HasPrefix(strings.ToLower(wire.Message), strings.TrimSpace(sdktext.UnknownTool)) {
			addMissing(e, c)
			return e.WithCode(toolerr.CodeNotFound).WithHint("List the server's tools and call one of those.")
		}
		code, field, _ := sdktext.Refusal(sdktext.Unframe(wire.Message))
		return e.WithCode(cmp.Or(code, e.Code)).WithField(field)
	case mcp.CodeMissingRequiredClientCapabilities:
		if required, _ := data["requiredCapabilities"].(map[string]any); len(required) > 0 {
			return e.WithDetails(map[string]any{"requiredCapabilities": required}).
				WithHint("Tell the user that the program's client lacks details.requiredCapabilities, which this tool requires.")
		}
	}
	return e
}

// elicitation reads the error of a server that requires the user to open a URL before the server
// accepts the call (protocol version 2025-11-25).
func elicitation(wire *jsonrpc.Error) *toolerr.Error {
	const (
		maxURLs = 3   // three fit an envelope, which drops all details beyond its limit
		maxText = 256 // bytes of a URL's message, enough for a sentence or two
	)
	var data struct {
		Elicitations []map[string]string `json:"elicitations"`
	}
	_ = json.Unmarshal(wire.Data, &data) // without it there is no URL
	var shown []any
	for _, item := range data.Elicitations[:min(len(data.Elicitations), maxURLs)] {
		id, message := sanitize.Identifier(item["elicitationId"]), sanitize.Text(item["message"], maxText)
		entry := map[string]any{"url": cleanURL(item["url"]), "elicitationId": id, "message": message}
		maps.DeleteFunc(entry, func(_ string, v any) bool { return v == "" })
		if entry["url"] != nil {
			shown = append(shown, entry)
		}
	}
	message := "The server wants the user to open a URL before it takes the call."
	if wire.Message != "" {
		message = strings.TrimSuffix(message, ".") + ": " + wire.Message
	}
	e := toolerr.Permission(message).WithCode(toolerr.CodePermissionDenied)
	if len(shown) == 0 {
		return e.WithHint("Tell the user that the service wants to be set up first: it named no URL that can be shown.")
	}
	return e.WithDetails(map[string]any{"elicitations": shown}).
		WithHint("Show the user the URL in details.elicitations, and call again after the user has been there.")
}

// cleanURL returns a URL that can safely be shown to a person, or "". It must use HTTP or HTTPS and
// have a host; a user name, which could be mistaken for the host, is removed.
func cleanURL(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return ""
	}
	u.User = nil
	return sanitize.Identifier(u.String()) // not shortened
}

// dataOf returns the failure in the data of a protocol error, or nil.
func dataOf(wire *jsonrpc.Error) *toolerr.Error {
	r, text := reader{prose: true}, string(wire.Data)
	e, _ := r.envelope(text)
	if m, ok := Object(text); ok && e == nil {
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
	codes := []int64{
		jsonrpc.CodeInvalidParams, jsonrpc.CodeMethodNotFound, mcp.CodeURLElicitationRequired, codeOverloaded,
	}
	isAnswer := slices.Contains(codes, wire.Code) || byCode[wire.Code] == unfit
	return isAnswer || isRunning(wire) || sdktext.IsOutput(wire.Message)
}

// isRunning reports whether a protocol error rejects a running request that a proxy sent twice.
func isRunning(wire *jsonrpc.Error) bool {
	words := strings.ToLower(wire.Message)
	return slices.ContainsFunc([]string{"duplicate", "in-flight", "in flight", "already in progress", "already running"},
		func(phrase string) bool { return strings.Contains(words, phrase) })
}

// refusedWith returns the failure for a protocol error that came with an HTTP status, or 0, and the
// status, or 0 if the error is about a tool that runs or has run. The response may be the one to an
// attempt to resume the call's stream.
func refusedWith(wire *jsonrpc.Error, status int) (*toolerr.Error, int) {
	e := ProtocolError(wire)
	switch {
	case status == 0 || isRunning(wire) || sdktext.IsOutput(wire.Message):
		return e, 0
	case Answers(wire) || dataOf(wire) != nil:
		return e, status
	}
	return byStatus(status).WithMessage(e.Message).WithEffect(toolerr.EffectUnknown), status
}
