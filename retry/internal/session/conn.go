package session

import (
	"context"
	"errors"

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

// Ask makes a request of a caller other than a call. Again means that the session before refused the
// same request. If this session is lost, Ask reports it; it is replaced before the next request.
func Ask[T any](ctx context.Context, s *Session, again bool, request func(Conn) (T, error)) (answer T, lost bool, err error) {
	if answer, lost, err = ask(ctx, s, again, request); err == nil {
		s.replaces.Store(false)
	}
	return answer, lost, err
}

// ask makes a request as described for Ask, which need not be a caller's.
func ask[T any](ctx context.Context, s *Session, again bool, request func(Conn) (T, error)) (answer T, lost bool, err error) {
	answer, err = Await(func() (T, error) { return request(s.conn) })
	if err == nil {
		s.server.hasAnswered(s)
		return answer, false, nil
	}
	out := result.Parse(nil, err)
	s.ended(ctx, &out, again)
	if errors.Is(out.Err, mcp.ErrSessionMissing) {
		err = out.Err
	}
	return answer, out.SessionLost, err
}
