//go:build unix

package measure

import (
	"syscall"
	"time"
)

// cpu returns the process's user plus system CPU time, on all threads.
func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
