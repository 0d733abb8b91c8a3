package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/correlation"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/nearmiss"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A failedCall is a failed tool call, or another request whose handler panicked or returned nil.
type failedCall struct {
	call

	res      *mcp.CallToolResult
	err      error
	isOutput bool // err is about the result, which cannot be encoded

	tool  *toolinfo.Tool     // nil if it is not known
	rules failure.Classifier // the middleware's, for this call
}

// result returns the failed result of the call, and reports it.
func (f *failedCall) result() *mcp.CallToolResult {
	f.tool = f.find()
	found := f.findings()
	found.Said = f.withoutZeroOutput(found.Said)
	e := f.envelope(found)
	sent, content := failure.Content(e, found.Said)
	f.advise(sent, found)
	f.report(sent, found, toolError)
	// A new result, because the old one may ask for input, have structured content,
	// lack a resultType, or be shared by calls.
	out := failure.ResultFor(f.req, content)
	if f.res != nil {
		if meta, err := failure.EncodedMeta(f.res.Meta); err == nil {
			delete(meta, kindKey) // it is no longer a success
			out.Meta = meta
		}
	}
	failure.Attach(out, found.Cause, sent) // for middleware around this one
	return out
}

// findings returns what the error or result, the arguments and the context reveal about the
// failure.
func (f *failedCall) findings() (found failure.Findings) {
	f.res, f.err = failure.Unpack(f.res, f.err)
	f.rules.Tool, f.rules.Arguments.Raw = f.tool, f.arguments
	defer func() {
		if p := recover(); p != nil { // in a rule or Reveal
			f.rules.Rules, f.rules.Reveal = nil, nil
			panicked := failure.Recovered(p)
			found = f.rules.Collect(f.ctx, f.res, f.err)
			found.Cause = errors.Join(panicked, found.Cause)
		}
	}()
	//nolint:errorlint // the very values
	if e, ok := f.err.(*toolerr.Error); ok && e != nil && e.Unwrap() == errArguments {
		return failure.Findings{Failure: e, Cause: errArguments}
	}
	if f.err == nil {
		cause := f.res.GetError()
		if e := f.argumentError(cause); e != nil {
			return failure.Findings{Failure: e, Cause: errArguments, Said: f.rules.Revealed(cause)}
		}
	} else if f.isOutput || sdktext.IsOwnOutput(failure.Text(f.err)) {
		return failure.Findings{Failure: toolerr.Internal(f.err), Cause: f.err, Said: f.rules.Revealed(f.err)}
	}
	return f.rules.Collect(f.ctx, f.res, f.err)
}

// envelope returns the failure for the tool and the server, with a correlation id.
func (f *failedCall) envelope(found failure.Findings) *toolerr.Error {
	var hints toolerr.ToolAnnotations
	if f.tool != nil && f.tool.Annotations != nil {
		hints.ReadOnly, hints.Idempotent = f.tool.Annotations.ReadOnlyHint, f.tool.Annotations.IdempotentHint
	}
	if name := f.tool.KeyArgument(); found.Failure.Partial == nil { // else the call that continues has another key
		hints.Idempotent = hints.Idempotent || failure.CallOf(f.ctx).Claim.IsSent || name != "" && f.texts()[name] != nil
	}
	e := found.Failure.Resolve(hints)
	if e.CorrelationID == "" {
		e.CorrelationID = f.newID() // of a copy
	}
	return e
}

func (c *call) newID() (id string) {
	defer func() {
		if recover() != nil || id == "" { // a panic in the author's function must not replace the answer
			id = correlation.ID()
		}
	}()
	if c.opts.CorrelationID != nil {
		id = c.opts.CorrelationID(c.ctx)
	}
	return id
}

// protocolError reports a protocol error, and returns it with near misses if it is the SDK's for an
// unknown tool, and without data that cannot be encoded.
func (c *call) protocolError(wire *jsonrpc.Error) error {
	f, with := failedCall{call: *c}, *wire
	isUnknown := wire.Code == jsonrpc.CodeInvalidParams && strings.HasPrefix(wire.Message, sdktext.UnknownTool)
	if !isUnknown { // an unknown tool is not in the list
		f.tool = c.find()
	}
	f.report(foreign.ProtocolError(wire), failure.Findings{}, fmt.Sprint(wire.Code))
	if len(wire.Data) > 0 && !jsonvalue.Valid(wire.Data) {
		with.Data = nil // it would prevent an answer
		return &with
	}
	if isUnknown && len(wire.Data) == 0 {
		tools, _ := c.listTools() // the session's own, from which middleware may hide names
		if near := nearmiss.Find(c.name, slices.Sorted(maps.Keys(tools))); len(near) > 0 {
			with.Data, _ = json.Marshal(map[string][]string{"suggestions": near})
			return &with
		}
	}
	return wire
}

// texts returns the arguments that are texts, and not empty.
func (c *call) texts() map[string]any {
	var members map[string]any
	_ = json.Unmarshal(c.arguments, &members) // what are no members has no texts
	maps.DeleteFunc(members, func(_ string, v any) bool { text, _ := v.(string); return text == "" })
	return members
}
