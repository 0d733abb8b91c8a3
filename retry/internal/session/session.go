package session

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/nearmiss"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Session is a session with a server. It lasts until the server ends it.
type Session struct {
	conn     Conn
	server   *Server
	cancel   context.CancelFunc // ends the context that it was connected with
	over     context.Context    //nolint:containedctx // ends when the server no longer uses it
	markOver context.CancelFunc
	dead     context.Context //nolint:containedctx // ends when no more answers can come
	markDead context.CancelFunc
	heard    atomic.Int64  // number of answers
	left     atomic.Int64  // requests that have not returned after their context ended
	ping     chan struct{} // closed when the ping is decided; nil if there is none. Guarded by Server.mu
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
)

func newSession(server *Server, conn Conn, cancel context.CancelFunc) *Session {
	s := &Session{conn: conn, server: server, cancel: cancel}
	s.over, s.markOver = context.WithCancel(context.Background())
	s.dead, s.markDead = context.WithCancel(context.Background())
	return s
}

// ServerName returns the name of the server, or "".
func (s *Session) ServerName() string { return serverOf(s.conn.InitializeResult()).name }

// Call makes a request. If it is not answered in time, or its answer cannot be read, it pings
// the server, and the session is lost without a response. The ping may exceed the time limit
// of the request, but not the context.
func (s *Session) Call(ctx context.Context, params *mcp.CallToolParams) result.Outcome {
	limited, cancel := s.limited(ctx, params)
	defer cancel()
	out := s.send(limited, params)
	late := errors.Is(limited.Err(), context.DeadlineExceeded)
	if errors.Is(context.Cause(limited), errIdle) && !IsAnswer(out) {
		out, late = result.Parse(nil, context.DeadlineExceeded), true
	}
	switch {
	case out.SessionLost:
		s.server.discard(s)
	case IsAnswer(out):
		s.server.hasAnswered(s)
	case late || s.left.Load() > 0 || limited.Err() == nil: // of the last, the reason is unknown
		out.SessionLost = !s.survives(ctx)
	}
	return s.withNearMisses(out, params.Name)
}

// IsAnswer reports whether the server answered, with a result or a protocol error.
func IsAnswer(out result.Outcome) bool {
	var wire *jsonrpc.Error
	return out.Result != nil || out.Err != nil && errors.As(out.Err, &wire)
}

// withNearMisses adds similar tool names to a server's refusal if the list has no such tool.
// The wording of the refusal differs between servers.
func (s *Session) withNearMisses(out result.Outcome, name string) result.Outcome {
	if out.Err == nil || out.Err.Category != toolerr.CategoryValidation || len(out.Err.Suggestions) > 0 {
		return out
	}
	if near := nearmiss.Find(name, s.server.Tools.absent(name)); len(near) > 0 {
		out.Err = out.Err.WithSuggestions(near...)
	}
	return out
}

// send sends a request. The SDK ignores the context while it writes to a server, which may
// not read. A request that does not return when its context ends is left behind. Over HTTP
// the SDK waits for the response of a request even if the session is dead.
func (s *Session) send(ctx context.Context, params *mcp.CallToolParams) result.Outcome {
	replied := make(chan result.Outcome, 1)
	go func() {
		replied <- result.Parse(Await(func() (*mcp.CallToolResult, error) { return s.conn.CallTool(ctx, params) }))
	}()
	select {
	case out := <-replied:
		return out
	case <-ctx.Done():
	case <-s.dead.Done():
		select {
		case out := <-replied:
			return out
		case <-time.After(lostGrace):
			return result.Parse(nil, mcp.ErrConnectionClosed)
		case <-ctx.Done():
		}
	}
	select {
	case out := <-replied:
		return out
	case <-time.After(drainGrace):
	}
	s.left.Add(1)
	go func() {
		<-replied
		s.left.Add(-1)
	}()
	return result.Parse(nil, ctx.Err())
}

// Await returns what a request returns. The SDK decodes an answer in the goroutine that
// awaits it, and panics on some. Such an answer is one that cannot be read, and the tool may
// have run.
func Await[T any](request func() (T, error)) (answer T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = toolerr.Transient("The server's answer could not be read.").WithCode(toolerr.CodeInternal).WithRetryable(false).
				WithEffect(toolerr.EffectUnknown).WithCause(fmt.Errorf("retry: a request panicked: %v\n%s", p, debug.Stack()))
		}
	}()
	return request()
}
