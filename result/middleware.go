package result

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/encodable"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	methodCallTool  = "tools/call"
	methodListTools = "tools/list"
)

// MiddlewareOptions configures [Middleware]. The zero value, and a nil pointer,
// are good options. Functions in it must be safe for concurrent use; if one
// panics, the failure is an internal one.
type MiddlewareOptions struct {
	// Logger gets one record for each failed call, with the cause that the wire
	// never has: an error with code internal as ERROR, with the stack of a panic,
	// any other as WARN. If nil, it is slog.Default(), which writes to stderr unless
	// the program has said otherwise. It must not write to the stdout of a stdio
	// server.
	Logger *slog.Logger
	// Counts, if not nil, counts the calls and the failures among them.
	Counts *Counts
	// OnCall, if not nil, is called with every finished call, before its answer goes out:
	// for counters, and for telemetry without package mcpotel. The context is the
	// handler's.
	OnCall func(context.Context, FinishedCall)
	// Rules recognise errors of the author's own, before [toolerr.From] classifies
	// them. A failure stays one: a rule that says that an error is none makes it an
	// internal one.
	Rules []toolerr.Rule
	// Reveal, if not nil, chooses errors whose own text may go on the wire as the
	// message, in place of From's sentence. It is asked about errors that are
	// neither a *toolerr.Error nor known to a rule, and never about panics. If From
	// does not know the error, its text is read for category and field as the words of
	// a failed result are. What the SDK says of arguments or output that do not fit a
	// schema follows the envelope if it is chosen. [RevealAll] chooses all.
	Reveal func(error) bool
	// ServiceMessages lets the sentence in which a service has answered a request go on
	// the wire as the message, in place of From's: "Issues has been disabled in this
	// repository". It is found by the shape of a client library's error: a message
	// beside an HTTP status, the status of gRPC or Kubernetes, an API error of AWS, the
	// errors of a GraphQL answer. At most 2 KiB of it are sent, without user, password
	// and query of URLs, and without what stands behind the name of a secret or looks
	// like a credential. The member that a service has refused becomes the field, if the
	// tool has an argument of that name. Texts of other errors stay with the server. It
	// holds for the errors that Reveal is asked about and does not choose.
	ServiceMessages bool
	// CorrelationID, if not nil, returns the identifier of a failure that has none: a trace's,
	// so that log and trace are found by it, or a fixed one, so that tests can compare whole
	// answers. It is called once for each failure, with the context of the call. Default, and
	// if it returns an empty text: random text of 130 bits.
	CorrelationID func(context.Context) string
	// Timeout is how long a handler may take: its context ends then. A handler
	// that ignores its context is waited for. If it asks for input of a client of
	// a version before 2026-07-28, the SDK waits for that inside the handler's time.
	// Default: no limit, which a negative value means too.
	Timeout time.Duration
}

// RevealAll is a Reveal of [MiddlewareOptions] that chooses every error: what the SDK
// alone would show of an error stays visible, passwords and paths included. A server that
// exists already adopts the middleware with it and loses no word; then the texts go, step
// by step.
func RevealAll(error) bool { return true }

// Middleware makes every failed tool call of a server a structured one: returned
// errors, results with IsError set, nil results, results that cannot be encoded,
// and panics. Successes and protocol errors (a *[jsonrpc.Error] with a code, which
// a handler returns as it is) pass through untouched. Install it as receiving
// middleware, in the last call of AddReceivingMiddleware and there as the first,
// so that it is the outermost:
//
//	server.AddReceivingMiddleware(result.Middleware(nil))
//
// A failed result that its handler has written keeps all of its content: the envelope is
// the first block, with as much of the first text as a message takes, and what is not
// whole in it follows, unchanged. Of words that are not understood nothing is claimed:
// the category is empty, and the hint sends the model to the message. So does the hint
// beside words that say themselves what to do next. What words repeat of the arguments is
// not read, and they blame nobody for what they name and nobody has sent.
//
// Errors that are not a *[toolerr.Error] go through [toolerr.From]; of those it
// does not know, the agent learns that the tool failed and a correlation id, and
// the log the rest, with the constructor that would have said it better. Of those that
// may be the tool's own trouble or the caller's (a file that is missing, a text that
// cannot be parsed, an unknown host) the call's arguments decide: if what the error
// names stands there, the failure is the caller's, and Field says where; if not, it is
// internal. So it is with the failures that From and [toolerr.Wrap] have made, but for
// what their author has said of them, and with errors that are a text and nothing else: the
// text stays with the server, and without evidence the message says in our words what it
// speaks of, and the hint what to check. Failures
// of tools annotated as read-only have no effect; any other bare error is classified
// as if it came from the tool's only step, so that a tool which has changed
// something before says so with WithEffect.
//
// Panics are caught in the goroutine of the call; one in a goroutine that a
// handler started ends the program, as it does everywhere in Go, and a handler
// that ends its goroutine by [runtime.Goexit] is never answered.
//
// It is safe for concurrent use.
func Middleware(opts *MiddlewareOptions) mcp.Middleware {
	var o MiddlewareOptions
	if opts != nil {
		o = *opts
	}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		m := &middleware{opts: o, next: next, classifier: failure.Classifier{
			Rules: o.Rules, Reveal: o.Reveal, ServiceMessages: o.ServiceMessages, Logger: o.Logger,
		}}
		return m.handle
	}
}

type middleware struct {
	opts       MiddlewareOptions
	classifier failure.Classifier
	next       mcp.MethodHandler
	tools      knownTools
	advised    sync.Map // names of tools
	kinds      knownKinds
}

func (m *middleware) handle(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
	if method != methodCallTool {
		return m.next(ctx, method, req)
	}
	m.opts.Counts.begun()
	start := time.Now()
	inner := failure.NewContext(ctx, &m.classifier)
	if m.opts.Timeout > 0 {
		limited, cancel := failure.WithTimeLimit(inner, m.opts.Timeout)
		defer cancel()
		inner = limited
	}
	res, err := m.call(inner, method, req)
	output := false
	ctr, ok := res.(*mcp.CallToolResult)
	if err == nil {
		if !ok && res != nil { // a result of another middleware's own kind
			if err = encodable.Try(res); err == nil {
				m.succeeded(inner, req, nil, time.Since(start))
				return res, nil
			}
			output = true
		}
		if ctr != nil && !ctr.IsError {
			if err = encodable.Check(ctr); err == nil {
				m.succeeded(inner, req, ctr, time.Since(start))
				return markData(ctr), nil
			}
			ctr, output = nil, true
		}
	}
	f := &failedCall{middleware: m, ctx: inner, req: req, res: ctr, err: err, output: output, elapsed: time.Since(start)}
	f.name, f.arguments = calledTool(req)
	if wire, ok := err.(*jsonrpc.Error); ok && wire != nil && wire.Code != 0 { //nolint:errorlint // only a direct one is meant as a protocol error
		return nil, f.protocolError(ctx, wire)
	}
	return f.result(ctx), nil
}

// call is next with a panic as an error.
func (m *middleware) call(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			res, err = nil, failure.Recovered(p)
		}
	}()
	return m.next(ctx, method, req)
}

// calledTool returns the name of the tool that is called, and the arguments.
func calledTool(req mcp.Request) (name string, arguments json.RawMessage) {
	if params, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && params != nil {
		return params.Name, params.Arguments
	}
	return "", nil
}
