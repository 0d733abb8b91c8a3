//go:build unix

package measure

import (
	"syscall"
	"time"
)

// cpu returns the time that all threads of the process have run for, in the program and
// in the system.
func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
