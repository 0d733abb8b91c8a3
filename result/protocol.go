package result

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// fromCallError turns the error of a call that brought no result into an
// envelope, and reports whether the session is gone.
func fromCallError(err error) (e *toolerr.Error, lost bool) {
	var wire *jsonrpc.Error
	var ours *toolerr.Error
	var exchange *url.Error
	switch {
	case errors.As(err, &ours) && ours != nil: // of a round tripper, say
		e, lost = ours, errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrSessionMissing)
	case errors.Is(err, mcp.ErrConnectionClosed), errors.Is(err, io.EOF):
		// Also what a server's own -32003 and -32004 come out as, so that the call
		// may have arrived.
		e, lost = toolerr.Transient("The server's session ended before an answer came.").
			WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectUnknown), true
	case errors.Is(err, mcp.ErrSessionMissing):
		// Also what calls under way end with, once the SDK's standing stream finds
		// the session gone.
		e, lost = toolerr.Transient("The server no longer knows the session.").
			WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectUnknown), true
	case errors.Is(err, context.Canceled):
		e = toolerr.Transient("The call was cancelled.").
			WithCode(toolerr.CodeCanceled).WithRetryable(false).WithEffect(toolerr.EffectUnknown)
	case errors.Is(err, context.DeadlineExceeded):
		e = toolerr.Transient("The server did not answer in time.").
			WithCode(toolerr.CodeTimeout).WithEffect(toolerr.EffectUnknown)
	case strings.HasSuffix(safeText(err), endedText):
		e = toolerr.Transient("The server ended the request without an answer.").
			WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectUnknown)
	case errors.As(err, &wire) && wire.Code == codeRejected && errors.As(err, &exchange):
		e = toolerr.From(exchange) // the SDK's code says less than the network does
	case errors.As(err, &wire) && wire.Code == codeRejected && rejected(err) != nil:
		e = rejected(err)
	case errors.As(err, &wire):
		e = fromProtocolError(wire)
	default:
		e = toolerr.From(err)
	}
	return e.WithCause(err), lost
}

// endedText is how the SDK's HTTP transport words it that a stream ended before
// the answer. It has no type.
const endedText = "request terminated without response"

// codeRejected is the code of the SDK's own transport for a request that it got
// no answer to.
const codeRejected = -32005

// rejected reads the HTTP status that the SDK's transport was answered with,
// which it leaves at the end of its error's text, by its name.
func rejected(err error) *toolerr.Error {
	text := safeText(err)
	name := text[strings.LastIndex(text, ": ")+1:]
	for status := http.StatusBadRequest; status < 600; status++ {
		if phrase := http.StatusText(status); phrase != "" && strings.TrimSpace(name) == phrase {
			return judge("", status)
		}
	}
	return nil
}

// fromProtocolError reads an error of JSON-RPC. Its message is the peer's, and
// kept.
func fromProtocolError(wire *jsonrpc.Error) *toolerr.Error {
	if m, ok := decodeObject(string(wire.Data)); ok {
		if e, ok := failureIn(m, true); ok && e.Category != "" {
			if e.Message == "" {
				e.Message = wire.Message
			}
			return e
		}
	}
	message := "The server answered with a protocol error."
	if wire.Message != "" {
		message = "The server answered with a protocol error: " + wire.Message
	}
	switch wire.Code {
	case jsonrpc.CodeInvalidParams:
		e := toolerr.Validation(message).WithCode(toolerr.CodeInvalidArgument).WithEffect(toolerr.EffectNone)
		// The SDK's own text, and that of the protocol's example.
		if text := strings.ToLower(wire.Message); strings.HasPrefix(text, "unknown tool") {
			return e.WithCode(toolerr.CodeNotFound).WithHint("List the server's tools and call one of those.")
		}
		return e
	case jsonrpc.CodeMethodNotFound:
		return toolerr.Validation(message).WithCode(toolerr.CodeNotFound).WithEffect(toolerr.EffectNone)
	case jsonrpc.CodeParseError, jsonrpc.CodeInvalidRequest:
		return toolerr.Validation(message).WithCode(toolerr.CodeInvalidArgument).WithEffect(toolerr.EffectNone)
	}
	if wire.Code == jsonrpc.CodeInternalError {
		return internalError(message)
	}
	// A code of the server's own: its words may say more. The SDK's HTTP transport
	// has the status in those of -32005.
	if e := readText(wire.Message); e.Category != "" {
		e.Message = message
		return e
	}
	return internalError(message)
}

// internalError is what is known where a server says only that it failed.
// Servers answer so too when a handler throws, or its output is not valid.
func internalError(message string) *toolerr.Error {
	return toolerr.Transient(message).WithCode(toolerr.CodeInternal).WithRetryable(false).WithEffect(toolerr.EffectUnknown)
}
