package session

import (
	"context"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// pingTime limits a ping. Pings take milliseconds, or a few hundred on a loaded machine.
const pingTime = 2 * time.Second

// survives starts a ping in the background, which drops the session if there is no response. It
// waits for the ping, but not beyond the context, and reports whether the session continues.
// Concurrent callers share a ping.
func (s *Session) survives(ctx context.Context) bool {
	server := s.server
	server.mu.Lock()
	defer server.mu.Unlock()
	if s.ping == nil && server.current == s {
		s.ping = make(chan struct{})
		go s.decide(s.ping)
	}
	if s.ping != nil {
		_ = server.await(ctx, s.ping)
	}
	return s.over.Err() == nil
}

// decide pings, and drops the session if it is not alive.
func (s *Session) decide(ping chan struct{}) {
	alive := s.isAlive()
	server := s.server
	server.mu.Lock()
	defer server.mu.Unlock()
	defer close(ping)
	s.ping = nil
	if alive || server.current != s {
		return
	}
	if s.left.Load() > 0 {
		s.cancel() // the server does not read, so closing the session would hang
	}
	server.drop(s)
}

// isAlive reports whether the server responds in time and every abandoned request returns.
func (s *Session) isAlive() bool {
	heard := s.heard.Load()
	ctx, cancel := context.WithTimeout(s.over, pingTime)
	defer cancel()
	_, err := within(ctx, func() (any, error) { return nil, s.conn.Ping(ctx, nil) })
	if err != nil {
		out := result.Parse(nil, err)
		if ctx.Err() != nil && s.heard.Load() == heard || out.SessionLost || IsRefusal(out, s.conn.InitializeResult()) {
			return false
		}
	}
	for s.left.Load() > 0 && ctx.Err() == nil { // the server may just be slow
		time.Sleep(drainGrace)
	}
	return s.left.Load() == 0
}
