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

// AddTool adds a tool whose calls may be repeated: it is [mcp.AddTool] with [Handler].
// It panics when they do.
func AddTool[In, Out any](server *mcp.Server, tool *mcp.Tool, opts *Options, h mcp.ToolHandlerFor[In, Out]) {
	mcp.AddTool(server, tool, Handler(opts, h))
}

// Handler wraps the typed handler of a tool that takes an idempotency key, in
// place of [result.Handler], which it includes: a repeat with the same key and
// arguments gets the first answer, a failure included, without a run of h. The package
// documentation says what else a repeat may get.
//
// Out has to survive encoding and decoding as JSON: if it does not, a repeat is told
// that the call was made.
//
// Handler panics if In is a struct or a map that cannot hold the key, as
// [mcp.AddTool] does if it can make no schema of In.
//
// If opts is nil, the tool has an Options of its own, the zero value. It is as safe for
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
		switch first, err := c.begin(req, arguments); {
		case err != nil:
			return nil, out, c.refused(err)
		case first == nil && ctx.Err() != nil: // it is over before it began
			return nil, out, c.refused(c.fail(toolerr.From(ctx.Err()).WithEffect(toolerr.EffectNone)))
		case first == nil:
			return run(c, h, req, in)
		default:
			c.said = first.said()
			res, err = first.replay(&out)
			return res, out, c.refused(c.asKept(err))
		}
	}
}

// run carries out a call that has claimed its key.
func run[In, Out any](c *call, h mcp.ToolHandlerFor[In, Out], req *mcp.CallToolRequest, in In) (res *mcp.CallToolResult, out Out, err error) {
	defer func() {
		if c.resolved {
			return
		}
		if p := recover(); p != nil { // of the handler, or of a rule, which is not asked again
			cause := failure.Recovered(p)
			err = c.failure(c.fail(toolerr.Internal(cause)), cause)
		} else { // runtime.Goexit: nobody will be answered
			_ = c.fail(toolerr.Internal(nil))
		}
	}()
	c.running.keep(c)
	defer c.running.end()
	ctx, cancel := withGrace(c.ctx, c.opts.grace())
	defer cancel()
	res, out, err = h(ctx, req, in)
	if end, ok := ctx.Deadline(); ok && !time.Now().Before(end) {
		<-c.ctx.Done() // which says why, and may come a moment later
	}
	switch {
	case err != nil:
		return nil, out, c.failed(err)
	case res != nil && res.InputRequests != nil:
		c.finish(Ending{Effect: toolerr.EffectNone}) // the call comes again, with the input
	default:
		c.succeed(res, out, new(Out))
	}
	return res, out, nil
}
