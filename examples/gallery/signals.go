package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilSignal returns a context that ends with a signal to end, so that the server
// removes its workspace.
func untilSignal() (context.Context, context.CancelFunc) {
	signal.Ignore(syscall.SIGPIPE) // that nobody reads stdout any more is an error of the write
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // by nohup
		signals = append(signals, syscall.SIGHUP)
	}
	return signal.NotifyContext(context.Background(), signals...)
}
