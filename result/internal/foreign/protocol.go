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

// CallError returns the error of a call that brought no result as an envelope, and
// whether the session is gone.
func CallError(err error) (e *toolerr.Error, lost bool) {
	var wire *jsonrpc.Error
	var ours *toolerr.Error
	var exchange *url.Error
	// The first two are also what a server's own -32003 and -32004 come out as, the
	// third what calls under way end with once the SDK's standing stream finds the
	// session gone: any of them may have arrived.
	closed := errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.EOF) || isBroken(err)
	missing := errors.Is(err, mcp.ErrSessionMissing)
	switch {
	case errors.As(err, &ours) && ours != nil: // of a round tripper, say
		e = ours
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
		if e = refused(err); e == nil {
			return toolerr.From(err).WithCause(err), false
		}
		closed = true
	case wire.Code == codeRejected && errors.As(err, &exchange):
		e = toolerr.From(exchange) // the SDK's code says less than the network does
	case wire.Code == codeRejected && statusNamed(err) != nil:
		e = statusNamed(err)
	default:
		e = ProtocolError(wire)
	}
	return e.WithCause(err), closed || missing
}

// isBroken reports whether a call ended with what ended its connection: over pipes, a
// message that was cut or cannot be read, or a pipe that the peer has closed. Over HTTP
// each of these ends one exchange alone.
func isBroken(err error) bool {
	var exchange *url.Error
	if errors.As(err, &exchange) {
		return false
	}
	var unreadable *json.SyntaxError
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, os.ErrClosed) ||
		errors.Is(err, classify.ErrBrokenPipe) || errors.As(err, &unreadable)
}

// unanswered is the failure of a call that may have arrived.
func unanswered(code toolerr.Code, message string) *toolerr.Error {
	return toolerr.Transient(message).WithCode(code).WithEffect(toolerr.EffectUnknown)
}

const (
	// endedText is how the SDK's HTTP transport words it that a stream ended before
	// the answer. It has no type.
	endedText = "request terminated without response"
	// codeRejected is the code of the SDK's own transport for a request that it got
	// no answer to.
	codeRejected = -32005
)

// ProtocolError returns an error of JSON-RPC as an envelope. Its message is the
// peer's, and kept.
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
		// The SDK's own text, and that of the protocol's example.
		if strings.HasPrefix(strings.ToLower(wire.Message), "unknown tool") {
			return refused.WithCode(toolerr.CodeNotFound).WithHint("List the server's tools and call one of those.")
		}
		return refused.WithCode(toolerr.CodeInvalidArgument)
	case jsonrpc.CodeMethodNotFound:
		return refused.WithCode(toolerr.CodeNotFound)
	case jsonrpc.CodeParseError, jsonrpc.CodeInvalidRequest:
		return refused.WithCode(toolerr.CodeInvalidArgument)
	case jsonrpc.CodeInternalError: // also if a handler throws, or its output is not valid
	default:
		// A code of the server's own: its words may say more. The SDK's HTTP transport
		// has the status in those of -32005.
		if c := readText(wire.Message); c.Known() {
			return newError(c.Classification, message)
		}
	}
	return unanswered(toolerr.CodeInternal, message).WithRetryable(false)
}

// isRunning reports whether a request was refused because the same one is being
// carried out: something on the way has sent it twice.
func isRunning(message string) bool {
	return strings.Contains(message, "duplicate") || strings.Contains(message, "in-flight") || strings.Contains(message, "in flight") ||
		strings.Contains(message, "already in progress") || strings.Contains(message, "already running")
}

// isAboutOutput reports whether it is the tool's output that does not fit its schema:
// the tool has run. The TypeScript SDK has the code of invalid params for it.
func isAboutOutput(message string) bool {
	return strings.Contains(message, "output validation") || strings.Contains(message, "output schema") ||
		strings.Contains(message, "structured content") || strings.Contains(message, "tool output") || strings.Contains(message, "marshaling output")
}

// errorText is err.Error() for errors whose method may panic.
func errorText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	return err.Error()
}
