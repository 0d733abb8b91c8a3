package session

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// idleCap limits a request to a multiple of the IdleTimeout if there is no AttemptTimeout. The
// specification asks for a maximum "regardless of progress notifications", but gives no value.
const idleCap = 10

// limited returns the context of one request. With an IdleTimeout, the context ends when the server is silent
// for that long, unless a person is asked; the request asks for progress, which restarts that time.
func (s *Session) limited(
	ctx context.Context, params *mcp.CallToolParams, limit time.Duration,
) (context.Context, context.CancelFunc) {
	server, idle := s.server, s.server.idle
	limit = cmp.Or(max(limit, 0), max(idle, idleCap*idle)) // the product may overflow
	if limit == 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	if idle == 0 {
		return ctx, cancel
	}
	idling, stop := context.WithCancelCause(ctx)
	if params.GetProgressToken() == nil {
		params.SetProgressToken("retry-" + strconv.FormatInt(server.tokens.Add(1), 10))
	}
	token := tokenOf(params.GetProgressToken())
	server.mu.Lock()
	defer server.mu.Unlock()
	timer := time.AfterFunc(idle, func() { stop(context.DeadlineExceeded) })
	if server.watched[token] = timer; server.asking > 0 {
		timer.Stop()
	}
	return idling, func() {
		server.mu.Lock()
		defer server.mu.Unlock()
		timer.Stop()
		cancel()
		delete(server.watched, token)
	}
}

// tokenOf returns a token in comparable form: its JSON, because a number is received as a float64.
func tokenOf(token any) string {
	raw, _ := json.Marshal(token) // a string or a number
	return string(raw)
}

// Progressed extends the request that a notification belongs to.
func (s *Server) Progressed(p *mcp.ProgressNotificationParams) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if timer := s.watched[tokenOf(p.ProgressToken)]; timer != nil && timer.Stop() { // false if it has just expired
		timer.Reset(s.idle)
	}
}

// Questions adds n to the questions to a person that are open. While there are any, no idle time passes.
func (s *Server) Questions(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asking += n
	for _, timer := range s.watched {
		if s.asking > 0 {
			timer.Stop()
		} else {
			timer.Reset(s.idle)
		}
	}
}
