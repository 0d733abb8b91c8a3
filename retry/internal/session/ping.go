package session

import (
	"context"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// minPing and maxPing bound the time for a ping, which is otherwise that of an attempt.
// Chosen: a ping takes milliseconds, or some hundred on a loaded machine.
const minPing, maxPing = 500 * time.Millisecond, 2 * time.Second

// awaitPing waits until a running ping of the current session is decided.
func (s *Server) awaitPing(ctx context.Context) error {
	s.mu.Lock()
	var ping <-chan struct{}
	if s.current != nil {
		ping = s.current.ping
	}
	s.mu.Unlock()
	if ping == nil {
		return nil
	}
	select {
	case <-ping:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// survives pings the server, and reports whether the session continues. It returns when
// the context ends.
func (s *Session) survives(ctx context.Context) bool {
	if ping := s.startPing(); ping != nil {
		select {
		case <-ping:
		case <-ctx.Done():
		}
	}
	return s.over.Err() == nil
}

// startPing pings the server in the background, and replaces the session if there is no
// response. It returns a channel that is closed when that is decided, or nil if the session
// is replaced already.
func (s *Session) startPing() <-chan struct{} {
	server := s.server
	server.mu.Lock()
	defer server.mu.Unlock()
	if s.ping != nil || server.current != s {
		return s.ping
	}
	ping := make(chan struct{})
	s.ping = ping
	limit := maxPing
	if server.AttemptTimeout > 0 {
		limit = min(max(server.AttemptTimeout, minPing), maxPing)
	}
	go func() {
		alive := s.isAlive(limit)
		server.mu.Lock()
		defer server.mu.Unlock()
		defer close(ping)
		s.ping = nil
		if alive || server.current != s {
			return
		}
		if s.left.Load() > 0 {
			s.cancel() // the server does not read, so it cannot be asked to end
		}
		server.drop(s)
	}()
	return ping
}

// isAlive reports whether the server responds in time and no request is left behind.
func (s *Session) isAlive(limit time.Duration) bool {
	heard := s.heard.Load()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	answer := make(chan error, 1)
	go func() {
		_, err := Await(func() (any, error) { return nil, s.conn.Ping(ctx, nil) })
		answer <- err
	}()
	select {
	case err := <-answer:
		if err != nil && (ctx.Err() != nil && s.heard.Load() == heard || result.Parse(nil, err).SessionLost) {
			return false
		}
		for s.left.Load() > 0 && ctx.Err() == nil { // the server may only be slow
			select {
			case <-time.After(drainGrace):
			case <-ctx.Done():
			}
		}
	case <-s.over.Done():
	case <-ctx.Done():
		time.Sleep(drainGrace) // the SDK needs it to return
		return s.heard.Load() != heard && s.left.Load() == 0
	}
	return s.left.Load() == 0
}
