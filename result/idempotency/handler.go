package idempotency

import (
	"context"
	"crypto/rand"
	"fmt"
	"reflect"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// AddTool adds a tool whose calls may be repeated: it calls [mcp.AddTool] with [Handler]. It
// panics if they do.
func AddTool[In, Out any](server *mcp.Server, tool *mcp.Tool, opts *Options, h mcp.ToolHandlerFor[In, Out]) {
	mcp.AddTool(server, tool, Handler(opts, h))
}

// Handler wraps the typed handler of a tool that takes an idempotency key. It includes
// [result.Handler]. A repeat with the same key and arguments gets the first answer, also a
// failure, without running h. The package documentation lists the other cases.
//
// Out must survive encoding and decoding as JSON. Otherwise a repeat fails with effect
// applied.
//
// Handler panics if In is a struct or a map without a place for the key, like [mcp.AddTool]
// for a type without a schema.
//
// If opts is nil, the tool has its own zero Options. The returned handler is as safe for
// concurrent use as h.
func Handler[In, Out any](opts *Options, h mcp.ToolHandlerFor[In, Out]) mcp.ToolHandlerFor[In, Out] {
	if opts == nil {
		opts = new(Options)
	}
	if takesMembers[In]() && !holdsMember[In](opts.argument()) {
		panic(fmt.Sprintf("idempotency.Handler: %v has no string for the idempotency key: give it a field with the tag `json:\"%s,omitempty\"`",
			reflect.TypeFor[In](), opts.argument()))
	}
	h = result.Handler(h)
	return func(ctx context.Context, req *mcp.CallToolRequest, in In) (res *mcp.CallToolResult, out Out, err error) {
		arguments, err := argumentsOf(req)
		if err != nil {
			return nil, out, err
		}
		key, err := opts.keyOf(arguments)
		if err != nil {
			return nil, out, err
		}
		c := &call{opts: opts, ctx: ctx, key: key, arguments: req.Params.Arguments}
		if key == "" {
			c.key, c.madeKey = rand.Text(), true
			if !takesMembers[In]() || setMember(&in, opts.argument(), c.key) != nil {
				return h(ctx, req, in)
			}
		}
		switch first, err := c.start(req, arguments); {
		case err != nil:
			return nil, out, c.refused(err)
		case first == nil && ctx.Err() != nil: // the context has ended before the start
			return nil, out, c.refused(c.fail(toolerr.From(ctx.Err()).WithEffect(toolerr.EffectNone)))
		case first == nil:
			return run(c, h, req, in)
		default:
			c.authored = first.authored()
			res, err = first.replay(&out)
			return res, out, c.refused(c.stored(err))
		}
	}
}

// run runs the handler of a call that has claimed its key.
func run[In, Out any](c *call, h mcp.ToolHandlerFor[In, Out], req *mcp.CallToolRequest, in In) (res *mcp.CallToolResult, out Out, err error) {
	defer func() {
		if c.resolved {
			return
		}
		if p := recover(); p != nil { // from the handler, or from a rule, which is not called again
			cause := failure.Recovered(p)
			err = c.failure(c.fail(toolerr.Internal(cause)), cause)
		} else { // runtime.Goexit: there will be no answer
			_ = c.fail(toolerr.Internal(nil))
		}
	}()
	c.running.keep(c)
	defer c.running.end()
	ctx, cancel := withGrace(c.ctx, c.opts.grace())
	defer cancel()
	res, out, err = h(ctx, req, in)
	if end, ok := ctx.Deadline(); ok && !time.Now().Before(end) {
		<-c.ctx.Done() // it has the reason, and may end a moment later
	}
	switch {
	case err != nil:
		return nil, out, c.failed(ctx, err)
	case res != nil && res.InputRequests != nil:
		c.finish(Ending{Effect: toolerr.EffectNone}) // the client repeats the call with the input
	default:
		c.succeed(res, out, new(Out))
	}
	return res, out, nil
}
