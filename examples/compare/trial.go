package main

import (
	"context"
	"time"
)

// A trial is one call of a function that always fails.
type trial struct {
	settings
	err      error
	deadline time.Duration // of the context; 0 is none
	patience time.Duration // after which the caller cancels; 0 is never
}

// A course records what was observed in a trial.
type course struct {
	calls   int
	gap     time.Duration // between the first two calls
	took    time.Duration
	err     error
	stopped bool // by the context, not by the library
}

// try runs a trial of the library.
func (l library) try(t trial) (c course) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if t.deadline > 0 {
		ctx, cancel = context.WithTimeout(ctx, t.deadline)
		defer cancel()
	}
	if t.patience > 0 {
		defer time.AfterFunc(t.patience, cancel).Stop()
	}
	t.hint = hintOf
	start := time.Now()
	_, c.err = l.prepare(t.settings)(ctx, func(context.Context) (string, error) {
		if c.calls++; c.calls == 2 {
			c.gap = time.Since(start)
		}
		return "", t.err
	})
	c.took, c.stopped = time.Since(start), ctx.Err() != nil
	return c
}
