package result

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/correlation"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A failedCall is a call that returned a failed result, an error, or neither a result nor an
// error.
type failedCall struct {
	*middleware

	ctx       context.Context //nolint:containedctx // the handler's, lives as long as the call
	req       mcp.Request
	name      string
	arguments json.RawMessage
	sent      evidence.Arguments // the same, to look up the names in errors
	rules     failure.Classifier // the middleware's, for this call
	tool      *toolinfo.Tool     // nil if it is not known
	res       *mcp.CallToolResult
	err       error
	output    bool // err is about the result, which cannot be encoded
	elapsed   time.Duration
	authored  *mcp.CallToolResult // the author's own text and content, or nil
}

// result returns the failed result of the call, and logs and counts it. The context is the
// caller's.
func (f *failedCall) result(ctx context.Context) *mcp.CallToolResult {
	if f.err == nil && f.res == nil {
		f.err = failure.ErrNilResult
	}
	f.tool = f.tools.find(ctx, f.next, f.req, f.name)
	e, cause := f.describe()
	c := *e // e may be a template
	if f.isInWords(cause) {
		f.readSystemWords(&c)
		f.dropRefuted(&c)
	}
	f.readWords(&c)
	final, unsure := resolved(&c, f.tool, failure.Keyed(f.res) || hasKey(f.tool, f.arguments))
	c = *final
	if unsure {
		f.adviseAnnotation()
	}
	f.readSteps(&c)
	if c.CorrelationID == "" {
		c.CorrelationID = f.newID()
	}
	f.record(&c, cause, "tool_error")
	e, content := failure.Content(&c, f.authored)
	// A new result, because the old one may ask for input, have structured content,
	// lack a resultType, or be shared by calls.
	out := failure.ResultFor(f.req, content)
	if f.res != nil && f.res.Meta != nil {
		if meta, err := failure.Encoded(f.res.Meta); err == nil {
			delete(meta, kindKey) // it is no longer a success
			out.Meta = meta
		}
	}
	failure.Record(out, cause, e) // for middleware around this one
	return out
}

// newID returns a new correlation id.
func (f *failedCall) newID() (id string) {
	defer func() {
		if recover() != nil || id == "" { // a panic in the author's function must not replace the answer
			id = correlation.ID()
		}
	}()
	if f.opts.CorrelationID != nil {
		id = f.opts.CorrelationID(f.ctx)
	}
	return id
}

// protocolError logs and counts a protocol error, and returns it.
func (f *failedCall) protocolError(ctx context.Context, wire *jsonrpc.Error) error {
	if !isUnknownTool(wire) { // it is not in the list
		f.tool = f.tools.find(ctx, f.next, f.req, f.name)
	}
	f.record(foreign.ProtocolError(wire), nil, fmt.Sprint(wire.Code))
	if len(wire.Data) > 0 && !jsonvalue.Valid(wire.Data) {
		c := *wire // data that cannot be encoded would prevent an answer
		c.Data = nil
		return &c
	}
	return wire
}

// describe returns the envelope and its cause.
func (f *failedCall) describe() (e *toolerr.Error, cause error) {
	defer func() {
		if p := recover(); p != nil { // in a rule, or in a method of the error
			e, cause = f.afterPanic(failure.Recovered(p))
		}
	}()
	f.res, f.err = failure.Unpack(f.res, f.err)
	if f.err == nil && f.res.GetError() != nil { // the SDK returns its validation errors in a result
		if bad := fromArgumentError(f.res.GetError(), f.tool, f.arguments); bad != nil {
			f.authored = f.classifier.Revealed(f.res.GetError())
			return bad, errArguments
		}
	}
	if f.err != nil && (f.output || isOutputError(f.err)) {
		f.authored = f.classifier.Revealed(f.err)
		return toolerr.Internal(f.err), f.err
	}
	f.rules = f.classifier
	f.rules.IsArgument, f.rules.Arguments = f.isArgument, &f.sent
	e, f.authored, cause = f.rules.Describe(f.ctx, f.res, f.err)
	f.authored = f.withoutZeroOutput()
	return e, cause
}

// isInWords reports whether a failure was classified only by an author's text.
func (f *failedCall) isInWords(cause error) bool {
	if cause == failure.ErrBareText { //nolint:errorlint // compared by identity
		return !foreign.IsObject(foreign.FirstText(f.res))
	}
	return f.authored != nil && cause != nil && cause != errArguments && f.classifier.InWords(cause) //nolint:errorlint // compared by identity
}

// isOutputError reports whether an error is the SDK's for an output that cannot be encoded
// or does not fit the output schema. The tool has run, and the error is not about the call's
// arguments.
func isOutputError(err error) bool {
	text := failure.Text(err)
	return strings.HasPrefix(text, "marshaling output: ") || strings.HasPrefix(text, "validating tool output: ")
}

// afterPanic is describe without the configured functions, after one of them or the error
// panicked.
func (f *failedCall) afterPanic(p *failure.PanicError) (*toolerr.Error, error) {
	err := f.err
	if err == nil && f.res != nil {
		err = f.res.GetError()
	}
	if e := toolerr.From(err); e != nil {
		return e, errors.Join(p, err)
	}
	return failure.ErrNoError, p
}

// isUnknownTool reports whether a protocol error is the SDK's for a tool that
// the server does not have.
func isUnknownTool(wire *jsonrpc.Error) bool {
	return wire.Code == jsonrpc.CodeInvalidParams && strings.HasPrefix(wire.Message, "unknown tool ")
}
