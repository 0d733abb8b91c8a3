package result

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/encodable"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

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
		f.err = failure.ErrNilResult
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
	out := failure.ResultFor(f.req, string(c.AppendJSON(nil)))
	if f.ctr != nil && encodable.Try(f.ctr.Meta) == nil {
		out.Meta = maps.Clone(f.ctr.Meta)
		delete(out.Meta, kindKey) // it is no success any more
	}
	failure.Record(out, cause, &c) // for middleware around this one
	return out
}

// protocolError logs and counts a protocol error, and returns it.
func (f *failedCall) protocolError(wire *jsonrpc.Error) error {
	name, _ := calledTool(f.req)
	var tool *mcp.Tool
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

// describe returns the envelope and the cause behind it.
func (f *failedCall) describe(tool *mcp.Tool, arguments json.RawMessage) (e *toolerr.Error, cause error) {
	defer func() {
		if p := recover(); p != nil { // of a rule, or a method of the error
			e, cause = f.afterPanic(failure.Recovered(p))
		}
	}()
	f.ctr, f.err = failure.Unpack(f.ctr, f.err)
	if f.ctr != nil && f.err == nil { // the SDK puts its complaints in a result
		if bad := fromArgumentError(f.ctr.GetError(), tool, arguments); bad != nil {
			return bad, errArguments
		}
	}
	return f.classifier.Describe(f.ctx, f.ctr, f.err)
}

// afterPanic is describe without what the server's author has configured, when that
// or the error panicked.
func (f *failedCall) afterPanic(p *failure.Panic) (*toolerr.Error, error) {
	err := f.err
	if err == nil && f.ctr != nil {
		err = f.ctr.GetError()
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
