package retry

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// A ClientSession is what a [Client] needs of a session: a *[mcp.ClientSession], a wrapper
// of one, or a fake. Its methods are as those of that type, and as safe for concurrent use.
type ClientSession interface {
	Session

	// ListTools returns a page of the list of tools.
	ListTools(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error)
	// InitializeResult says which server it is. It may return nil: then every session is
	// one with another server.
	InitializeResult() *mcp.InitializeResult
	// Ping asks for a sign of life. Any answer is one, an error too.
	Ping(context.Context, *mcp.PingParams) error
	// Wait returns when the session has ended.
	Wait() error
	// Close ends the session.
	Close() error
}

// A session is one that a client has connected.
type session struct {
	ClientSession

	client   *Client
	number   int                // from 1
	cancel   context.CancelFunc // of the context that it was connected with
	over     chan struct{}      // closed when it is the client's no more
	dead     chan struct{}      // closed when no more answers come
	die      func()             // closes dead
	answered atomic.Bool        // a request was answered on it
	heard    atomic.Int64       // how many were
	left     atomic.Int64       // requests that have not returned although their context has ended
	probe    chan struct{}      // closed when it is known whether it is alive; nil if nobody doubts it. Under Client.mu
}

const (
	// drainTime is how long a session that is replaced has for the calls that are under
	// way, and its process to end by itself. Chosen: as long as the SDK waits for that.
	drainTime = 5 * time.Second
	// drainGrace is how long the SDK has to return when its context has ended. Chosen:
	// it needs a few milliseconds unless it hangs.
	drainGrace = 100 * time.Millisecond
	// minProbe and maxProbe bound how long a sign of life may take, which is otherwise as
	// long as an attempt may. Chosen: it takes milliseconds, on a machine under load some
	// hundreds.
	minProbe, maxProbe = 500 * time.Millisecond, 2 * time.Second
)

// source returns where the tools of the server are listed.
func (s *session) source() toolSource {
	return toolSource{session: s, page: func(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
		select {
		case <-s.over:
			return nil, mcp.ErrConnectionClosed
		default:
		}
		list, err := s.ListTools(ctx, params)
		if err == nil && list == nil {
			err = errNoPage
		}
		switch {
		case err == nil:
			s.hasAnswered()
		case result.Parse(nil, err).SessionLost:
			s.client.lost(s)
		}
		return list, err
	}}
}

var errNoPage = errors.New("retry: ListTools returned nothing")

// hasAnswered is called when the server has answered a request.
func (s *session) hasAnswered() {
	s.heard.Add(1)
	if s.answered.Swap(true) {
		return
	}
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	s.client.dials = pacer{}
}

// request makes a request on the session. If it is not answered in time, the session is
// in doubt, and lost if the server gives no sign of life: to know that, a request may take
// longer than its context, but not than that of its caller.
func (s *session) request(caller, ctx context.Context, params *mcp.CallToolParams) result.Outcome {
	out := s.send(ctx, params)
	late := errors.Is(ctx.Err(), context.DeadlineExceeded)
	if errors.Is(context.Cause(ctx), errIdle) && !isAnswer(out) {
		out, late = result.Parse(nil, context.DeadlineExceeded), true
	}
	switch {
	case out.SessionLost:
		s.client.lost(s)
	case isAnswer(out):
		s.hasAnswered()
	case late || s.left.Load() > 0:
		out.SessionLost = !s.survives(caller)
	}
	return out
}

// newSession returns a session, which is over when its client says so.
func (c *Client) newSession(inner ClientSession, cancel context.CancelFunc) *session {
	s := &session{ClientSession: inner, client: c, cancel: cancel, over: make(chan struct{}), dead: make(chan struct{})}
	s.die = sync.OnceFunc(func() { close(s.dead) })
	return s
}

// send makes a request. The SDK ignores the context while it writes to a server that may
// not read: a request that does not return when its context ends is left behind. Over HTTP
// it waits for the response of a request even if the session is dead.
func (s *session) send(ctx context.Context, params *mcp.CallToolParams) result.Outcome {
	replied := make(chan result.Outcome, 1)
	go func() { replied <- result.Parse(s.CallTool(ctx, params)) }()
	select {
	case out := <-replied:
		return out
	case <-ctx.Done():
	case <-s.dead:
	}
	timer := time.NewTimer(drainGrace)
	defer timer.Stop()
	select {
	case out := <-replied:
		return out
	case <-timer.C:
	}
	if ctx.Err() == nil {
		return result.Parse(nil, mcp.ErrConnectionClosed)
	}
	s.left.Add(1)
	go func() {
		<-replied
		s.left.Add(-1)
	}()
	return result.Parse(nil, ctx.Err())
}

// survives asks for a sign of life, and reports whether the session goes on, as far as
// that is known when the context ends.
func (s *session) survives(ctx context.Context) bool {
	if probe := s.doubt(); probe != nil {
		select {
		case <-probe:
		case <-ctx.Done():
		}
	}
	select {
	case <-s.over:
		return false
	default:
		return true
	}
}

// doubt asks for a sign of life, and replaces the session if none comes. The channel that
// it returns is closed when that is known; it is nil if the session is replaced already.
func (s *session) doubt() <-chan struct{} {
	c := s.client
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.probe != nil || c.current != s {
		return s.probe
	}
	probe := make(chan struct{})
	s.probe = probe
	limit := min(max(c.Policy.AttemptTimeout, minProbe), maxProbe)
	if c.Policy.AttemptTimeout <= 0 {
		limit = maxProbe
	}
	go func() {
		alive := s.isAlive(limit)
		c.mu.Lock()
		defer c.mu.Unlock()
		defer close(probe)
		s.probe = nil
		if alive || c.current != s {
			return
		}
		if s.left.Load() > 0 {
			s.cancel() // it reads nothing: not even that it is to end
		}
		c.drop(s)
	}()
	return probe
}

// isAlive reports whether the server gives a sign of life in time, and no request is left
// behind.
func (s *session) isAlive(limit time.Duration) bool {
	heard := s.heard.Load()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	answer := make(chan error, 1)
	go func() { answer <- s.Ping(ctx, nil) }()
	select {
	case err := <-answer:
		if err != nil && ctx.Err() != nil && s.heard.Load() == heard {
			return false
		}
		for s.left.Load() > 0 && ctx.Err() == nil { // it may just be slow
			sleep(ctx, drainGrace)
		}
	case <-s.over:
	case <-ctx.Done():
		sleep(context.Background(), drainGrace) // which the SDK needs to return
		return s.heard.Load() != heard && s.left.Load() == 0
	}
	return s.left.Load() == 0
}

// lost ends a session that died, if it is the current one.
func (c *Client) lost(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.die()
	if c.current == s {
		c.drop(s)
	}
}

// drop ends the current session. One that has answered nothing was not worth connecting:
// the next waits for a while. It is called with c.mu held.
func (c *Client) drop(s *session) {
	c.current = nil
	if !s.answered.Load() {
		c.dials.failed(c.Policy, errDiedAtOnce)
	}
	c.end(s)
}

var errDiedAtOnce = notConnected(errors.New("retry: the last session ended before anything was answered"))

// end closes a session. The SDK waits for what is under way, and for a write that hangs
// for ever, so that the context ends for those who made the process with it. It is called
// with c.mu held.
func (c *Client) end(s *session) {
	close(s.over)
	c.tools.abandon(s)
	c.ending.Go(func() {
		end := func() {
			s.cancel()
			s.die()
		}
		timer := time.AfterFunc(drainTime, end)
		defer timer.Stop()
		_ = s.Close()
		end()
	})
}
