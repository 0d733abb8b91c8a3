package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilSignal returns a context that ends with the first signal to end, so that the
// server removes its workspace; the second signal ends the program at once.
func untilSignal() (context.Context, context.CancelFunc) {
	signal.Ignore(syscall.SIGPIPE) // that nobody reads stdout any more is an error of the write
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // by nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
