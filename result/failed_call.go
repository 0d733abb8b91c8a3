package result

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/correlation"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result/internal/encodable"
	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A failedCall is a call that came back with a failed result or an error, or with
// neither.
type failedCall struct {
	*middleware

	ctx       context.Context //nolint:containedctx // the handler's, lives as long as the call
	req       mcp.Request
	name      string
	arguments json.RawMessage
	sent      *evidence.Arguments // the same, for what errors name
	tool      *toolinfo.Tool      // nil if it is not known
	res       *mcp.CallToolResult
	err       error
	output    bool // err is about the result, which cannot be encoded
	elapsed   time.Duration
	said      *mcp.CallToolResult // what the author has said himself, or nil
}

// result makes the failed result of the call, and logs and counts it. The context is
// the caller's.
func (f *failedCall) result(ctx context.Context) *mcp.CallToolResult {
	if f.err == nil && f.res == nil {
		f.err = failure.ErrNilResult
	}
	f.tool = f.tools.find(ctx, f.next, f.req, f.name)
	e, cause := f.describe()
	c := *e // e may be a template
	if f.isInWords(cause) {
		f.readSystemWords(&c)
		f.weighWords(&c)
	}
	f.readWords(&c)
	if resolve(&c, f.tool, failure.Keyed(f.res) || hasKey(f.tool, f.arguments)) {
		f.adviseAnnotation()
	}
	f.readSteps(&c)
	if c.CorrelationID == "" {
		c.CorrelationID = f.newID()
	}
	f.record(&c, cause, "tool_error")
	e, content := failure.Content(&c, f.said)
	// A new result, because the old one may ask for input, have structured content,
	// lack a resultType, or be shared by calls.
	out := failure.ResultFor(f.req, content)
	if f.res != nil && encodable.Try(f.res.Meta) == nil {
		out.Meta = maps.Clone(f.res.Meta)
		delete(out.Meta, kindKey) // it is no success any more
	}
	failure.Record(out, cause, e) // for middleware around this one
	return out
}

// newID returns what finds the failure in the log.
func (f *failedCall) newID() (id string) {
	defer func() {
		if recover() != nil || id == "" { // the author's function must not cost the answer
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
	if !isUnknownTool(wire) { // no need to ask again
		f.tool = f.tools.find(ctx, f.next, f.req, f.name)
	}
	f.record(foreign.ProtocolError(wire), nil, fmt.Sprint(wire.Code))
	if len(wire.Data) > 0 && !jsonvalue.Valid(wire.Data) {
		c := *wire // what cannot be encoded is never answered
		c.Data = nil
		return &c
	}
	return wire
}

// describe returns the envelope and the cause behind it.
func (f *failedCall) describe() (e *toolerr.Error, cause error) {
	defer func() {
		if p := recover(); p != nil { // of a rule, or a method of the error
			e, cause = f.afterPanic(failure.Recovered(p))
		}
	}()
	f.res, f.err = failure.Unpack(f.res, f.err)
	if f.err == nil && f.res.GetError() != nil { // the SDK puts its complaints in a result
		if bad := fromArgumentError(f.res.GetError(), f.tool, f.arguments); bad != nil {
			f.said = f.classifier.Revealed(f.res.GetError())
			return bad, errArguments
		}
	}
	if f.err != nil && (f.output || isOutputError(f.err)) {
		f.said = f.classifier.Revealed(f.err)
		return toolerr.Internal(f.err), f.err
	}
	classifier := f.classifier
	classifier.IsArgument, classifier.Arguments = f.isArgument, f.sent
	e, f.said, cause = classifier.Describe(f.ctx, f.res, f.err)
	f.said = f.withoutZeroOutput()
	return e, cause
}

// isInWords reports whether a failure was classified by nothing but an author's words.
func (f *failedCall) isInWords(cause error) bool {
	if cause == failure.ErrBareText { //nolint:errorlint // the very value
		return !foreign.IsObject(foreign.FirstText(f.res))
	}
	return f.said != nil && cause != nil && cause != errArguments && f.classifier.InWords(cause) //nolint:errorlint // the very value
}

// isOutputError reports whether the SDK says that a tool has run, and that what it
// returned cannot be encoded or does not fit its output schema: whatever the errors
// inside are about, it is not the call's arguments.
func isOutputError(err error) bool {
	text := failure.Text(err)
	return strings.HasPrefix(text, "marshaling output: ") || strings.HasPrefix(text, "validating tool output: ")
}

// afterPanic is describe without what the server's author has configured, when that
// or the error panicked.
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
