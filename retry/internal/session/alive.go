package session

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An HTTP endpoint that no longer knows a session refuses its requests with any status and body. So a
// refused session is replaced if a ping is refused, too, or after a usual status on the call's first session,
// if none was refused before or this one has answered a caller. Refused again, a request is what its status says.

// precedesCall reports whether a status means that the request was refused before a call.
func precedesCall(status int) bool {
	return status == http.StatusBadRequest || status == http.StatusUnauthorized ||
		status == http.StatusNotFound || status == http.StatusGone
}

// IsRefusal reports whether the endpoint refused a request with a status that may mean that it no
// longer knows the session. Since 2026-07-28, some protocol errors about a call come with 400 or 404: they are answers
// with any status that precedes a call.
func IsRefusal(out result.Outcome, init *mcp.InitializeResult) bool {
	var wire *jsonrpc.Error
	isCode := errors.As(out.Err, &wire) && (wire.Code == jsonrpc.CodeMethodNotFound ||
		wire.Code == jsonrpc.CodeInvalidParams ||
		wire.Code <= mcp.CodeHeaderMismatch && wire.Code >= mcp.CodeURLElicitationRequired)
	answers := isCode && precedesCall(out.Status) && init != nil && init.ProtocolVersion >= "2026-07-28"
	return out.Status != 0 && out.Status != http.StatusTooManyRequests && !answers
}

// goneWith returns the outcome of a refused request whose session may be gone. A failure from 500 stays, with its wait.
func goneWith(out result.Outcome, effect toolerr.Effect) result.Outcome {
	out.SessionLost = true
	if out.Status < http.StatusInternalServerError {
		out.Err = toolerr.Unavailable("The server no longer knows the session.", 0).WithEffect(effect).
			WithCause(fmt.Errorf("%w: %w", mcp.ErrSessionMissing, out.Err.Unwrap()))
	}
	return out
}

// conclude draws the conclusions for the session from the end of a request, and reports whether there
// are any: it drops the session, pings it, or says in out that it is gone. Again is as in Call and ask: a session
// before refused the same request, or was lost during it.
func (s *Session) conclude(ctx context.Context, out *result.Outcome, again bool) bool {
	switch {
	case IsRefusal(*out, s.conn.InitializeResult()):
		closed := out.SessionLost // the SDK has
		usual := closed || precedesCall(out.Status) || out.Status == http.StatusServiceUnavailable
		gone := !again && usual && (!s.replaces || s.heard.Load() > 0)
		if gone {
			s.server.drop(s, true)
		}
		out.SessionLost = gone || !s.survives(ctx)
		if gone || !again && !closed && out.SessionLost {
			*out = goneWith(*out, out.Err.Effect)
		} else if errors.Is(out.Err, mcp.ErrSessionMissing) { // the next session would be refused, too
			out.Err = out.Err.WithCode(toolerr.CodeInternal).WithRetryable(false)
		}
	case out.SessionLost:
		s.server.drop(s, false)
	case s.isAboutSession(ctx, *out):
		s.server.drop(s, true)
		*out = goneWith(*out, toolerr.EffectNone)
	case IsAnswer(*out) && out.Status == 0:
		s.server.hasServed(s)
	default:
		return out.Status != 0
	}
	return true
}

// isAboutSession reports whether a ping gets the same protocol error. Only one with code -32600 or a server's
// own may be about the session; -32005 is the SDK's for a failed request.
func (s *Session) isAboutSession(ctx context.Context, out result.Outcome) bool {
	var wire, pong *jsonrpc.Error
	if out.Status != 0 || !errors.As(out.Err, &wire) || wire.Code == -32005 ||
		wire.Code != jsonrpc.CodeInvalidRequest && (wire.Code <= mcp.CodeHeaderMismatch || wire.Code > -32000) {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, pingTime)
	defer cancel()
	_, err := do(ctx, s, func() (any, error) { return nil, s.conn.Ping(ctx, nil) })
	return s.over.Err() != nil || errors.As(err, &pong) && pong.Code == wire.Code && pong.Message == wire.Message
}

// pingTime limits a ping. Pings take milliseconds, or a few hundred on a loaded machine.
const pingTime = 2 * time.Second

// survives starts a ping, shared by concurrent callers, which drops the session if there is no response.
// It waits for the ping, but not beyond the context, and reports whether the session continues.
func (s *Session) survives(ctx context.Context) bool {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if s.ping == nil && s.server.current == s {
		s.ping = make(chan struct{})
		go func() {
			if !s.isAlive() {
				s.server.drop(s, false)
			}
			s.server.mu.Lock()
			defer s.server.mu.Unlock()
			close(s.ping)
			s.ping = nil
		}()
	}
	if s.ping != nil {
		_ = await(ctx, &s.server.mu, s.ping)
	}
	return s.over.Err() == nil
}

// isAlive reports whether the server responds in time and every abandoned request returns.
func (s *Session) isAlive() bool {
	heard := s.heard.Load()
	ctx, cancel := context.WithTimeout(s.over, pingTime)
	defer cancel()
	if _, err := do(ctx, s, func() (any, error) { return nil, s.conn.Ping(ctx, nil) }); err != nil {
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
