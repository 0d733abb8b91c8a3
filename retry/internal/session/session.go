package session

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Session is one session with a server. It lasts until its Server ends it.
type Session struct {
	conn     Conn
	server   *Server
	cancel   context.CancelFunc // ends the context with which it was connected
	over     context.Context    //nolint:containedctx // ends when the server no longer uses it
	markOver context.CancelFunc
	dead     chan struct{} // closed when no more answers are awaited
	heard    atomic.Int64  // number of answers to callers
	replaces bool          // a session was refused before, not necessarily the last one
	begun    atomic.Int64  // number of calls
	running  atomic.Int64  // calls that have not returned
	left     atomic.Int64  // requests that have not returned after their context ended
	ping     chan struct{} // closed when the ping has ended; nil if there is none. Guarded by Server.mu
}

const (
	// drainTime is how long a lost session has to finish its calls and end its process, as in the SDK.
	drainTime = 5 * time.Second
	// drainGrace is how long the SDK, which needs milliseconds, may take to return after its context ends.
	drainGrace = 100 * time.Millisecond
)

// ServerName returns the name of the server, or "".
func (s *Session) ServerName() string { return serverOf(s.conn.InitializeResult())[0] }

// Call makes a request. If the answer does not come in time, or cannot be decoded, Call pings the server;
// without a response, or after a message that is no JSON-RPC, the session is lost. Call may wait for the ping beyond
// the request's limit, but not the context's. Again means that a status refused the call on a session before.
func (s *Session) Call(
	ctx context.Context, params *mcp.CallToolParams, limit time.Duration, again bool,
) result.Outcome {
	limited, cancel := s.limited(ctx, params, limit)
	defer cancel()
	var responses atomic.Int64
	traced := httptrace.WithClientTrace(limited, &httptrace.ClientTrace{
		GotFirstResponseByte: func() { responses.Add(1) },
	})
	begun, alone := s.begun.Load(), s.running.Add(1) == 1 // in this order
	s.begun.Add(1)
	out := result.Parse(do(limited, s, func() (*mcp.CallToolResult, error) {
		defer s.running.Add(-1)
		return s.conn.CallTool(traced, params)
	}))
	// Of the only response to the only call, the effect is the status's: the response was not sent for another call,
	// nor when the SDK tried to resume the stream of this one.
	if alone && s.begun.Load() == begun+1 && responses.Load() == 1 && out.Status != 0 &&
		out.Err.Effect == toolerr.EffectUnknown {
		out.Err = out.Err.WithEffect(toolerr.FromResponse(&http.Response{StatusCode: out.Status}).Effect)
	}
	late := errors.Is(context.Cause(limited), context.DeadlineExceeded)
	if late && errors.Is(limited.Err(), context.Canceled) && !IsAnswer(out) { // no progress
		out = result.Parse(nil, context.DeadlineExceeded)
	}
	// in the last case, the reason is unknown
	if !s.conclude(ctx, &out, again) && (late || s.left.Load() > 0 || limited.Err() == nil) {
		out.SessionLost = !s.survives(ctx)
	}
	return out
}

// IsAnswer reports whether out is a result or a protocol error, including the SDK's own error -32005.
func IsAnswer(out result.Outcome) bool {
	isProtocol := func() bool { var wire *jsonrpc.Error; return errors.As(out.Err, &wire) }
	return out.Result != nil || isProtocol()
}

// do makes a request, and abandons it if it does not return after its context or session has ended: the SDK
// ignores that while it writes to a server that does not read, and over HTTP waits even on a dead session.
func do[T any](ctx context.Context, s *Session, request func() (T, error)) (answer T, err error) {
	replied := make(chan func() (T, error), 1)
	go func() {
		answer, err := Await(request)
		replied <- func() (T, error) { return answer, err }
	}()
	select {
	case reply := <-replied:
		return reply()
	case <-s.dead:
		return answer, mcp.ErrConnectionClosed
	case <-ctx.Done():
	}
	select {
	case reply := <-replied:
		return reply()
	case <-time.After(drainGrace):
	}
	s.left.Add(1)
	go func() {
		<-replied
		s.left.Add(-1)
	}()
	return answer, ctx.Err()
}

// Await calls request and returns its result. The SDK decodes an answer in the goroutine that waits for
// it, and panics on some answers. Await reports such an answer as unreadable: the tool may have run.
func Await[T any](request func() (T, error)) (answer T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = toolerr.Internal(fmt.Errorf("%w: %v\n%s", errPanicked, p, debug.Stack())).
				WithMessage("The server's answer could not be read.")
		}
	}()
	return request()
}

var errPanicked = errors.New("retry: a request panicked")

// InitializeResult returns the current session's, or nil if there is no session.
func (s *Server) InitializeResult() *mcp.InitializeResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		return nil
	}
	return s.current.conn.InitializeResult()
}

// Ask makes a request other than a call: on the session, after the pause before a dial, and once more on the next one
// if the session is lost.
func Ask[T any](ctx context.Context, s *Server, request func(Conn) (T, error)) (answer T, err error) {
	for again := false; ; again = true {
		select {
		case <-time.After(s.Pause()):
		case <-s.Life.Done():
		case <-ctx.Done():
		}
		on, err := s.Session(ctx)
		if err != nil {
			return answer, err
		}
		answer, lost, err := ask(ctx, on, again, request)
		if err == nil {
			s.hasServed(on)
		}
		if !lost || again {
			return answer, err
		}
	}
}

// ask makes a request, not necessarily a caller's, and reports whether the session is lost. Again means that a
// session before was lost during the same request.
func ask[T any](ctx context.Context, s *Session, again bool, request func(Conn) (T, error)) (_ T, lost bool, _ error) {
	answer, err := do(ctx, s, func() (T, error) { return request(s.conn) })
	if err == nil {
		return answer, false, nil
	}
	out := result.Parse(nil, err)
	if !s.conclude(ctx, &out, again) && s.left.Load() > 0 {
		out.SessionLost = !s.survives(ctx)
	}
	if errors.Is(out.Err, mcp.ErrSessionMissing) {
		err = out.Err
	}
	return answer, out.SessionLost, err
}
