package session

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// InitializeResult returns the current session's, or nil if there is no session.
func (s *Server) InitializeResult() *mcp.InitializeResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		return nil
	}
	return s.current.conn.InitializeResult()
}

// Ask makes a request of a caller other than a call. Again means that the session before refused the
// same request. If this session is lost, Ask reports it; it is replaced before the next request.
func Ask[T any](ctx context.Context, s *Session, again bool, request func(Conn) (T, error)) (_ T, lost bool, _ error) {
	answer, lost, err := ask(ctx, s, again, request)
	if err == nil {
		s.server.hasServed(s)
	}
	return answer, lost, err
}

// ask makes a request as described for Ask, which need not be a caller's.
func ask[T any](ctx context.Context, s *Session, again bool, request func(Conn) (T, error)) (_ T, lost bool, _ error) {
	answer, err := Await(func() (T, error) { return request(s.conn) })
	if err == nil {
		s.heard.Add(1)
		return answer, false, nil
	}
	out := result.Parse(nil, err)
	s.ended(ctx, &out, again)
	if errors.Is(out.Err, mcp.ErrSessionMissing) {
		err = out.Err
	}
	return answer, out.SessionLost, err
}
