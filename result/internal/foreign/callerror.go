package foreign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// codeRejected is the SDK's own code for an HTTP request that failed or got a temporary status.
const codeRejected = -32005

// A RefusalError is the error of a request that an HTTP endpoint refused. Its effect is that of the status.
type RefusalError struct {
	error  // the failure
	status int
}

// Unwrap returns the failure.
func (r *RefusalError) Unwrap() error { return r.error }

// NewRefusal returns the error for a response of 400 or more, whose body may be a protocol error, to
// a request with the id of a session or "". The error matches [mcp.ErrSessionMissing] if the server
// no longer knows the session.
func NewRefusal(resp *http.Response, session string, wire *jsonrpc.Error) *RefusalError {
	e := toolerr.FromResponse(resp)
	effect, cause := e.Effect, e.Unwrap()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxObject)) // which FromResponse has put back
	m, _ := Object(string(body))
	said := redact.Mask(sanitize.Text(answers.Read(m).Message(), sanitize.MaxLength)) // in this order
	switch {
	case resp.StatusCode == http.StatusNotFound && session != "":
		e, cause = unanswered(toolerr.CodeUnavailable, sessionUnknown), errors.Join(mcp.ErrSessionMissing, cause)
	case wire != nil && !IsBusy(resp.StatusCode):
		e, _ = refusedWith(wire, resp.StatusCode)
		said = ""
	default:
		e = blameless(e, resp.StatusCode)
	}
	e = e.WithMessage(strings.TrimSpace(e.Message + " " + said))
	return &RefusalError{e.WithEffect(effect).WithCause(cause), resp.StatusCode}
}

// IsBusy reports whether a status is about the server or its load, whatever the body says about the call.
func IsBusy(status int) bool {
	return status >= http.StatusInternalServerError || status == http.StatusTooManyRequests
}

// blameless returns the failure for the status of an endpoint's refusal. Except for their size, it
// says nothing about the arguments of a tool.
func blameless(e *toolerr.Error, status int) *toolerr.Error {
	if !hint.Fixes(string(e.Category), string(e.Code)) || e.Code == toolerr.CodeOutOfRange {
		return e
	}
	text := strings.TrimSpace(fmt.Sprint(status, " ", http.StatusText(status)))
	return internal("The server refused the request with HTTP status " + text + ".").WithEffect(e.Effect)
}

// CallError returns the envelope for a call's error, the HTTP status with which an endpoint refused
// the call, or 0, and whether the session is lost.
func CallError(err error) (e *toolerr.Error, status int, lost bool) {
	text := sdktext.Of(err)
	reason, fault, ended, isCall := sdktext.Call(text)
	var wire *jsonrpc.Error
	var ours *toolerr.Error
	var exchange *url.Error
	var refusal *RefusalError
	// mcp.ErrConnectionClosed may also be a server's own -32003 or -32004. mcp.ErrSessionMissing
	// ends all running calls if the SDK's standalone stream finds that the session is lost. In all
	// of these cases the request may have arrived.
	closed := errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.EOF) || isBroken(err)
	missing := errors.Is(err, mcp.ErrSessionMissing)
	answered := errors.As(err, &wire) && reason == wire.Message // over any transport
	rejected := errors.Is(err, &jsonrpc.Error{Code: codeRejected})
	ended = ended && !answered && (!rejected || fault == "") // else only the request was rejected
	switch {
	case errors.As(err, &refusal):
		status = refusal.status
	case errors.As(err, &exchange), answered:
	case missing && fault != "":
		status = http.StatusNotFound
	case rejected && !ended, fault != "" && !strings.Contains(fault, ":"): // otherwise it may quote the response
		status = statusNamed(text)
	}
	switch {
	case answered && strings.HasSuffix(reason, sdktext.Uninitialized):
		e = unanswered(toolerr.CodeUnavailable, sessionUnknown).WithEffect(toolerr.EffectNone)
		missing, err = true, errors.Join(mcp.ErrSessionMissing, err)
	case errors.As(err, &ours) && ours != nil: // from a round tripper, for example
		e, ended = ours, false
	case sdktext.IsInput(text):
		// The tool ran at least until it asked, and the error is the program's own.
		e = internal("The input that the tool asks for was not given.")
		closed, missing, ended = false, false, false
	case closed && sdktext.IsUnsent(reason):
		e = unanswered(toolerr.CodeUnavailable, sessionClosed).WithEffect(toolerr.EffectNone)
	// No answer came. The SDK's HTTP transport ends the session if it cannot accept a response, which may be
	// to an attempt to resume the call's stream; all running calls end with the same text.
	case closed:
		e = unanswered(toolerr.CodeUnavailable, sessionEnded)
	case missing:
		e = unanswered(toolerr.CodeUnavailable, sessionUnknown)
	case errors.Is(err, context.Canceled):
		e = unanswered(toolerr.CodeCanceled, "The call was canceled.").WithRetryable(false)
	case errors.Is(err, context.DeadlineExceeded):
		e = unanswered(toolerr.CodeTimeout, "The server did not answer in time.")
	case strings.HasSuffix(text, sdktext.StreamEnded):
		e = unanswered(toolerr.CodeUnavailable, "The server ended the request without an answer.")
	case ended && status == 0:
		e = unanswered(toolerr.CodeUnavailable, sessionEnded)
	case ended:
		e = byStatus(status).WithEffect(toolerr.EffectUnknown)
	case wire == nil:
		// The SDK's own errors about an unreadable result have no type, and their words say nothing about the call.
		if e = toolerr.From(err); isCall && e.Code == toolerr.CodeInternal {
			e = internal(unreadable)
		}
	case isUnreadable(reason, wire):
		e, closed = internal(unreadable), true
	case wire.Code == codeRejected && exchange != nil:
		e = toolerr.From(exchange) // the network error is more specific than the SDK's code
	case wire.Code == codeRejected && status != 0:
		e = byStatus(status)
	default:
		e, status = refusedWith(wire, status)
	}
	return e.WithCause(err), status, closed || missing || ended
}

const (
	sessionClosed = "The session ended before the call was sent: its server died, or the program closed it. " +
		"The function that connects must return it open, without defer session.Close()."
	sessionEnded   = "The server's session ended before an answer came."
	sessionUnknown = "The server no longer knows the session."
	unreadable     = "The server's answer could not be read."
)

// unanswered returns the failure of a call that may have arrived.
func unanswered(code toolerr.Code, message string) *toolerr.Error {
	return toolerr.Transient(message).WithCode(code).WithEffect(toolerr.EffectUnknown)
}

// internal returns the failure of a call that may have arrived, and that no repeat helps.
func internal(message string) *toolerr.Error {
	return unanswered(toolerr.CodeInternal, message).WithRetryable(false)
}

// isBroken reports whether a call over pipes ended with its connection: a message was truncated or
// unreadable, or the peer closed a pipe. Over HTTP, each of these ends only one exchange.
func isBroken(err error) bool {
	var exchange *url.Error
	var syntax *json.SyntaxError
	return !errors.As(err, &exchange) && (errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.ErrClosedPipe) ||
		errors.Is(err, os.ErrClosed) || errors.Is(err, syscall.EPIPE) || errors.As(err, &syntax))
}

// isUnreadable reports whether the client itself made a protocol error, about an unreadable message
// from the server. Such a message ends the session. A server's error ends with its message. A
// server's own "invalid request", after which nothing was done, looks the same.
func isUnreadable(reason string, wire *jsonrpc.Error) bool {
	return (wire.Code == jsonrpc.CodeParseError || wire.Code == jsonrpc.CodeInvalidRequest) &&
		(reason == sdktext.InvalidRequest || strings.HasPrefix(reason, wire.Message+": "))
}

// byStatus returns the failure for an HTTP status of which nothing else is known.
func byStatus(status int) *toolerr.Error {
	return blameless(toolerr.FromResponse(&http.Response{StatusCode: status}), status)
}

// statusNamed returns the HTTP status whose name ends an error from the SDK's transport, or 0.
func statusNamed(text string) int {
	name := strings.TrimSpace(text[strings.LastIndex(text, ": ")+1:])
	for n := http.StatusBadRequest; n < 600 && name != ""; n++ {
		if http.StatusText(n) == name {
			return n
		}
	}
	return 0
}
