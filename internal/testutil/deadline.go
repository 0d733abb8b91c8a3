package testutil

import (
	"context"
	"sync"
)

// Deadline returns a context that ends with [context.DeadlineExceeded] when pass is called or the
// parent ends, so tests of timeouts do not depend on the speed of the machine. Pass is safe for
// concurrent use, and may be called more than once.
func Deadline(parent context.Context) (ctx context.Context, pass func()) {
	d := &deadline{Context: parent, done: make(chan struct{})}
	pass = sync.OnceFunc(func() { close(d.done) })
	context.AfterFunc(parent, pass)
	return d, pass
}

type deadline struct {
	context.Context

	done chan struct{}
}

// Done implements [context.Context].
func (d *deadline) Done() <-chan struct{} { return d.done }

// Err implements [context.Context].
func (d *deadline) Err() error {
	select {
	case <-d.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}
