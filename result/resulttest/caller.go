package resulttest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// grace is how long the SDK may take to return after a call's timeout. It hangs if a server
// does not read its input. Chosen: otherwise it needs milliseconds.
const grace = 2 * time.Second

// errHung is a call that did not return when its context ended.
var errHung = errors.New("the call did not end with its context")

// A caller makes calls on a session, which may end or hang at any time.
type caller struct {
	session *mcp.ClientSession // nil once it is lost
	own     bool               // session was made by connect
	connect func(context.Context) (*mcp.ClientSession, error)
	timeout time.Duration // for each call; negative means none
	other   bool          // session is that of Options.Other
}

// within runs f with a time limit; negative means none. It returns after the limit or when
// the context ends, even if f does not.
func within[T any](ctx context.Context, limit time.Duration, f func(context.Context) (T, error)) (T, error) {
	if limit >= 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := f(ctx)
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done:
		return o.value, o.err
	case <-time.After(grace):
		var none T
		return none, errHung
	}
}

// call makes one call. If the session is lost, it is dropped.
func (c *caller) call(ctx context.Context, tool string, p probe) *answer {
	a := &answer{tool: tool, probe: p, other: c.other}
	session, start := c.session, time.Now()
	a.result, a.err = within(ctx, c.timeout, func(ctx context.Context) (*mcp.CallToolResult, error) {
		return session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: p.arguments})
	})
	a.elapsed = time.Since(start)
	switch {
	case answered(a.err):
	case errors.Is(a.err, errHung):
		a.late = true
		c.drop()
	case errors.Is(a.err, context.DeadlineExceeded):
		if a.late = true; !c.alive(ctx) {
			c.drop() // the whole server hangs, not only this tool
		}
	case !c.alive(ctx):
		a.died = true
		c.drop()
	}
	if a.err != nil {
		a.result = nil
	}
	return a
}

// answered reports whether an error of a call is the server's own answer.
func answered(err error) bool {
	var wire *jsonrpc.Error
	return err == nil || errors.As(err, &wire) && !errors.Is(err, mcp.ErrConnectionClosed)
}

// alive reports whether the server still answers. A client sees some error codes of a
// server as the end of the session. The latest protocol version has no ping, but an error
// that says so is an answer too.
func (c *caller) alive(ctx context.Context) bool {
	session, limit := c.session, 5*time.Second
	if c.timeout >= 0 {
		limit = min(limit, c.timeout)
	}
	_, err := within(ctx, limit, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, session.Ping(ctx, nil)
	})
	return answered(err)
}

// drop abandons the session. Close may hang as well.
func (c *caller) drop() {
	if c.own && c.session != nil {
		go func(s *mcp.ClientSession) { _ = s.Close() }(c.session)
	}
	c.session = nil
}

// ready makes a new session if the last one is lost.
func (c *caller) ready(ctx context.Context) error {
	if c.session != nil {
		return nil
	}
	lost := "the server exited or stopped responding"
	if c.connect == nil {
		return errors.New(lost)
	}
	session, err := within(ctx, 2*c.timeout, c.connect)
	if err != nil {
		return fmt.Errorf("%s, and connecting again failed: %w", lost, err)
	}
	if session == nil {
		return errors.New(lost + ", and Options.Connect returned no session")
	}
	c.session, c.own = session, true
	return nil
}

const (
	// maxPages is the maximum number of pages of a list. Chosen: servers have one or a few.
	maxPages = 100
	// maxTools is the maximum number of tools. Chosen: a model can use far fewer.
	maxTools = 1000
	// maxEndless is how many tools of a list without an end are called. Chosen: they are a
	// sample of the rest.
	maxEndless = 20
)

// list returns the server's tools, and whether the list was truncated because it has no
// end.
func (c *caller) list(ctx context.Context) (tools []*mcp.Tool, endless bool, err error) {
	session, cursor := c.session, ""
	known, cursors := map[string]bool{}, map[string]bool{}
	for range maxPages {
		page, err := within(ctx, c.timeout, func(ctx context.Context) (*mcp.ListToolsResult, error) {
			return session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		})
		if err != nil {
			return nil, false, fmt.Errorf("cannot list the tools: %w", err)
		}
		for _, tool := range page.Tools {
			if tool == nil || known[tool.Name] {
				continue
			}
			if len(tools) == maxTools {
				return tools[:maxEndless], true, nil
			}
			known[tool.Name] = true
			tools = append(tools, tool)
		}
		if page.NextCursor == "" {
			return tools, false, nil
		}
		if cursors[page.NextCursor] {
			break
		}
		cursor = page.NextCursor
		cursors[cursor] = true
	}
	return tools[:min(len(tools), maxEndless)], true, nil
}
