package foreign

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// codeRejected is the SDK's own code for an HTTP request that failed or got a temporary status.
const codeRejected = -32005

// CallError returns the envelope for a call's error, and reports whether the session is lost.
func CallError(err error) (e *toolerr.Error, lost bool) {
	text := sdktext.Of(err)
	var wire *jsonrpc.Error
	var ours *toolerr.Error
	var exchange *url.Error
	// mcp.ErrConnectionClosed may also be a server's own -32003 or -32004. mcp.ErrSessionMissing
	// ends all running calls if the SDK's standalone stream finds that the session is lost. In all
	// of these cases the request may have arrived.
	closed := errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.EOF) || isBroken(err)
	missing := errors.Is(err, mcp.ErrSessionMissing)
	switch {
	case errors.As(err, &ours) && ours != nil: // from a round tripper, for example
		e = ours
	case sdktext.IsInput(text):
		// The tool ran at least until it asked, and the error is the program's own.
		e = unanswered(toolerr.CodeInternal, "The input that the tool asks for was not given.").WithRetryable(false)
		closed, missing = false, false
	case closed && strings.HasSuffix(text, sdktext.ClientClosing):
		e = unanswered(toolerr.CodeUnavailable, "The program has closed the session: the function that connects must return it open, without defer session.Close().")
	case closed:
		e = unanswered(toolerr.CodeUnavailable, "The server's session ended before an answer came.")
	case missing:
		e = unanswered(toolerr.CodeUnavailable, "The server no longer knows the session.")
	case errors.Is(err, context.Canceled):
		e = unanswered(toolerr.CodeCanceled, "The call was canceled.").WithRetryable(false)
	case errors.Is(err, context.DeadlineExceeded):
		e = unanswered(toolerr.CodeTimeout, "The server did not answer in time.")
	case strings.HasSuffix(text, sdktext.StreamEnded):
		e = unanswered(toolerr.CodeUnavailable, "The server ended the request without an answer.")
	case !errors.As(err, &wire):
		if e = sessionEnd(text); e == nil {
			return withoutAnswer(err, text).WithCause(err), false
		}
		closed = true
	case isUnreadable(text, wire):
		e, closed = unreadable(), true
	case wire.Code == codeRejected && errors.As(err, &exchange):
		e = toolerr.From(exchange) // the network error is more specific than the SDK's code
	case wire.Code == codeRejected && statusByName(text) != nil:
		e = statusByName(text)
	default:
		e = ProtocolError(wire)
	}
	return e.WithCause(err), closed || missing
}

// unanswered returns the failure of a call that may have arrived.
func unanswered(code toolerr.Code, message string) *toolerr.Error {
	return toolerr.Transient(message).WithCode(code).WithEffect(toolerr.EffectUnknown)
}

// unreadable returns the failure of a call whose result cannot be read: the tool may have run.
func unreadable() *toolerr.Error {
	return unanswered(toolerr.CodeInternal, "The server's answer could not be read.").WithRetryable(false)
}

// withoutAnswer returns the failure for an error that is neither a protocol error nor otherwise
// known. The SDK's own errors about an unreadable result have no type, and their words say nothing
// about the call.
func withoutAnswer(err error, text string) *toolerr.Error {
	e := toolerr.From(err)
	if _, _, ok := sdktext.Call(text); ok && e.Code == toolerr.CodeInternal {
		return unreadable()
	}
	return e
}

// isBroken reports whether a call over pipes ended with its connection: a message was truncated or
// unreadable, or the peer closed a pipe. Over HTTP, each of these ends only one exchange.
func isBroken(err error) bool {
	var exchange *url.Error
	var syntax *json.SyntaxError
	return !errors.As(err, &exchange) && (errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.ErrClosedPipe) ||
		errors.Is(err, os.ErrClosed) || errors.Is(err, classify.ErrBrokenPipe) || errors.As(err, &syntax))
}

// isUnreadable reports whether the client itself made a protocol error, about an unreadable message
// from the server. Such a message ends the session. A server's error ends with its message. A
// server's own "invalid request", after which nothing was done, looks the same.
func isUnreadable(text string, wire *jsonrpc.Error) bool {
	_, said, _ := sdktext.Call(text)
	return (wire.Code == jsonrpc.CodeParseError || wire.Code == jsonrpc.CodeInvalidRequest) &&
		(said == sdktext.InvalidRequest || strings.HasPrefix(said, wire.Message+": "))
}

// sessionEnd returns the failure of a call whose session the SDK's HTTP transport ended because it
// could not accept the response to a request or the standalone stream. It returns nil for other
// errors. All running calls end with the same text, so it does not prove that this call was
// rejected. It says nothing about this call if another method was rejected, such as ping.
func sessionEnd(text string) *toolerr.Error {
	method, reason, _ := sdktext.Call(text)
	fault, ok := sdktext.SessionEnd(method, reason)
	switch {
	case !ok:
		return nil
	case fault == "":
		return unanswered(toolerr.CodeUnavailable, "The server's session ended before an answer came.")
	}
	if e := statusByName(text); e != nil && !strings.Contains(fault, ":") { // otherwise it may quote the response
		return e.WithEffect(toolerr.EffectUnknown)
	}
	return unanswered(toolerr.CodeUnavailable, "The server's session ended with an HTTP answer that cannot be read.")
}

// statusByName returns the failure for the HTTP status whose name ends an error from the SDK's
// transport, or nil if there is none.
func statusByName(text string) *toolerr.Error {
	name := strings.TrimSpace(text[strings.LastIndex(text, ": ")+1:])
	for n := http.StatusBadRequest; n < 600 && name != ""; n++ {
		if http.StatusText(n) == name {
			return toolerr.FromResponse(&http.Response{StatusCode: n})
		}
	}
	return nil
}
