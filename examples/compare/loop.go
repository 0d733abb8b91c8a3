package main

import (
	"context"
	"time"
)

// bareLoop is a typical hand-written loop.
func bareLoop(ctx context.Context, s settings, fn function) (string, error) {
	for attempt := 1; ; attempt++ {
		v, err := fn(ctx)
		if err == nil || attempt == s.attempts || s.permanent(err) {
			return v, err
		}
		select {
		case <-time.After(s.base << (attempt - 1)):
		case <-ctx.Done():
			return v, ctx.Err()
		}
	}
}
