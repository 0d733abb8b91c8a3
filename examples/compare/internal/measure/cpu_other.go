//go:build !unix

package measure

import "time"

var start = time.Now()

// cpu returns the elapsed time, because there is no portable way to read the CPU time.
func cpu() time.Duration { return time.Since(start) }
