package retry

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options returns the options of the [mcp.Client] that [Client.Connect] connects with: a
// copy of opts, which may be nil, that lets the client know what a server says besides its
// answers. That its tools have changed makes the client list them anew; that a call makes
// progress lets it wait on, if the policy has an IdleTimeout; and a call in the middle of
// which the server has asked a person, by a request of its own, is not repeated. The
// handlers of opts are called as well. The SDK's own loop for input is disabled: it lies
// below the client, and calls a server that sheds load three times without a pause, which
// no Policy or Budget sees.
//
//	mcp.NewClient(implementation, client.Options(nil))
//
// Without it a client works, and learns of none of these.
func (c *Client) Options(opts *mcp.ClientOptions) *mcp.ClientOptions {
	var with mcp.ClientOptions
	if opts != nil {
		with = *opts
	}
	with.MultiRoundTrip = &mcp.MultiRoundTripOptions{Disabled: true}
	with.ToolListChangedHandler = func(ctx context.Context, req *mcp.ToolListChangedRequest) {
		c.tools.forget()
		if opts != nil && opts.ToolListChangedHandler != nil {
			opts.ToolListChangedHandler(ctx, req)
		}
	}
	with.ProgressNotificationHandler = func(ctx context.Context, req *mcp.ProgressNotificationClientRequest) {
		c.progressed(req.Params)
		if opts != nil && opts.ProgressNotificationHandler != nil {
			opts.ProgressNotificationHandler(ctx, req)
		}
	}
	if opts != nil && opts.ElicitationHandler != nil {
		with.ElicitationHandler = func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			c.asked.Add(1)
			return opts.ElicitationHandler(ctx, req)
		}
	}
	return &with
}
