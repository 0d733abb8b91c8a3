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
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
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
	said      *mcp.CallToolResult // the author's own text and content, or nil
}

// result returns the failed result of the call, and logs and counts it. The context is the
// caller's.
//
// The sources that describe decide what failed; the tool and the call then decide the effect
// and the flag; what is still missing, the identifier, is added.
func (f *failedCall) result(ctx context.Context) *mcp.CallToolResult {
	if f.err == nil && f.res == nil {
		f.err = failure.ErrNilResult
	}
	f.tool = f.tools.find(ctx, f.next, f.req, f.name)
	described, cause := f.describe()
	kept := failure.Keyed(f.res)
	keyed := kept || hasKey(f.tool, f.arguments)
	final, unsure := forTool(described, f.tool, keyed)
	c := *final // described may be a template
	switch {
	case keyed && !kept && c.Effect != toolerr.EffectNone:
		f.advise("a tool that takes an idempotency key does not keep its calls", adviceKey)
	case unsure && f.tool.KeyArgument() == "": // with a key it would be
		f.advise("failure not retryable: the tool does not declare that a repeat is safe", adviceAnnotation)
	}
	if c.CorrelationID == "" {
		c.CorrelationID = f.newID()
	}
	e, content := failure.Content(&c, f.said)
	f.report(e, cause, "tool_error")
	// A new result, because the old one may ask for input, have structured content,
	// lack a resultType, or be shared by calls.
	out := failure.ResultFor(f.req, content)
	if f.res != nil && f.res.Meta != nil {
		if meta, err := failure.EncodedMeta(f.res.Meta); err == nil {
			delete(meta, kindKey) // it is no longer a success
			out.Meta = meta
		}
	}
	failure.Attach(out, cause, e) // for middleware around this one
	return out
}

// describe returns the envelope and its cause, and sets the author's own content. The
// sources, of which the first one decides:
//
//  1. the SDK has refused the arguments: what the tool's schema says about them,
//  2. the output cannot be encoded, so that the tool has run: an internal failure,
//  3. the result and the error: see [failure.Classifier.Describe].
//
// If one of them panics, the failure is internal.
func (f *failedCall) describe() (e *toolerr.Error, cause error) {
	defer func() {
		if p := recover(); p != nil { // in a rule, or in a method of the error
			e, cause = f.afterPanic(failure.Recovered(p))
		}
	}()
	f.res, f.err = failure.Unpack(f.res, f.err)
	f.rules = f.classifier
	f.rules.IsArgument, f.rules.Arguments = f.isArgument, &f.sent
	if f.err == nil && f.res.GetError() != nil { // the SDK returns its validation errors in a result
		refused := f.res.GetError()
		if e = fromArgumentError(refused, f.rules.TextOf(refused), f.tool, f.arguments); e != nil {
			f.said = f.rules.Revealed(refused)
			return e, errArguments
		}
	}
	if f.err != nil && (f.output || sdktext.IsOutput(f.rules.TextOf(f.err))) {
		f.said = f.rules.Revealed(f.err)
		return toolerr.Internal(f.err), f.err
	}
	e, f.said, cause = f.rules.Describe(f.ctx, f.res, f.err)
	f.said = f.withoutZeroOutput()
	return e, cause
}

// isArgument reports whether a path begins with one of the tool's arguments.
func (f *failedCall) isArgument(path string) bool {
	if i := strings.IndexAny(path, ".["); i >= 0 {
		path = path[:i]
	}
	_, ok := f.tool.Input().Properties()[path]
	return ok
}

// afterPanic is describe without the configured functions, after one of them or the error
// panicked.
func (f *failedCall) afterPanic(p *failure.PanicError) (*toolerr.Error, error) {
	f.rules = f.classifier // without the text of the error, which is not the cause
	err := f.err
	if err == nil && f.res != nil {
		err = f.res.GetError()
	}
	if e := toolerr.From(err); e != nil {
		return e, errors.Join(p, err)
	}
	return failure.ErrNoError, p
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
	f.report(foreign.ProtocolError(wire), nil, fmt.Sprint(wire.Code))
	if len(wire.Data) > 0 && !jsonvalue.Valid(wire.Data) {
		c := *wire // data that cannot be encoded would prevent an answer
		c.Data = nil
		return &c
	}
	return wire
}

// isUnknownTool reports whether a protocol error is the SDK's for a tool that
// the server does not have.
func isUnknownTool(wire *jsonrpc.Error) bool {
	return wire.Code == jsonrpc.CodeInvalidParams && strings.HasPrefix(wire.Message, sdktext.UnknownTool)
}
