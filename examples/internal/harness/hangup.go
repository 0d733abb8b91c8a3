//go:build !js

package harness

import (
	"os"
	"os/signal"
	"syscall"
)

// hangup returns SIGHUP, which a closing terminal sends, unless it is ignored, as under nohup. It
// catches SIGPIPE instead of ignoring it, because child processes inherit ignored signals.
func hangup() []os.Signal {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if signal.Ignored(syscall.SIGHUP) {
		return nil
	}
	return []os.Signal{syscall.SIGHUP}
}
