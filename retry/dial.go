package retry

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A dial is one attempt to connect, which callers at the same time share. It has
// a context of its own, since a session may live on the one that it was connected
// with.
type dial struct {
	cancel  context.CancelFunc
	done    chan struct{}
	waiting int // callers, under Client.mu
	live    *live
	err     error
}

// session returns the session, a new one where there is none. Callers wait each
// as long as its own context lets it; when none is waiting any longer, connecting
// is given up.
func (c *Client) session(ctx context.Context) (*live, error) {
	c.mu.Lock()
	switch {
	case c.closed:
		c.mu.Unlock()
		return nil, errClosed
	case c.current != nil:
		defer c.mu.Unlock()
		return c.current, nil
	case c.Connect == nil:
		c.mu.Unlock()
		return nil, errNoSession
	}
	d := c.dialing
	if d == nil {
		dialed, cancel := context.WithCancel(context.WithoutCancel(ctx))
		d = &dial{cancel: cancel, done: make(chan struct{})}
		c.dialing = d
		c.ending.Go(func() { c.connect(dialed, d) })
	}
	d.waiting++
	c.mu.Unlock()
	select {
	case <-d.done:
		return d.live, d.err
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if d.waiting--; d.waiting == 0 && c.dialing == d {
		c.dialing = nil
		d.cancel()
	}
	return nil, ctx.Err()
}

// connect carries a dial out.
func (c *Client) connect(ctx context.Context, d *dial) {
	var session *mcp.ClientSession
	err := notConnected(errGoexit)
	defer func() { c.connected(d, session, err) }() // also where Connect ends the goroutine, as FailNow of a test does
	session, err = c.connectOnce(ctx)
}

// connected ends a dial. A session that comes when nobody wants it any more is
// closed.
func (c *Client) connected(d *dial, session *mcp.ClientSession, err error) {
	defer close(d.done)
	c.mu.Lock()
	defer c.mu.Unlock()
	wanted := c.dialing == d && !c.closed
	if c.dialing == d {
		c.dialing = nil
	}
	switch {
	case err != nil:
		d.err = err
		d.cancel()
	case !wanted:
		d.err = errClosed
		c.end(&live{session: session, end: d.cancel})
	default:
		d.live = &live{session: session, end: d.cancel}
		c.current = d.live
		go func() { // a session that dies while nobody calls is replaced before the next call
			_ = session.Wait()
			c.lost(d.live)
		}()
	}
}

// connectOnce calls Connect, and sees to it that what goes wrong is told as a
// failure of the connection: the caller's arguments have nothing to do with it.
func (c *Client) connectOnce(ctx context.Context) (*mcp.ClientSession, error) {
	session, err := c.Connect(ctx)
	if err == nil && session == nil {
		return nil, errNoSession
	}
	var authored *toolerr.Error
	if e := toolerr.From(err); e != nil && !errors.As(err, &authored) &&
		(e.Category == toolerr.CategoryValidation || e.Category == toolerr.CategoryBusiness) {
		return nil, notConnected(err)
	}
	return session, err
}

func notConnected(cause error) error {
	return toolerr.Transient("The connection to the server could not be made.").
		WithCode(toolerr.CodeUnavailable).WithRetryable(false).WithEffect(toolerr.EffectNone).WithCause(cause)
}

var errGoexit = errors.New("retry: Connect ended its goroutine and returned nothing")

var errClosed = toolerr.Transient("The client is closed.").
	WithCode(toolerr.CodeInternal).WithRetryable(false).WithEffect(toolerr.EffectNone).WithHint("Use a new client.")

// lost lets go of a session that died.
func (c *Client) lost(s *live) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == s {
		c.current = nil
		c.end(s)
	}
}

// end closes a session. The SDK needs seconds for one whose process hangs, so that
// only Close waits for it. It is called with c.mu held.
func (c *Client) end(s *live) {
	c.ending.Go(func() {
		_ = s.session.Close()
		s.end()
	})
}
