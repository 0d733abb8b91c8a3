// Package session keeps the sessions with one server: it dials, finds out whether a session is alive, replaces
// lost ones, and remembers the server's tools. It neither decides about calls nor repeats them.
package session

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Conn is a connection to a server. Its methods are those of an [mcp.ClientSession].
type Conn interface {
	CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error)
	ListTools(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error)
	InitializeResult() *mcp.InitializeResult
	Ping(context.Context, *mcp.PingParams) error
	Wait() error
	Close() error
}

// A Server holds the current session with a server, if any. It is safe for concurrent use.
type Server struct {
	Tools Tools

	connect func(context.Context) (Conn, error)
	delay   func(err error, n int) time.Duration // the pause after the nth failed dial: see drop
	idle    time.Duration                        // limits the time of a call without an answer or progress

	// Life ends when the server is closed.
	Life    context.Context //nolint:containedctx // as long as the server
	endLife context.CancelFunc
	ending  sync.WaitGroup // dials, and sessions that are closing
	tokens  atomic.Int64

	mu      sync.Mutex
	current *Session
	dialing *dial
	refused time.Time              // when a session was last refused, or zero
	watched map[string]*time.Timer // of requests that progress prolongs, by token
	asking  int                    // open questions to a person

	failures int       // failed dials and lost sessions since the last answer
	failure  error     // the last one
	paused   time.Time // until then, no dial begins
}

// New returns a server without a session. An idle time of zero or less is no limit.
func New(
	connect func(context.Context) (Conn, error), delay func(err error, n int) time.Duration, idle time.Duration,
) *Server {
	s := &Server{connect: connect, delay: delay, idle: max(idle, 0), watched: map[string]*time.Timer{}}
	s.Life, s.endLife = context.WithCancel(context.Background())
	return s
}

// ErrClosed is the failure of a call after Close.
var ErrClosed = toolerr.Transient("The client is closed.").
	WithCode(toolerr.CodeInternal).WithRetryable(false).WithEffect(toolerr.EffectNone).WithHint("Use a new client.")

// closeTime limits Close. The SDK waits 5 s for a process to exit, and 5 s more after a signal.
const closeTime = 12 * time.Second

// Close ends the dial and the session, and waits for the server's process to exit.
func (s *Server) Close() error {
	s.mu.Lock()
	s.endLife()
	if s.dialing != nil {
		s.dialing.cancel()
	}
	if s.current != nil {
		s.end(s.current)
		s.current = nil
	}
	s.mu.Unlock()
	ctx, ended := context.WithTimeout(context.Background(), closeTime)
	go func() {
		s.ending.Wait()
		ended()
	}()
	if <-ctx.Done(); errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errors.New("retry: the session did not end in time; its process may still be running")
	}
	return nil
}

// Pause returns the remaining pause before the next dial.
func (s *Server) Pause() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(time.Until(s.paused), 0)
}

// drop ends a session if it is the current one. A pause precedes the next dial, as after a failed one, if it has
// answered no caller, or one was refused less than the pause after a third failed dial ago (1 to 2 s by default).
func (s *Server) drop(on *Session, refused bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	soon := time.Since(s.refused) < s.delay(errDiedAtOnce, 3)
	if refused { // also if its connection has just ended
		s.refused = time.Now()
	}
	if s.current != on {
		return
	}
	s.current = nil
	if on.heard.Load() == 0 || soon {
		s.failed(errDiedAtOnce)
	}
	s.end(on)
}

var errDiedAtOnce = unavailable(noConnection, errors.New("retry: the last session ended before it answered a call, "+
	"or soon after: its server died or refused the call, or Client.Connect has closed it or canceled its context"))

// end closes a session. The SDK waits for running requests, forever if a write blocks, so after drainTime
// the context is canceled too, which kills the process. It is called once, with the lock held.
func (s *Server) end(on *Session) {
	on.markOver()
	time.AfterFunc(drainTime, func() {
		on.cancel()
		close(on.dead)
	})
	if on.left.Load() > 0 {
		on.cancel() // the server does not read, so closing the session would hang
	}
	s.ending.Go(func() {
		_ = on.conn.Close()
		on.cancel()
	})
}

// hasServed notes an answer to a caller. The first one on the current session ends the pauses.
func (s *Server) hasServed(on *Session) {
	if on.heard.Add(1) > 1 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == on {
		s.failures, s.paused = 0, time.Time{}
	}
}
