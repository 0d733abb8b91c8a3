//go:build !js

package harness

import (
	"os"
	"os/signal"
	"syscall"
)

// hangup returns the signal of a terminal that is closed, unless nohup ignores it, and catches the
// signal of a reader that has gone. It does not use Ignore, which child processes inherit.
func hangup() []os.Signal {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if signal.Ignored(syscall.SIGHUP) {
		return nil
	}
	return []os.Signal{syscall.SIGHUP}
}
