package result

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	methodCallTool  = "tools/call"
	methodListTools = "tools/list"
)

// MiddlewareOptions configures [Middleware]. The zero value, and a nil pointer,
// are good options.
type MiddlewareOptions struct {
	// Logger gets one record for each failed call, with the cause that the wire
	// never has: an error with code internal as ERROR, with the stack of a panic,
	// any other as WARN. If nil, it is slog.Default(), which writes to stderr unless the
	// program has said otherwise. It must not write to the stdout of a stdio
	// server.
	Logger *slog.Logger
}

// Middleware makes every failed tool call of a server a structured one: returned
// errors, results with IsError set, nil results and panics. Successes and
// protocol errors (a *[jsonrpc.Error] that a handler returns as it is) pass
// through untouched. Install it as receiving middleware, in the last call of
// AddReceivingMiddleware and there as the first, so that it is the outermost:
//
//	server.AddReceivingMiddleware(result.Middleware(nil))
//
// Errors that are not a *[toolerr.Error] go through [toolerr.From]; of those it
// does not know, the agent learns that the tool failed and a correlation id, and
// the log the rest. Failures of tools annotated as read-only have no effect; any
// other bare error is judged as if it came from the tool's only step, so that a
// tool which has changed something before says so with WithEffect.
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
		m := &middleware{opts: o, next: next}
		return m.handle
	}
}

type middleware struct {
	opts  MiddlewareOptions
	next  mcp.MethodHandler
	tools knownTools
}

func (m *middleware) handle(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
	if method != methodCallTool {
		return m.next(ctx, method, req)
	}
	start := time.Now()
	res, err := m.call(ctx, method, req)
	ctr, ok := res.(*mcp.CallToolResult)
	switch {
	case err == nil && ok && ctr != nil && !ctr.IsError:
		return res, nil
	case err == nil && !ok && res != nil:
		return res, nil // a result of another middleware's own kind
	}
	if wire, ok := err.(*jsonrpc.Error); ok && wire != nil { //nolint:errorlint // only a direct one is meant as a protocol error
		return nil, err
	}
	return m.fail(ctx, req, ctr, err, time.Since(start)), nil
}

// call is next with a panic as an error.
func (m *middleware) call(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			res, err = nil, &panicError{value: p, stack: debug.Stack()}
		}
	}()
	return m.next(ctx, method, req)
}

// A panicError is what a handler panicked with, for the log.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

var errNilResult = errors.New("the handler returned neither a result nor an error")

// fail returns the failed result of a call that came back with ctr, which may be
// nil, and err, which may be nil too.
func (m *middleware) fail(ctx context.Context, req mcp.Request, ctr *mcp.CallToolResult, err error, elapsed time.Duration) (out *mcp.CallToolResult) {
	defer func() {
		if recover() != nil { // a method of err, or the logger
			out = newResult(req)
			out.Content = textResult(string(errNoError.AppendJSON(nil))).Content
			out.IsError = true
		}
	}()
	if err == nil && ctr == nil {
		err = errNilResult
	}
	var name string
	var arguments json.RawMessage
	if params, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && params != nil {
		name, arguments = params.Name, params.Arguments
	}
	tool := m.tools.find(ctx, m.next, req, name)
	e, cause := describe(ctx, ctr, err)
	if ctr != nil && err == nil && firstText(ctr) == safeText(cause) {
		if bad := fromArgumentError(cause, tool, arguments); bad != nil {
			e, cause = bad, errArguments
		}
	}
	c := *e // e may be a template
	if tool != nil && tool.Annotations != nil && tool.Annotations.ReadOnlyHint {
		c.Effect = toolerr.EffectNone
	}
	if c.CorrelationID == "" {
		c.CorrelationID = rand.Text()
	}
	m.log(ctx, req, name, &c, cause, elapsed)
	// A new result, because the old one may ask for input, have structured content,
	// lack a resultType, or be shared by calls.
	out = newResult(req)
	if ctr != nil {
		out.Meta = maps.Clone(ctr.Meta)
	}
	out.Content = []mcp.Content{&mcp.TextContent{Text: string(c.AppendJSON(nil))}}
	out.SetError(cause)
	return out
}

// describe returns the envelope for a failed call, and what is behind it.
func describe(ctx context.Context, ctr *mcp.CallToolResult, err error) (e *toolerr.Error, cause error) {
	if err != nil {
		return fromError(ctx, err), err
	}
	cause = ctr.GetError()
	text := ""
	if cause != nil {
		// The SDK shows the error's own text, unless the author has put something
		// in its place.
		text = safeText(cause)
	}
	written, found := readFailure(ctr)
	switch {
	case cause == nil && found:
		return written, errEnvelope
	case cause == nil && written.Category != "":
		return written, errBareText
	case cause == nil: // words that nobody has classified
		return toolerr.From(errBareText).WithMessage(written.Message), errBareText
	case written.Message == text && !found || firstText(ctr) == text:
		return fromError(ctx, cause), cause
	case found:
		return written, cause
	}
	return fromError(ctx, cause).WithMessage(written.Message), cause // the author's words beside the error
}

// safeText is err.Error() for errors whose method may panic.
func safeText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	return err.Error()
}

// What is behind failures that come without an error, for the log.
var (
	errEnvelope = errors.New("the tool wrote the envelope itself")
	errBareText = errors.New("the tool reported a failure as bare text; return an error made with toolerr.Business, Validation or another constructor")
)

// fromError is [toolerr.From] with what only the middleware knows.
func fromError(ctx context.Context, err error) *toolerr.Error {
	e := toolerr.From(err)
	if e == nil { // a nil *toolerr.Error
		e = errNoError
	}
	if ctx.Err() != nil && e.Code == toolerr.CodeCanceled {
		return e.WithMessage("The caller cancelled the call.")
	}
	return e
}

// newResult returns an empty result for the request's protocol version: the
// resultType exists since 2026-07-28.
func newResult(req mcp.Request) *mcp.CallToolResult {
	if session, ok := req.GetSession().(*mcp.ServerSession); ok && session != nil {
		if p := session.InitializeParams(); p != nil && p.ProtocolVersion < "2026-07-28" {
			return new(mcp.CallToolResult)
		}
	}
	r := complete
	return &r
}

func (m *middleware) log(ctx context.Context, req mcp.Request, tool string, e *toolerr.Error, cause error, elapsed time.Duration) {
	logger := m.opts.Logger
	if logger == nil {
		logger = slog.Default()
	}
	level := slog.LevelWarn
	if e.Code == toolerr.CodeInternal {
		level = slog.LevelError
	}
	if !logger.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("mcp.method.name", methodCallTool),
		slog.String("gen_ai.tool.name", tool),
		slog.Duration("duration", elapsed),
	}
	if session := req.GetSession(); session != nil {
		if id := session.ID(); id != "" {
			attrs = append(attrs, slog.String("mcp.session.id", id))
		}
	}
	attrs = append(attrs, slog.Any("error", e.WithCause(cause))) // a cause that is e itself adds what is behind e
	if p, ok := cause.(*panicError); ok {                        //nolint:errorlint // ours, and never wrapped
		attrs = append(attrs, slog.String("stack", string(p.stack)))
	}
	logger.LogAttrs(ctx, level, "tool call failed", attrs...)
}
