package retry

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A dial is one attempt to connect, which callers at the same time share. It has
// a context of its own, since a session may depend on the one that it was connected
// with.
type dial struct {
	cancel  context.CancelFunc
	done    chan struct{}
	waiting int // callers, under Client.mu
	session *session
	err     error
}

// connected returns the session, a new one if there is none. Each caller waits as
// long as its own context allows; when none is waiting any longer, connecting is
// given up.
func (c *Client) connected(ctx context.Context) (*session, error) {
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
		return d.session, d.err
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

// connect carries out a dial.
func (c *Client) connect(ctx context.Context, d *dial) {
	var inner *mcp.ClientSession
	err := notConnected(errGoexit)
	defer func() { c.dialed(d, inner, err) }() // also if Connect ends the goroutine, as FailNow of a test does
	inner, err = c.connectOnce(ctx)
}

// dialed ends a dial. A session that comes after its last caller has left is closed.
func (c *Client) dialed(d *dial, inner *mcp.ClientSession, err error) {
	defer close(d.done)
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &session{ClientSession: inner, cancel: d.cancel}
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
		c.end(s)
	default:
		d.session, c.current = s, s
		go func() { // a session that dies while nobody calls is replaced before the next call
			_ = s.Wait()
			c.lost(s)
		}()
	}
}

// connectOnce calls Connect. It returns what goes wrong as a failure of the
// connection: the caller's arguments have nothing to do with it.
func (c *Client) connectOnce(ctx context.Context) (*mcp.ClientSession, error) {
	inner, err := c.Connect(ctx)
	if err == nil && inner == nil {
		return nil, errNoSession
	}
	var authored *toolerr.Error
	if e := toolerr.From(err); e != nil && !errors.As(err, &authored) &&
		(e.Category == toolerr.CategoryValidation || e.Category == toolerr.CategoryBusiness) {
		return nil, notConnected(err)
	}
	return inner, err
}

func notConnected(cause error) error {
	return toolerr.Transient("The connection to the server could not be made.").
		WithCode(toolerr.CodeUnavailable).WithRetryable(false).WithEffect(toolerr.EffectNone).WithCause(cause)
}

var errGoexit = errors.New("retry: Connect ended its goroutine and returned nothing")

var errClosed = toolerr.Transient("The client is closed.").
	WithCode(toolerr.CodeInternal).WithRetryable(false).WithEffect(toolerr.EffectNone).WithHint("Use a new client.")

// lost closes a session that died, if it is the current one.
func (c *Client) lost(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == s {
		c.current = nil
		c.end(s)
	}
}

// end closes a session. The SDK needs seconds for one whose process hangs, so that
// only Close waits for it. It is called with c.mu held.
func (c *Client) end(s *session) {
	c.ending.Go(func() {
		_ = s.Close()
		s.cancel()
	})
}
