package retry

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/retry/internal/session"
)

// ListTools returns a page of the server's tool list. It may connect, after the pause, and repeats
// the request once if the session is lost.
func (c *Client) ListTools(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
	return session.Ask(ctx, c.server(), func(on session.Conn) (*mcp.ListToolsResult, error) {
		return on.ListTools(ctx, params)
	})
}

// AsSession returns the client as a session that outlives those with the server. Its CallTool
// returns a failure as a result with isError, which the model sees and no program repeats, or an
// *[Error] if the context has ended. Wait returns when the client is closed. InitializeResult may be nil.
func (c *Client) AsSession() ClientSession { return clientSession{c} }

// A clientSession is a Client with the methods of an SDK session.
type clientSession struct{ *Client }

// CallTool calls [Client.CallTool], and returns a failure as a result.
func (s clientSession) CallTool(ctx context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	out, d := s.Client.CallTool(ctx, params)
	if out.AsError() != nil && ctx.Err() != nil {
		return nil, &Error{Err: out.AsError(), Decision: d, tool: out.Err, ctx: contextError(ctx)}
	}
	return out.CallToolResult(), nil
}

// InitializeResult returns the current session's, or nil if there is no session.
func (s clientSession) InitializeResult() *mcp.InitializeResult { return s.server().InitializeResult() }

// Ping pings the server, on a session as for ListTools.
func (s clientSession) Ping(ctx context.Context, params *mcp.PingParams) error {
	_, err := session.Ask(ctx, s.server(), func(on session.Conn) (any, error) { return nil, on.Ping(ctx, params) })
	return err
}

// Wait returns when the client is closed.
func (s clientSession) Wait() error {
	<-s.server().Life.Done()
	return nil
}
