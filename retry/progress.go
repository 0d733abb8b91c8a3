package retry

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// idleCap limits an attempt to a multiple of IdleTimeout if the policy has no
// AttemptTimeout. Chosen: the specification requires a maximum "regardless of progress
// notifications" without a value.
const idleCap = 10

// errIdle ends an attempt without an answer or progress.
var errIdle = errors.New("retry: no answer and no progress in time")

// progressKey is the member of _meta that requests progress notifications.
const progressKey = "progressToken"

// attended returns the context of one request. It ends if the server is silent for too
// long. The request asks for progress notifications, which prolong it.
func (s *session) attended(l *loop, params *mcp.CallToolParams) (context.Context, context.CancelFunc) {
	idle := min(l.policy.IdleTimeout, maxWindow/idleCap)
	if idle <= 0 {
		return l.attemptContext()
	}
	ctx, cancel := context.WithTimeout(l.ctx, cmp.Or(max(l.policy.AttemptTimeout, 0), idleCap*idle))
	c := s.client
	idling, stop := context.WithCancelCause(ctx)
	timer := time.AfterFunc(idle, func() { stop(errIdle) })
	c.mu.Lock()
	defer c.mu.Unlock()
	token := params.Meta[progressKey]
	if token == nil {
		c.tokens++
		token = "retry-" + strconv.Itoa(c.tokens)
		params.Meta[progressKey] = token
	}
	watched := tokenOf(token)
	if c.watched == nil {
		c.watched = map[string]*watch{}
	}
	w := &watch{timer, idle}
	c.watched[watched] = w
	return idling, func() {
		timer.Stop()
		stop(nil)
		cancel()
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.watched[watched] == w {
			delete(c.watched, watched)
		}
	}
}

// A watch is a request that ends with its timer.
type watch struct {
	timer *time.Timer
	idle  time.Duration
}

// tokenOf returns a token in comparable form: its JSON, because a number is received as a
// float64.
func tokenOf(token any) string {
	raw, _ := json.Marshal(token) // a string or a number
	return string(raw)
}

// progressed prolongs the request that a notification belongs to.
func (c *Client) progressed(p *mcp.ProgressNotificationParams) {
	if p == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.watched[tokenOf(p.ProgressToken)]; w != nil && w.timer.Stop() { // false if it has just expired
		w.timer.Reset(w.idle)
	}
}
