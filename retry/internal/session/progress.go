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

// progressKey is the member of _meta that requests progress notifications.
const progressKey = "progressToken"

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
	timer := time.AfterFunc(idle, func() { stop(context.DeadlineExceeded) })
	if params.Meta[progressKey] == nil {
		params.Meta[progressKey] = "retry-" + strconv.FormatInt(server.tokens.Add(1), 10)
	}
	token := tokenOf(params.Meta[progressKey])
	server.watched.Store(token, timer)
	return idling, func() {
		timer.Stop()
		cancel()
		server.watched.Delete(token)
	}
}

// tokenOf returns a token in comparable form: its JSON, because a number is received as a float64.
func tokenOf(token any) string {
	raw, _ := json.Marshal(token) // a string or a number
	return string(raw)
}

// Progressed extends the request that a notification belongs to.
func (s *Server) Progressed(p *mcp.ProgressNotificationParams) {
	watched, _ := s.watched.Load(tokenOf(p.ProgressToken))
	if timer, _ := watched.(*time.Timer); timer != nil && timer.Stop() { // false if it has just expired
		timer.Reset(s.idle)
	}
}

// Asks stops the idle time of the requests while a person is asked, until the function that it returns is called.
func (s *Server) Asks() (answered func()) {
	s.asking.Add(1)
	s.watched.Range(func(_, timer any) bool { return timer.(*time.Timer).Stop() || true })
	return func() {
		if s.asking.Add(-1) == 0 {
			s.watched.Range(func(_, timer any) bool { return timer.(*time.Timer).Reset(s.idle) || true })
		}
	}
}
