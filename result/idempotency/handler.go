package idempotency

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"reflect"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// AddTool adds a tool whose calls may be repeated: it calls [mcp.AddTool] with [Handler]. It panics
// if either panics, if the tool is annotated as read-only, or if its InputSchema has no argument
// for the key.
func AddTool[In, Out any](server *mcp.Server, tool *mcp.Tool, opts *Options, h mcp.ToolHandlerFor[In, Out]) {
	mcp.AddTool(server, tool, handler(cmp.Or(opts, new(Options)).toolOf(tool), opts, h))
}

// Handler wraps the typed handler of a tool that takes an idempotency key. It includes
// [result.Handler]. The package documentation lists what a repeat gets.
//
// Handler does not know the tool's annotations or the defaults of its input schema; AddTool does.
//
// Out must survive encoding and decoding as JSON; otherwise a repeat fails with effect applied.
//
// Like [mcp.AddTool] for a type without a schema, Handler panics if In is a struct or a map that
// cannot hold the key, or if a duration of opts is positive and shorter than a millisecond, or its Lease negative.
//
// Opts may be nil. The returned handler is as safe for concurrent use as h.
func Handler[In, Out any](opts *Options, h mcp.ToolHandlerFor[In, Out]) mcp.ToolHandlerFor[In, Out] {
	return handler(tool{}, opts, h)
}

func handler[In, Out any](known tool, opts *Options, h mcp.ToolHandlerFor[In, Out]) mcp.ToolHandlerFor[In, Out] {
	opts = cmp.Or(opts, new(Options))
	opts.check()
	if takesMembers[In]() && !holdsMember[In](opts.argument()) {
		panic(fmt.Sprintf("idempotency.Handler: %v has no string for the idempotency key: give it a field with the tag "+
			"`json:\"%s,omitempty\"`",
			reflect.TypeFor[In](), opts.argument()))
	}
	known.types = digest(typeName[In](), typeName[Out]())
	h = result.Handler(h)
	return func(ctx context.Context, req *mcp.CallToolRequest, in In) (res *mcp.CallToolResult, out Out, err error) {
		arguments, key, err := opts.read(req)
		if err != nil {
			return nil, out, err
		}
		c := &call{opts: opts, tool: known, ctx: ctx, detached: context.WithoutCancel(ctx), key: key, params: req.Params}
		opts.open.Add(1)
		defer opts.open.Add(-1)
		if key == "" {
			c.key, c.madeKey = rand.Text(), true
			if !takesMembers[In]() || setMember(&in, opts.argument(), c.key) != nil {
				return h(ctx, req, in)
			}
		}
		first, e := c.start(req, arguments)
		switch {
		case e != nil:
		case first != nil:
			if res, e = first.replay(&out); e == nil {
				return res, out, nil
			}
		case ctx.Err() != nil: // the context has ended before h runs
			return nil, out, c.fail(toolerr.From(ctx.Err()).WithEffect(toolerr.EffectNone), failure.Findings{Cause: ctx.Err()})
		default:
			return run(c, h, req, in)
		}
		return nil, out, c.packed(e, failure.Findings{Cause: e.Unwrap(), Said: res})
	}
}

// run runs the handler of a call that has claimed its key, and stores how it ends.
func run[In, Out any](
	c *call, h mcp.ToolHandlerFor[In, Out], req *mcp.CallToolRequest, in In,
) (res *mcp.CallToolResult, out Out, err error) {
	defer c.keepClaim()()
	defer func() {
		if c.resolved {
			return
		}
		var cause error
		if p := recover(); p != nil { // from the handler, or from a rule, which is not called again
			cause = failure.Recovered(p)
		} // else runtime.Goexit: there will be no answer
		err = c.fail(toolerr.Internal(cause), failure.Findings{Cause: cause})
	}()
	ctx, cancel := c.withGrace()
	defer cancel()
	res, out, err = h(ctx, req, in)
	if end, ok := ctx.Deadline(); ok && !time.Now().Before(end) {
		<-c.ctx.Done() // it has the reason, and may end a moment later
	}
	wire, isWire := err.(*jsonrpc.Error) //nolint:errorlint // only a direct one is meant as a protocol error
	switch {
	case isWire && wire != nil && wire.Code != 0:
		c.finish(cmp.Or(foreign.ProtocolError(wire).Effect, toolerr.EffectUnknown), nil)
		return nil, out, err
	case err != nil:
		return nil, out, c.fail(c.classify(ctx, err))
	case res != nil && res.InputRequests != nil:
		c.finish(toolerr.EffectNone, nil) // the client repeats the call with the input
	default:
		c.finish(toolerr.EffectApplied, answerOf(res, out, new(Out)))
	}
	return res, out, nil
}
