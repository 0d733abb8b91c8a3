package idempotency

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
)

// A running is the claim of a running handler. Its lease is renewed until the handler ends.
type running struct {
	lost atomic.Bool // another call has claimed the key

	mu    sync.Mutex
	timer *time.Timer        // for the next renewal; nil after the end
	stop  context.CancelFunc // of the running renewal, if any
}

// keep renews the lease of a call's claim until end is called. It logs the first failure of
// the store, and the loss of the claim.
func (r *running) keep(c *call) {
	every := c.request.Lease / 3
	failed := false
	renew := func() {
		once, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), c.request.Lease)
		defer cancel()
		r.mu.Lock()
		if r.timer == nil {
			r.mu.Unlock()
			return
		}
		r.stop = cancel
		r.mu.Unlock()
		err := c.renew(once)
		r.mu.Lock()
		defer r.mu.Unlock()
		switch {
		case r.timer == nil:
			return
		case errors.Is(err, ErrLost):
			r.lost.Store(true)
			c.log("an idempotency key was claimed by another call while its handler runs", err)
			return
		case err != nil && !failed:
			failed = true
			c.log("the lease of an idempotency key could not be renewed", err)
		}
		r.timer.Reset(every)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.timer = time.AfterFunc(every, renew)
}

// renew renews the lease once. A panic of the store is an error.
func (c *call) renew(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = failure.Recovered(p)
		}
	}()
	return c.opts.store().Renew(ctx, c.request.ID, c.request.Owner, c.request.Lease)
}

func (r *running) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.timer != nil {
		r.timer.Stop()
		r.timer = nil
		if r.stop != nil {
			r.stop()
		}
	}
}

// withGrace returns the context of a handler. It ends with a time limit of ctx, and a grace
// period after the caller disconnects.
func withGrace(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	if grace < 0 {
		return context.WithCancel(ctx)
	}
	inner, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	limited, release := context.Context(inner), context.CancelFunc(func() {})
	if end, ok := ctx.Deadline(); ok {
		limited, release = context.WithDeadlineCause(inner, end, context.DeadlineExceeded)
	}
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return // limited ends without it
		}
		timer := time.AfterFunc(grace, func() { cancel(context.Cause(ctx)) })
		context.AfterFunc(inner, func() { timer.Stop() })
	})
	return limited, func() {
		stop()
		release()
		cancel(context.Canceled)
	}
}
