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

// A ClientSession is the session of a [Client]: a *[mcp.ClientSession], a wrapper of one, or
// a fake. Its methods behave like those of that type, and are safe for concurrent use.
type ClientSession interface {
	Session

	// ListTools returns a page of the tool list.
	ListTools(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error)
	// InitializeResult identifies the server. It may return nil: then every session counts
	// as one with another server.
	InitializeResult() *mcp.InitializeResult
	// Ping checks that the server responds. An error response counts too.
	Ping(context.Context, *mcp.PingParams) error
	// Wait returns when the session has ended.
	Wait() error
	// Close ends the session.
	Close() error
}

// A session is a session of a client.
type session struct {
	ClientSession

	client   *Client
	cancel   context.CancelFunc // ends the context that it was connected with
	over     chan struct{}      // closed when the client no longer uses it
	dead     chan struct{}      // closed when no more answers can come
	markDead func()             // closes dead
	answered atomic.Bool        // a request was answered
	heard    atomic.Int64       // number of answers
	left     atomic.Int64       // requests that have not returned after their context ended
	probe    chan struct{}      // closed when the ping is decided; nil if there is none. Guarded by Client.mu
}

const (
	// drainTime is how long a replaced session has to finish its calls and to let its
	// process exit. Chosen: the SDK waits as long for a process.
	drainTime = 5 * time.Second
	// drainGrace is how long the SDK has to return after its context ends. Chosen: it needs
	// a few milliseconds unless it hangs.
	drainGrace = 100 * time.Millisecond
	// lostGrace is how long a request on a lost session has to return. Chosen: it returns as
	// soon as a processor is free, unless it waits for an HTTP response.
	lostGrace = 2 * time.Second
	// minProbe and maxProbe bound the time for a ping, which is otherwise that of an attempt.
	// Chosen: a ping takes milliseconds, or some hundred on a loaded machine.
	minProbe, maxProbe = 500 * time.Millisecond, 2 * time.Second
)

// source returns the source of the server's tool list.
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

// hasAnswered records an answer of the server.
func (s *session) hasAnswered() {
	s.heard.Add(1)
	if s.answered.Swap(true) {
		return
	}
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	s.client.dials = pacer{}
}

// request makes a request on the session. If it is not answered in time, or its answer cannot
// be read, it pings the server, and the session is lost without a response. The ping may
// exceed the request's context, but not the caller's.
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
	case late || s.left.Load() > 0 || ctx.Err() == nil: // of the last, the reason is unknown
		out.SessionLost = !s.survives(caller)
	}
	return out
}

// newSession returns a session, which lasts until the client ends it.
func (c *Client) newSession(inner ClientSession, cancel context.CancelFunc) *session {
	s := &session{ClientSession: inner, client: c, cancel: cancel, over: make(chan struct{}), dead: make(chan struct{})}
	s.markDead = sync.OnceFunc(func() { close(s.dead) })
	return s
}

// send makes a request. The SDK ignores the context while it writes to a server, which may
// not read. A request that does not return when its context ends is left behind. Over HTTP
// the SDK waits for the response of a request even if the session is dead.
func (s *session) send(ctx context.Context, params *mcp.CallToolParams) result.Outcome {
	replied := make(chan result.Outcome, 1)
	go func() {
		replied <- result.Parse(awaited(func() (*mcp.CallToolResult, error) { return s.CallTool(ctx, params) }))
	}()
	select {
	case out := <-replied:
		return out
	case <-ctx.Done():
	case <-s.dead:
		timer := time.NewTimer(lostGrace)
		defer timer.Stop()
		select {
		case out := <-replied:
			return out
		case <-timer.C:
			return result.Parse(nil, mcp.ErrConnectionClosed)
		case <-ctx.Done():
		}
	}
	timer := time.NewTimer(drainGrace)
	defer timer.Stop()
	select {
	case out := <-replied:
		return out
	case <-timer.C:
	}
	s.left.Add(1)
	go func() {
		<-replied
		s.left.Add(-1)
	}()
	return result.Parse(nil, ctx.Err())
}

// survives pings the server, and reports whether the session continues. It returns when
// the context ends.
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

// doubt pings the server in the background, and replaces the session if there is no
// response. It returns a channel that is closed when that is decided, or nil if the session
// is replaced already.
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
			s.cancel() // the server does not read, so it cannot be asked to end
		}
		c.drop(s)
	}()
	return probe
}

// isAlive reports whether the server responds in time and no request is left behind.
func (s *session) isAlive(limit time.Duration) bool {
	heard := s.heard.Load()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	answer := make(chan error, 1)
	go func() {
		_, err := awaited(func() (any, error) { return nil, s.Ping(ctx, nil) })
		answer <- err
	}()
	select {
	case err := <-answer:
		if err != nil && (ctx.Err() != nil && s.heard.Load() == heard || result.Parse(nil, err).SessionLost) {
			return false
		}
		for s.left.Load() > 0 && ctx.Err() == nil { // the server may only be slow
			sleep(ctx, drainGrace)
		}
	case <-s.over:
	case <-ctx.Done():
		sleep(context.Background(), drainGrace) // the SDK needs it to return
		return s.heard.Load() != heard && s.left.Load() == 0
	}
	return s.left.Load() == 0
}

// lost ends a lost session if it is the current one.
func (c *Client) lost(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.markDead()
	if c.current == s {
		c.drop(s)
	}
}

// drop ends the current session. If it answered nothing, there is a pause before the next
// dial. It is called with c.mu held.
func (c *Client) drop(s *session) {
	c.current = nil
	if !s.answered.Load() {
		c.dials.failed(c.Policy, errDiedAtOnce)
	}
	c.end(s)
}

var errDiedAtOnce = notConnected(errors.New("retry: the last session ended before anything was answered"))

// end closes a session. The SDK waits for running requests, and forever for a blocked
// write, so the context ends too, and with it the server's process. It is called with c.mu
// held.
func (c *Client) end(s *session) {
	close(s.over)
	c.tools.abandon(s)
	c.ending.Go(func() {
		end := func() {
			s.cancel()
			s.markDead()
		}
		timer := time.AfterFunc(drainTime, end)
		defer timer.Stop()
		_ = s.Close()
		end()
	})
}
