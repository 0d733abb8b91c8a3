package idempotency

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
)

// keepClaim renews the lease of a call's claim until end is called. It logs the first failed renewal,
// and the loss of the claim.
func (c *call) keepClaim() (end func()) {
	ctx, cancel := context.WithCancel(c.detached)
	go func() {
		for failed := false; ; {
			select {
			case <-time.After(c.request.Lease / 3):
			case <-ctx.Done():
				return
			}
			switch err := c.renew(ctx); {
			case ctx.Err() != nil:
				return
			case errors.Is(err, ErrLost):
				c.another.Store(true)
				c.log("an idempotency key was claimed by another call while its handler runs", err)
				return
			case err != nil && !failed:
				failed = true
				c.log("the lease of an idempotency key could not be renewed", err)
			}
		}
	}()
	return cancel
}

// renew renews the lease once. A panic in the store is returned as an error.
func (c *call) renew(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, c.request.Lease)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = failure.Recovered(p)
		}
	}()
	return c.opts.store().Renew(ctx, c.request.ID, c.request.Owner, c.request.Lease)
}

// withGrace returns the handler's context, which ends at the deadline of the call's context, or a
// grace period after the caller disconnects.
func (c *call) withGrace() (context.Context, context.CancelFunc) {
	inner, cancel := context.WithCancelCause(c.detached)
	limited, release := context.Context(inner), context.CancelFunc(func() {})
	if end, ok := c.ctx.Deadline(); ok {
		limited, release = context.WithDeadlineCause(inner, end, context.DeadlineExceeded)
	}
	stop := context.AfterFunc(c.ctx, func() {
		if errors.Is(c.ctx.Err(), context.DeadlineExceeded) {
			return // limited ends by itself
		}
		select {
		case <-time.After(cmp.Or(c.opts.Grace, defaultGrace)):
			cancel(context.Cause(c.ctx))
		case <-inner.Done():
		}
	})
	return limited, func() {
		stop()
		release()
		cancel(context.Canceled)
	}
}
