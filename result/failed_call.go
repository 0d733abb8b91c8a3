package result

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// What is behind failures that come without an error, for the log.
var (
	errNilResult = errors.New("the handler returned neither a result nor an error")
	errEnvelope  = errors.New("the tool wrote the envelope itself")
	errBareText  = errors.New("the tool reported a failure as bare text")
)

// errTimeLimit is why the context of a handler ended that took too long.
var errTimeLimit = fmt.Errorf("the tool took longer than its time limit: %w", context.DeadlineExceeded)

// A panicError is what a handler panicked with, for the log.
type panicError struct {
	value any
	stack []byte
}

// Error shows values that are made to be shown. Others may have no end.
func (e *panicError) Error() string {
	switch v := e.value.(type) {
	case error:
		return "panic: " + safeText(v)
	case string, bool, int, int64, uint64, float64, fmt.Stringer:
		return fmt.Sprintf("panic: %v", v)
	}
	return fmt.Sprintf("panic: a %T", e.value)
}

// A failedCall is one that came back with ctr, which may be nil, and err, which
// may be nil too.
type failedCall struct {
	*middleware

	outer   context.Context //nolint:containedctx // the caller's, lives as long as the call
	ctx     context.Context //nolint:containedctx // the handler's
	req     mcp.Request
	ctr     *mcp.CallToolResult
	err     error
	elapsed time.Duration
}

// result makes the failed result of the call, and logs and counts it.
func (f *failedCall) result() *mcp.CallToolResult {
	if f.err == nil && f.ctr == nil {
		f.err = errNilResult
	}
	name, arguments := calledTool(f.req)
	tool := f.tools.find(f.outer, f.next, f.req, name)
	e, cause := f.describe(tool, arguments)
	c := *e // e may be a template
	if tool != nil && tool.Annotations != nil && tool.Annotations.ReadOnlyHint {
		c.Effect = toolerr.EffectNone
	}
	if c.CorrelationID == "" {
		c.CorrelationID = rand.Text()
	}
	f.record(&c, cause, name, tool, "tool_error")
	// A new result, because the old one may ask for input, have structured content,
	// lack a resultType, or be shared by calls.
	out := newResult(f.req)
	if f.ctr != nil && tryMarshal(f.ctr.Meta) == nil {
		out.Meta = maps.Clone(f.ctr.Meta)
		delete(out.Meta, kindKey) // it is no success any more
	}
	out.Content = []mcp.Content{&mcp.TextContent{Text: string(c.AppendJSON(nil))}}
	out.SetError(cause) // for middleware around this one
	return out
}

// protocolError logs and counts a protocol error, and returns it.
func (f *failedCall) protocolError(wire *jsonrpc.Error) error {
	name, _ := calledTool(f.req)
	var tool *toolinfo.Tool
	if !isUnknownTool(wire) { // no need to ask again
		tool = f.tools.find(f.outer, f.next, f.req, name)
	}
	f.record(fromProtocolError(wire), nil, name, tool, fmt.Sprint(wire.Code))
	if len(wire.Data) > 0 && !json.Valid(wire.Data) {
		c := *wire // what cannot be encoded is never answered
		c.Data = nil
		return &c
	}
	return wire
}

// describe returns the envelope, and what is behind it.
func (f *failedCall) describe(tool *toolinfo.Tool, arguments json.RawMessage) (e *toolerr.Error, cause error) {
	defer func() {
		if p := recover(); p != nil { // of a rule, or a method of the error
			e, cause = f.unjudged(&panicError{value: p, stack: debug.Stack()})
		}
	}()
	if res := handlerResult(f.ctr, f.err); res != nil {
		f.ctr, f.err = res, nil
	}
	e, cause = f.opts.describe(f.ctx, f.ctr, f.err)
	if f.ctr != nil && f.err == nil && firstText(f.ctr) == safeText(cause) {
		if bad := fromArgumentError(cause, tool, arguments); bad != nil {
			return bad, errArguments
		}
	}
	return e, cause
}

// unjudged is what describe returns where it was ended by a panic.
func (f *failedCall) unjudged(p *panicError) (*toolerr.Error, error) {
	err := f.err
	if err == nil && f.ctr != nil {
		err = f.ctr.GetError()
	}
	if e := toolerr.From(err); e != nil {
		return e, errors.Join(p, err)
	}
	return errNoError, p
}

// describe returns the envelope for what a handler returned, and what is behind
// it.
func (o *MiddlewareOptions) describe(ctx context.Context, ctr *mcp.CallToolResult, err error) (e *toolerr.Error, cause error) {
	if err != nil {
		return o.fromError(ctx, err), err
	}
	cause = ctr.GetError()
	if cause != nil && firstText(ctr) == safeText(cause) {
		// The SDK shows the error's own text, unless the author has put something
		// in its place.
		return o.fromError(ctx, cause), cause
	}
	written, found := readFailure(ctr)
	switch {
	case cause == nil && found:
		return written, errEnvelope
	case cause == nil && written.Category != "":
		if written.Retryable && written.Effect == toolerr.EffectNone && !isObject(firstText(ctr)) {
			written.Effect = toolerr.EffectUnknown // words may be an argument's; a repeat has to be safe
		}
		return written, errBareText
	case cause == nil: // words that nobody has classified
		return toolerr.Internal(errBareText).WithMessage(written.Message), errBareText
	case found && firstText(ctr) == envelopeOf(cause): // Failure has said no more than the error does
		return o.fromError(ctx, cause), cause
	case found:
		return written, cause
	case toolerr.CodeOf(cause) != "" || toolerr.CategoryOf(cause) != "": // the author's words beside the error
		return o.fromError(ctx, cause).WithMessage(written.Message), cause
	}
	return o.fromError(ctx, cause), cause // the text of an error that says something else each time it is asked
}

func isObject(text string) bool {
	_, ok := decodeObject(unframe(text))
	return ok
}

// envelopeOf is the text that [Failure] makes of err.
func envelopeOf(err error) string {
	if e := toolerr.From(err); e != nil {
		return string(e.AppendJSON(nil))
	}
	return ""
}

// fromError is [toolerr.From] with what only the middleware knows.
func (o *MiddlewareOptions) fromError(ctx context.Context, err error) *toolerr.Error {
	if p, ok := err.(*panicError); ok { //nolint:errorlint // ours, and never wrapped
		return toolerr.Internal(p)
	}
	e, revealed := o.judge(err)
	switch {
	case e == nil: // a nil *toolerr.Error
		return errNoError
	case revealed:
		return e.WithMessage(err.Error())
	case ctx.Err() != nil && e.Code == toolerr.CodeCanceled && !timeLimit(ctx):
		return e.WithMessage("The caller cancelled the call.")
	case timeLimit(ctx) && toolerr.CodeOf(err) == "" && (e.Code == toolerr.CodeTimeout || e.Code == toolerr.CodeCanceled):
		if e.Code == toolerr.CodeCanceled { // how some libraries take the end of a context
			e = toolerr.From(errTimeLimit)
		}
		return e.WithMessage(fmt.Sprintf("The tool did not finish within its time limit of %v.", o.Timeout))
	}
	return e
}

// judge is From with the author's rules, and reports whether the text of err may
// be shown.
func (o *MiddlewareOptions) judge(err error) (e *toolerr.Error, revealed bool) {
	for _, rule := range o.Rules {
		if e, ok := rule(err); ok {
			return e, false
		}
	}
	revealed = o.Reveal != nil && toolerr.CategoryOf(err) == "" && toolerr.CodeOf(err) == "" && o.Reveal(err)
	return toolerr.From(err), revealed
}

// authored reports whether somebody has judged a failure, and not From alone.
func (o *MiddlewareOptions) authored(cause error) bool {
	if cause == errEnvelope || toolerr.CategoryOf(cause) != "" || toolerr.CodeOf(cause) != "" { //nolint:errorlint // the very value
		return true
	}
	for _, rule := range o.Rules {
		if _, ok := rule(cause); ok {
			return true
		}
	}
	return false
}

// timeLimit reports whether it was our own limit that ended the handler's
// context.
func timeLimit(ctx context.Context) bool {
	return ctx.Err() != nil && context.Cause(ctx) == errTimeLimit //nolint:errorlint // the very value
}

// isUnknownTool reports whether a protocol error is the SDK's for a tool that
// the server does not have.
func isUnknownTool(wire *jsonrpc.Error) bool {
	return wire.Code == jsonrpc.CodeInvalidParams && strings.HasPrefix(wire.Message, "unknown tool ")
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
