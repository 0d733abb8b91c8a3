//go:build !js

package harness

import (
	"os"
	"os/signal"
	"syscall"
)

// hangup returns SIGHUP, which a closed terminal sends, unless it is ignored, as by nohup. It also
// catches SIGPIPE, because child processes would inherit signal.Ignore.
func hangup() []os.Signal {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if signal.Ignored(syscall.SIGHUP) {
		return nil
	}
	return []os.Signal{syscall.SIGHUP}
}
