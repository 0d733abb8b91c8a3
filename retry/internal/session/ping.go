package session

import (
	"context"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// pingTime is how long a ping may take. Chosen: it takes milliseconds, or some hundred on a
// loaded machine.
const pingTime = 2 * time.Second

// survives pings the server in the background, and replaces the session if there is no
// response. It reports whether the session continues, and waits as long as the context
// allows.
func (s *Session) survives(ctx context.Context) bool {
	_ = waitFor(ctx, s.startPing())
	return s.over.Err() == nil
}

// startPing returns a channel that is closed when the ping is decided.
func (s *Session) startPing() <-chan struct{} {
	server := s.server
	server.mu.Lock()
	defer server.mu.Unlock()
	if server.current != s {
		return s.over.Done()
	}
	if s.ping != nil {
		return s.ping
	}
	ping := make(chan struct{})
	s.ping = ping
	go func() {
		alive := s.isAlive()
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
func (s *Session) isAlive() bool {
	heard := s.heard.Load()
	ctx, cancel := context.WithTimeout(s.over, pingTime)
	defer cancel()
	_, err := within(ctx, func() (any, error) { return nil, s.conn.Ping(ctx, nil) })
	if err != nil && (ctx.Err() != nil && s.heard.Load() == heard || result.Parse(nil, err).SessionLost) {
		return false
	}
	for s.left.Load() > 0 && ctx.Err() == nil { // the server may only be slow
		time.Sleep(drainGrace)
	}
	return s.left.Load() == 0
}

// awaitPing waits until a running ping of the current session is decided.
func (s *Server) awaitPing(ctx context.Context) error {
	s.mu.Lock()
	on := s.current
	if on == nil || on.ping == nil {
		s.mu.Unlock()
		return nil
	}
	ping := on.ping
	s.mu.Unlock()
	return waitFor(ctx, ping)
}

// waitFor waits until a channel is closed, as long as the context allows.
func waitFor(ctx context.Context, closed <-chan struct{}) error {
	select {
	case <-closed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
