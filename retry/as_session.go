package retry

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ListTools returns a page of the server's tool list. It connects if there is no session, and
// repeats the request once on a new session if the session is lost.
func (c *Client) ListTools(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
	for repeated := false; ; repeated = true {
		on, err := c.session(ctx)
		if err != nil {
			return nil, err
		}
		list, lost, err := on.ListTools(ctx, params)
		if !lost || repeated {
			return list, err
		}
	}
}

// AsSession returns the client as a session, for agents and adapters that take an SDK session. It
// connects on its own, and outlives its sessions with the server.
//
// CallTool returns a failure as a result with isError (see [result.Outcome.CallToolResult]), not as a
// Go error, because the model has to see it, and because programs repeat calls after connection errors.
// CallTool returns an *[Error] only if the context has ended. Wait returns when the client is closed.
// InitializeResult returns nil if there is no session. ListTools and Ping connect if necessary.
func (c *Client) AsSession() ClientSession { return clientSession{c} }

// A clientSession is a Client with the methods of an SDK session.
type clientSession struct{ *Client }

// CallTool calls [Client.CallTool], and returns a failure as a result.
func (s clientSession) CallTool(ctx context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	out, d := s.Client.CallTool(ctx, params)
	if out.AsError() != nil && ctx.Err() != nil {
		return nil, &Error{Err: out.AsError(), Decision: d, tool: out.Err, ctx: contextErrors(ctx)}
	}
	return out.CallToolResult(), nil
}

// InitializeResult returns the current session's, or nil if there is no session.
func (s clientSession) InitializeResult() *mcp.InitializeResult {
	if on := s.server().Current(); on != nil {
		return on.Conn().InitializeResult()
	}
	return nil
}

// Ping pings the server, and connects first if there is no session.
func (s clientSession) Ping(ctx context.Context, params *mcp.PingParams) error {
	on, err := s.session(ctx)
	if err != nil {
		return err
	}
	return on.Conn().Ping(ctx, params)
}

// Wait returns when the client is closed.
func (s clientSession) Wait() error {
	<-s.server().Life.Done()
	return nil
}
