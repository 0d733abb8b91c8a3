package result

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const methodCallTool = "tools/call"

// MiddlewareOptions configures [Middleware]. The zero value and nil are good defaults. The functions must be
// safe for concurrent use. Panics in them are recovered. After one in a rule or Reveal, the failure is read
// without them, or internal if the call has an idempotency key, and the log names the panic.
type MiddlewareOptions struct {
	// Logger gets one record for each failed call, and for each panic or nil result in another request, with the
	// cause and a panic's stack, and advice at WARN, once for each tool. If nil, slog.Default() is used. It must
	// not write to the stdout of a stdio server. The attributes are named as in package mcpotel.
	Logger *slog.Logger
	// Level, if not nil, returns the level of a failure's record. Default: ERROR for the code
	// internal, INFO for the categories business and validation, and WARN for all others.
	Level func(*toolerr.Error) slog.Level
	// Principal, if not nil, returns who made the request, such as the UserID of its token, for the
	// log's enduser.id. An empty text is not logged, and a text over 128 bytes is cut.
	Principal func(mcp.Request) string
	// OnCall, if not nil, is called with every finished call before its result is sent. Use it for
	// counters, and for telemetry without package mcpotel. The context is the handler's.
	OnCall func(context.Context, FinishedCall)
	// Rules classify the program's own errors before [toolerr.From] does. A rule's failure without
	// a message gets the text that Reveal selects. Nil and true mean an internal failure.
	Rules []toolerr.Rule
	// Reveal, if not nil, selects errors whose whole text, including that around a *toolerr.Error, is sent as the
	// message instead of From's. It is not called with a *toolerr.Error itself, or for a handler's panic; a
	// rule's message takes precedence. If it does not select an error that contains a service's message and none
	// of an author, it is called again with that message as an error that wraps the first. An error that
	// neither its type, a well-known text nor the arguments classify is sent alone, without a category. A
	// selected validation error of the SDK follows the envelope. See [RevealAll], [RevealServices].
	Reveal func(error) bool
	// CorrelationID, if not nil, returns the identifier for a failure that has none, such as a trace id, or a
	// fixed one, so that tests can compare whole results. It is called once for each, with OnCall's context. If
	// it is nil or returns an empty text, the identifier is 18 random digits (60 bits).
	CorrelationID func(context.Context) string
	// ValidateArguments refuses a call whose arguments violate the tool's input schema before other
	// middleware or the handler see it. Use it for raw tools (Server.AddTool), whose handlers get
	// whatever was sent; typed tools are always validated. Keywords that are not validated here, such
	// as dependentRequired, are left to the handler.
	ValidateArguments bool
	// Timeout is the time limit of a handler, whose context then ends. The middleware waits for a
	// handler that ignores the end of its context. With clients of protocol versions before
	// 2026-07-28, the time includes the wait for input that the handler asks for. Zero and negative
	// values mean no limit. Middleware panics if Timeout is positive but shorter than a millisecond.
	Timeout time.Duration
}

// RevealAll is a Reveal function for [MiddlewareOptions] that selects every error. All text that
// the SDK alone would send stays visible, including passwords and paths. Use it to adopt the
// middleware in an existing server without losing text, and replace it step by step.
func RevealAll(error) bool { return true }

// RevealServices is a Reveal function for [MiddlewareOptions] that selects the message of a
// service's reply, such as "Issues has been disabled in this repository", of at most 2 KiB, with
// secrets masked. The text of other errors is not sent. To select more, call RevealServices in a
// function of your own.
//
// The message is next to an HTTP status in a client library's error, or in a status of gRPC or
// Kubernetes, an error of Connect, an API error of AWS, or the errors of a GraphQL reply, or it is a
// database's about a statement in the arguments, a value in it, or the state that it needs.
func RevealServices(err error) bool {
	_, ok := err.(*failure.ServiceError) //nolint:errorlint // the message itself
	return ok
}

// Middleware turns every failed tool call of a server into a structured one: returned errors, results
// with IsError set, nil results, results that cannot be encoded, and panics. Successes and protocol
// errors (a *jsonrpc.Error with a code, returned directly) stay what they are, but near misses of an unknown tool
// are added.
//
// Add it as the outermost receiving middleware, in the last call or first in it: the errors of
// middleware outside it are sent as protocol errors.
//
// A failed result that a handler has written keeps all content that can be encoded. The envelope is the
// first block, with as much of the first text as fits into a message; what it does not hold follows
// unchanged. Members of a JSON object become members of the envelope. Prose becomes the message and is
// not interpreted: only the flag, an effect and the correlation id are added.
//
// Errors that are not a *toolerr.Error are classified by [toolerr.From], which does not see the call.
// If the arguments contain what an error names, such as a missing file, a number that cannot be parsed
// or an unknown host, the caller is at fault, and Field names the argument; otherwise the failure is
// internal. A database's rejection is the caller's fault if it names a part of a statement in an
// argument. What an author has set stays.
//
// A default hint names the server's one read-only tool that takes an argument which identifies what the
// call was about, and the argument for partial.continueFrom.
//
// Failures of tools annotated as read-only have effect none. Failures of other tools are classified as
// if the tool had only one step: if an earlier step has changed something, say so with WithEffect.
//
// Panics of all handlers, including prompts and resources, are recovered in the goroutine of the
// request; outside tools, they and nil results become protocol errors with {"correlationId": ...} as
// data. A panic in another goroutine ends the program; after [runtime.Goexit] no answer is sent.
//
// As sending middleware, on a client, or inside another one, Middleware does nothing but log a WARN.
// The returned middleware is safe for concurrent use.
func Middleware(opts *MiddlewareOptions) mcp.Middleware {
	o := *cmp.Or(opts, new(MiddlewareOptions))
	if 0 < o.Timeout && o.Timeout < time.Millisecond {
		panic(fmt.Sprintf("result.MiddlewareOptions.Timeout is %v: give it a unit, as in 30*time.Second", o.Timeout))
	}
	if o.Level == nil {
		o.Level = levelOf
	}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		m := &middleware{opts: o, next: next, classifier: failure.Classifier{
			Rules: o.Rules, Reveal: o.Reveal, Logger: o.Logger,
		}}
		return m.handle
	}
}

type middleware struct {
	opts       MiddlewareOptions
	classifier failure.Classifier
	next       mcp.MethodHandler
	tools      knownTools
}

// A call is a request on its way through the middleware.
type call struct {
	*middleware

	ctx       context.Context //nolint:containedctx // the handler's, lives as long as the call
	method    string
	req       mcp.Request
	name      string // the tool's
	arguments json.RawMessage
	elapsed   time.Duration
}

func (m *middleware) handle(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
	c := call{middleware: m, ctx: ctx, method: method, req: req}
	if advice := c.misplacement(); advice != "" {
		m.classifier.Warn(ctx, "", advice)
		return m.next(ctx, method, req)
	}
	if method != methodCallTool {
		return c.request()
	}
	if params, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && params != nil {
		c.name, c.arguments = params.Name, params.Arguments
	}
	c.ctx = &failure.Call{Context: ctx, Classifier: &m.classifier, Session: req.GetSession()}
	if m.opts.Timeout > 0 {
		limited, cancel := failure.WithTimeLimit(c.ctx, m.opts.Timeout)
		defer cancel()
		c.ctx = limited
	}
	res, err := c.recovered()
	ctr, _ := res.(*mcp.CallToolResult)
	isOutput := err == nil && (ctr == nil || !ctr.IsError)
	if isOutput {
		if res, err = c.success(res, ctr); err == nil {
			return res, nil
		}
		ctr = nil
	}
	if wire, ok := err.(*jsonrpc.Error); ok && wire != nil && wire.Code != 0 { //nolint:errorlint // only a direct one
		return nil, c.protocolError(wire)
	}
	f := failedCall{call: c, res: ctr, err: err, isOutput: isOutput, rules: m.classifier}
	return f.result(), nil
}

// misplacement returns advice if the middleware was added where it has no effect, otherwise "".
func (c *call) misplacement() string {
	outer := failure.CallOf(c.ctx)
	_, isClient := c.req.GetSession().(*mcp.ClientSession)
	switch {
	case isClient:
		return adviceClient
	case slices.Contains(sentMethods, c.method):
		return adviceSending
	case outer.Context != nil && outer.Session == c.req.GetSession():
		return adviceInside
	}
	return ""
}

// sentMethods lists the methods of messages that only servers send.
var sentMethods = []string{
	"sampling/createMessage", "elicitation/create", "roots/list", "notifications/message",
	"notifications/tools/list_changed",
	"notifications/prompts/list_changed", "notifications/resources/list_changed", "notifications/resources/updated",
	"notifications/elicitation/complete",
	"notifications/subscriptions/acknowledged",
}

// recovered calls the handler, and returns a panic, a result that is nil, or arguments that the middleware
// refuses as an error.
func (c *call) recovered() (res mcp.Result, err error) {
	if c.opts.ValidateArguments && c.method == methodCallTool {
		if e, _ := invalid(c.find(), c.arguments); e != nil {
			return nil, e.WithCause(errArguments)
		}
	}
	start := time.Now()
	defer func() {
		c.elapsed = time.Since(start)
		if p := recover(); p != nil {
			res, err = nil, failure.Recovered(p)
		}
	}()
	res, err = c.next(c.ctx, c.method, c.req)
	if isTypedNil(err) && c.method == methodCallTool {
		c.classifier.Warn(c.ctx, c.name, adviceTypedNil)
		err = nil
	}
	isMissing := res == nil && c.method == methodCallTool // a notification has none
	if v := reflect.ValueOf(res); err == nil && (isMissing || v.Kind() == reflect.Pointer && v.IsNil()) {
		return nil, failure.ErrNilResult
	} else if err != nil && c.method != methodCallTool {
		_ = err.Error() // the SDK calls it where nothing recovers a panic
	}
	return res, err
}

// success returns the result to send, and calls OnCall, or returns an error if the result cannot be
// encoded.
func (c *call) success(res mcp.Result, ctr *mcp.CallToolResult) (mcp.Result, error) {
	if ctr == nil { // a result type of another middleware
		_, err := failure.Encoded(res)
		if err == nil {
			c.finished(FinishedCall{Tool: c.name, Kind: KindData})
		}
		return res, err
	}
	checked, err := failure.Encodable(ctr)
	if err != nil {
		return nil, err
	}
	kind := KindData
	if checked.NeedsInput() {
		kind = KindInputRequired
	} else if checked.Meta[kindKey] == KindEmpty.String() {
		kind = KindEmpty
	}
	c.finished(FinishedCall{Tool: c.name, Kind: kind})
	c.adviseKey(c.name)
	return markData(checked, func() { c.classifier.Warn(c.ctx, c.name, adviceUnflagged) }), nil
}
