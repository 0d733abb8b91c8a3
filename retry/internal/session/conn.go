package session

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// Current returns the current session, or nil.
func (s *Server) Current() *Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// Conn returns the session's connection.
func (s *Session) Conn() Conn { return s.conn }

// ListTools returns a page of the tool list, and reports whether the session was lost. A lost
// session is replaced before the next call.
func (s *Session) ListTools(ctx context.Context, params *mcp.ListToolsParams) (list *mcp.ListToolsResult, lost bool, err error) {
	list, err = Await(func() (*mcp.ListToolsResult, error) { return s.conn.ListTools(ctx, params) })
	if err == nil {
		s.server.hasAnswered(s)
	} else if lost = result.Parse(nil, err).SessionLost; lost {
		s.server.discard(s)
	}
	return list, lost, err
}
