package foreign

import (
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// unreadable returns the failure of a call whose answer the client cannot read: the tool may
// have run.
func unreadable() *toolerr.Error {
	return unanswered(toolerr.CodeInternal, "The server's answer could not be read.").WithRetryable(false)
}

// withoutAnswer returns the error of a call as an envelope. The SDK's own errors about
// an answer that it cannot read have no type, and their words are not about the call.
func withoutAnswer(err error) *toolerr.Error {
	e := toolerr.From(err)
	if _, ok := callText(err); ok && (e.Code == toolerr.CodeInternal || errors.Is(e, classify.ErrGuessedWords)) {
		e = unreadable()
	}
	return e.WithCause(err)
}

// isUnreadable reports whether a protocol error is the client's own, about a message of the
// server that it cannot read. Such a message ends the session. Errors of a server have no
// text behind their message. A server may also send "invalid request" itself, in which case
// nothing was done; the two look the same.
func isUnreadable(err error, wire *jsonrpc.Error) bool {
	if wire.Code != jsonrpc.CodeParseError && wire.Code != jsonrpc.CodeInvalidRequest {
		return false
	}
	text, _ := callText(err)
	return text == "invalid request" || strings.HasPrefix(text, wire.Message+": ")
}

// callText returns what an error of the SDK says about a call.
func callText(err error) (text string, ok bool) {
	call, ok := strings.CutPrefix(errorText(err), `calling "`)
	_, text, found := strings.Cut(call, `": `)
	return text, ok && found
}
