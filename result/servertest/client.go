package servertest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// grace is how long the SDK may take to return after a call's timeout. The SDK hangs if a server
// does not read its input. Otherwise, it returns within milliseconds.
const grace = 2 * time.Second

// errHung is the error of a call that did not return after its context had ended.
var errHung = errors.New("the call did not end with its context")

// A client makes calls on a session, which may end or hang at any time.
type client struct {
	session *mcp.ClientSession // nil once it is lost
	own     bool               // session was made by connect
	connect func(context.Context) (*mcp.ClientSession, error)
	timeout time.Duration // for each call; negative means none
}

// within runs f with a time limit; negative means none. It returns at most grace after the limit or
// the end of ctx, even if f does not.
func within[T any](ctx context.Context, limit time.Duration, f func(context.Context) (T, error)) (value T, err error) {
	if limit >= 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	type returned struct {
		value T
		err   error
	}
	done := make(chan returned, 1)
	go func() {
		value, err := f(ctx)
		done <- returned{value, err}
	}()
	var late <-chan time.Time
	for ended := ctx.Done(); ; {
		select {
		case r := <-done:
			return r.value, r.err
		case <-late:
			return value, errHung
		case <-ended:
			ended, late = nil, time.After(grace)
		}
	}
}

// call makes one call, and drops the session if it is lost.
func (c *client) call(ctx context.Context, tool string, p probe) *answer {
	session, start := c.session, time.Now()
	res, err := within(ctx, c.timeout, func(ctx context.Context) (*mcp.CallToolResult, error) {
		return session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: p.arguments})
	})
	if err != nil {
		res = nil
	}
	a := &answer{
		tool: tool, probe: p, elapsed: time.Since(start), err: err, result: res, out: result.Parse(res, err),
		failure: readFailure(res),
	}
	a.late = errors.Is(err, errHung) || errors.Is(err, context.DeadlineExceeded)
	if !answered(err) && (errors.Is(err, errHung) || !c.alive(ctx)) {
		a.died = !a.late
		c.drop()
	}
	return a
}

// answered reports whether a call's error is the server's own answer.
func answered(err error) bool {
	var wire *jsonrpc.Error
	return err == nil || errors.As(err, &wire) && !errors.Is(err, mcp.ErrConnectionClosed)
}

// alive reports whether the server still answers. The SDK mistakes some of a server's error codes for the
// end of the session. The latest protocol version has no ping, but an error saying so is an answer too.
func (c *client) alive(ctx context.Context) bool {
	session, limit := c.session, 5*time.Second
	if c.timeout >= 0 {
		limit = min(limit, c.timeout)
	}
	_, err := within(ctx, limit, func(ctx context.Context) (struct{}, error) { return struct{}{}, session.Ping(ctx, nil) })
	return answered(err)
}

// drop abandons the session without waiting for Close, which may hang.
func (c *client) drop() {
	if c.own && c.session != nil {
		go func(s *mcp.ClientSession) { _ = s.Close() }(c.session)
	}
	c.session = nil
}

// ready makes a new session if the last one was lost.
func (c *client) ready(ctx context.Context) error {
	if c.session != nil {
		return nil
	}
	if c.connect == nil {
		return errors.New("the server exited or stopped responding")
	}
	session, err := within(ctx, 2*c.timeout, c.connect)
	if err == nil && session == nil {
		err = errors.New("the function to connect returned no session")
	}
	if err != nil {
		return fmt.Errorf("the server exited or stopped responding, and connecting again failed: %w", err)
	}
	c.session, c.own = session, true
	return nil
}

// list returns the server's tools, sorted by name.
func (c *client) list(ctx context.Context) (tools []*tool, err error) {
	session := c.session
	all, err := within(ctx, c.timeout, func(ctx context.Context) (map[string]*mcp.Tool, error) {
		return toolinfo.List(ctx, session.ListTools)
	})
	if err != nil {
		return nil, fmt.Errorf("cannot list the tools: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		tools = append(tools, newTool(all[name]))
	}
	return tools, nil
}
