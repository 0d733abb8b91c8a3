package session

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A dial is one attempt to connect, shared by concurrent callers. It has its own context, because a
// session may depend on the context with which it was connected.
type dial struct {
	cancel  context.CancelFunc
	done    chan struct{}
	waiting int // number of callers; guarded by Server.mu
	session *Session
	err     error
}

// Session returns the current session, and connects if there is none. Each caller waits for a ping or
// the dial only until its own context ends. The dial is canceled when no caller is waiting any longer.
func (s *Server) Session(ctx context.Context) (*Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.current != nil && s.current.ping != nil {
		if err := await(ctx, &s.mu, s.current.ping); err != nil {
			return nil, err
		}
	}
	switch {
	case s.Life.Err() != nil:
		return nil, ErrClosed
	case s.current != nil:
		return s.current, nil
	case s.dialing == nil && time.Now().Before(s.paused): // retryable, whatever failed before
		return nil, toolerr.Unavailable("The last connection to the server failed a moment ago.", 0).WithCause(s.failure)
	case s.dialing == nil:
		dialed, cancel := context.WithCancel(context.WithoutCancel(ctx))
		d := &dial{cancel: cancel, done: make(chan struct{})}
		s.dialing = d
		s.ending.Go(func() {
			var conn Conn
			err := error(unavailable(noConnection, errors.New("retry: Connect ended its goroutine and returned nothing")))
			defer func() { s.dialed(d, conn, err) }() // also if Connect ends the goroutine, like FailNow of a test
			conn, err = Await(func() (Conn, error) { return s.connect(dialed) })
			err = beforeCall(err, noConnection)
		})
	}
	d := s.dialing
	d.waiting++
	err := await(ctx, &s.mu, d.done)
	if d.session != nil || d.err != nil {
		return d.session, d.err
	}
	if d.waiting--; d.waiting == 0 && s.dialing == d {
		s.dialing = nil
		d.cancel()
	}
	return nil, err
}

// await waits until a channel is closed, or until the context ends, whose error it then returns. It is called with
// a lock held, and releases the lock to wait.
func await(ctx context.Context, held *sync.Mutex, closed <-chan struct{}) error {
	held.Unlock()
	defer held.Lock()
	select {
	case <-closed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// dialed ends a dial. A session that no caller is waiting for any longer is closed.
func (s *Server) dialed(d *dial, conn Conn, err error) {
	defer close(d.done)
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := s.dialing == d && s.Life.Err() == nil
	if s.dialing == d {
		s.dialing = nil
	}
	if err != nil {
		d.err = err
		d.cancel()
		if wanted {
			s.failed(err)
		}
		return
	}
	on := &Session{conn: conn, server: s, cancel: d.cancel, replaces: !s.refused.IsZero(), dead: make(chan struct{})}
	on.over, on.markOver = context.WithCancel(context.Background())
	if !wanted {
		d.err = ErrClosed
		s.end(on)
		return
	}
	s.Tools.serve(conn.InitializeResult())
	d.session, s.current = on, on
	go func() { // a session that is lost between calls is replaced before the next one
		_ = conn.Wait()
		s.drop(on, false)
	}()
}

const noConnection = "The connection to the server could not be made."

// beforeCall returns the error of a dial or a listing for the call that needs it. An error that is
// internal, a business failure, or claims to be about the call's arguments, earlier attempts, a key or
// work that was done, is replaced, unless it is the program's own tool error.
func beforeCall(err error, message string) error {
	var authored *toolerr.Error
	var request *url.Error // has the error of a RoundTripper
	isOwn := errors.As(err, &authored) && (!errors.As(err, &request) || !errors.Is(request, authored))
	if err == nil || isOwn && !errors.Is(err, errPanicked) {
		return err
	}
	if e := result.Parse(nil, err).Err; e.Code == toolerr.CodeInternal || e.Category == toolerr.CategoryValidation ||
		e.Category == toolerr.CategoryBusiness || e.Partial != nil || len(e.Attempted) > 0 || e.IdempotencyKey != "" {
		return unavailable(message, err)
	}
	return err
}

func unavailable(message string, cause error) *toolerr.Error {
	return toolerr.Unavailable(message, 0).WithRetryable(false).WithCause(cause)
}

// failed records a failed dial, and starts a pause. It is called with the lock held.
func (s *Server) failed(err error) {
	s.failures++
	s.failure, s.paused = err, time.Now().Add(s.delay(err, s.failures))
}
