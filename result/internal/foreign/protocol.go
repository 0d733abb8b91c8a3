package foreign

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// CallError returns the error of a call without a result as an envelope, and reports
// whether the session is lost.
func CallError(err error) (e *toolerr.Error, lost bool) {
	var wire *jsonrpc.Error
	var ours *toolerr.Error
	var exchange *url.Error
	// The first two may also be a server's own -32003 and -32004. The third ends all
	// running calls when the SDK's standalone stream finds that the session is lost. In all
	// three cases the request may have arrived.
	closed := errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.EOF) || isBroken(err)
	missing := errors.Is(err, mcp.ErrSessionMissing)
	switch {
	case errors.As(err, &ours) && ours != nil: // for example of a round tripper
		e = ours
	case isAboutInput(err):
		e, closed, missing = inputNotGiven(err), false, false
	case closed:
		e = unanswered(toolerr.CodeUnavailable, "The server's session ended before an answer came.")
	case missing:
		e = unanswered(toolerr.CodeUnavailable, "The server no longer knows the session.")
	case errors.Is(err, context.Canceled):
		e = unanswered(toolerr.CodeCanceled, "The call was cancelled.").WithRetryable(false)
	case errors.Is(err, context.DeadlineExceeded):
		e = unanswered(toolerr.CodeTimeout, "The server did not answer in time.")
	case strings.HasSuffix(errorText(err), endedText):
		e = unanswered(toolerr.CodeUnavailable, "The server ended the request without an answer.")
	case !errors.As(err, &wire):
		if e = readRejection(err); e == nil {
			return withoutAnswer(err), false
		}
		closed = true
	case isUnreadable(err, wire):
		e, closed = unreadable(), true
	case wire.Code == codeRejected && errors.As(err, &exchange):
		e = toolerr.From(exchange) // the network error is more specific than the SDK's code
	case wire.Code == codeRejected && statusByName(err) != nil:
		e = statusByName(err)
	default:
		e = ProtocolError(wire)
	}
	return e.WithCause(err), closed || missing
}

// isBroken reports whether a call ended because its connection ended: over pipes, a message
// that is truncated or cannot be read, or a pipe that the peer has closed. Over HTTP, each
// of these ends only one exchange.
func isBroken(err error) bool {
	var exchange *url.Error
	if errors.As(err, &exchange) {
		return false
	}
	var unreadable *json.SyntaxError
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, os.ErrClosed) ||
		errors.Is(err, classify.ErrBrokenPipe) || errors.As(err, &unreadable)
}

// unanswered returns the failure of a call that may have arrived.
func unanswered(code toolerr.Code, message string) *toolerr.Error {
	return toolerr.Transient(message).WithCode(code).WithEffect(toolerr.EffectUnknown)
}

const (
	// endedText is the SDK's text for a stream that ended before the response. The error
	// has no type.
	endedText = "request terminated without response"
	// codeRejected is the SDK's own code for an HTTP request without a response.
	codeRejected = -32005
)

// ProtocolError returns a JSON-RPC error as an envelope. The message includes the peer's.
func ProtocolError(wire *jsonrpc.Error) *toolerr.Error {
	if wire.Code == mcp.CodeURLElicitationRequired {
		return elicitation(wire)
	}
	if e := readEnvelope(string(wire.Data)); e != nil && e.Category != "" {
		return e
	}
	if m, ok := object(string(wire.Data)); ok {
		if e := readReport(m, true); e.Category != "" {
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
	refused := toolerr.Validation(message).WithEffect(toolerr.EffectNone)
	switch words := strings.ToLower(wire.Message); {
	case isRunning(words):
		return unanswered(toolerr.CodeUnavailable, message).WithRetryable(false)
	case isAboutOutput(words):
		return unanswered(toolerr.CodeInternal, message).WithRetryable(false)
	}
	switch wire.Code {
	case jsonrpc.CodeInvalidParams:
		// This is the SDK's text, and that of the specification's example.
		if strings.HasPrefix(strings.ToLower(wire.Message), "unknown tool") {
			return refused.WithCode(toolerr.CodeNotFound).WithHint("List the server's tools and call one of those.")
		}
		return refused.WithCode(toolerr.CodeInvalidArgument)
	case jsonrpc.CodeMethodNotFound:
		return refused.WithCode(toolerr.CodeNotFound)
	case jsonrpc.CodeParseError, jsonrpc.CodeInvalidRequest:
		return refused.WithCode(toolerr.CodeInvalidArgument)
	case jsonrpc.CodeInternalError: // also if a handler panics, or its output is invalid
	default:
		// The code is the server's own, and its text may be more specific. The SDK's HTTP
		// transport puts the status into the text of -32005.
		if c := readText(wire.Message); c.Known() {
			return newError(c.Classification, message)
		}
	}
	return unanswered(toolerr.CodeInternal, message).WithRetryable(false)
}

// isRunning reports whether a request was refused because an identical one is running: a
// proxy has sent it twice.
func isRunning(message string) bool {
	return strings.Contains(message, "duplicate") || strings.Contains(message, "in-flight") || strings.Contains(message, "in flight") ||
		strings.Contains(message, "already in progress") || strings.Contains(message, "already running")
}

// isAboutOutput reports whether the tool ran, but its output does not match its schema. The
// TypeScript SDK uses the code for invalid params for this.
func isAboutOutput(message string) bool {
	return strings.Contains(message, "output validation") || strings.Contains(message, "output schema") ||
		strings.Contains(message, "structured content") || strings.Contains(message, "tool output") || strings.Contains(message, "marshaling output")
}

// errorText returns err.Error(), or "" if it panics.
func errorText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	return err.Error()
}
