package retry

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options returns the options for the [mcp.Client] that [Client.Connect] uses: a copy of
// opts, which may be nil, with handlers for notifications and requests of the server.
//
//   - A changed tool list is read again.
//   - Progress of a call prolongs it if the policy has an IdleTimeout.
//   - A call during which the server has asked a person is not repeated.
//
// The handlers of opts are called as well. The SDK's own loop for input is disabled,
// because it calls a server that sheds load three times without a pause, unseen by Policy
// and Budget.
//
//	mcp.NewClient(implementation, client.Options(nil))
//
// A client also works without these options, but is not notified.
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
