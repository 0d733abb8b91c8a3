package retry

import (
	"context"
	"errors"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A dial is one attempt to connect, shared by concurrent callers. It has its own context,
// because a session may depend on the context that it was connected with.
type dial struct {
	cancel  context.CancelFunc
	done    chan struct{}
	waiting int // number of callers; guarded by Client.mu
	session *session
	err     error
}

// connected returns the session, and connects if there is none. Each caller waits as long as
// its context allows. The dial is canceled when no caller is waiting. After a failed dial
// the next attempt of the loop waits.
func (c *Client) connected(ctx context.Context, l *loop) (*session, error) {
	c.mu.Lock()
	if c.current != nil && c.current.probe != nil {
		probe := c.current.probe
		c.mu.Unlock()
		select {
		case <-probe:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		c.mu.Lock()
	}
	pause := c.dials.pause()
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
	case c.dialing == nil && pause > 0:
		l.state.pause = pause
		defer c.mu.Unlock()
		return nil, c.dials.tooEarly()
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
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-d.done:
		if d.err != nil {
			l.state.pause = c.dials.pause()
		}
		return d.session, d.err
	default:
	}
	if d.waiting--; d.waiting == 0 && c.dialing == d {
		c.dialing = nil
		d.cancel()
	}
	return nil, ctx.Err()
}

// pause returns the remaining pause before the next dial.
func (c *Client) pause() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dials.pause()
}

// connect performs a dial.
func (c *Client) connect(ctx context.Context, d *dial) {
	var inner ClientSession
	err := notConnected(errGoexit)
	defer func() { c.dialed(d, inner, err) }() // also if Connect ends the goroutine, like FailNow of a test
	inner, err = c.connectOnce(ctx)
}

// dialed ends a dial. A session without waiting callers is closed.
func (c *Client) dialed(d *dial, inner ClientSession, err error) {
	defer close(d.done)
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.newSession(inner, d.cancel)
	wanted := c.dialing == d && !c.closed
	if c.dialing == d {
		c.dialing = nil
	}
	switch {
	case err != nil:
		d.err = err
		d.cancel()
		if wanted {
			c.dials.failed(c.Policy, err)
		}
	case !wanted:
		d.err = errClosed
		c.end(s)
	default:
		c.tools.serve(inner.InitializeResult())
		d.session, c.current = s, s
		go func() { // a session that is lost between calls is replaced before the next one
			_ = s.Wait()
			c.lost(s)
		}()
	}
}

// connectOnce calls Connect.
func (c *Client) connectOnce(ctx context.Context) (ClientSession, error) {
	inner, err := awaited(func() (ClientSession, error) { return c.Connect(ctx) })
	if err == nil && isNil(inner) {
		return nil, errNoSession
	}
	return inner, beforeCall(err, noConnection)
}

const (
	noConnection = "The connection to the server could not be made."
	noList       = "The server's list of tools could not be read."
)

// beforeCall returns an error of the connection or of the tool list. It is unrelated to the
// arguments of the call that needs them, and to what other calls have done, whatever the
// server says. Only the program's own tool error remains as it is.
func beforeCall(err error, message string) error {
	var authored *toolerr.Error
	if err == nil || errors.As(err, &authored) {
		return err
	}
	e := result.Parse(nil, err).Err
	switch {
	case e.Category == toolerr.CategoryValidation || e.Category == toolerr.CategoryBusiness:
		return unavailable(message, err)
	case e.Partial != nil || len(e.Attempted) > 0 || e.IdempotencyKey != "":
		return e.WithPartial(nil).WithAttempted().WithIdempotencyKey("")
	}
	return err
}

func notConnected(cause error) error { return unavailable(noConnection, cause) }

func unavailable(message string, cause error) error {
	return toolerr.Transient(message).
		WithCode(toolerr.CodeUnavailable).WithRetryable(false).WithEffect(toolerr.EffectNone).WithCause(cause)
}

var errGoexit = errors.New("retry: Connect ended its goroutine and returned nothing")

var errClosed = toolerr.Transient("The client is closed.").
	WithCode(toolerr.CodeInternal).WithRetryable(false).WithEffect(toolerr.EffectNone).WithHint("Use a new client.")
