//go:build !unix

package measure

import "time"

var start = time.Now()

// cpu returns the time that has passed, since there is no standard way to learn what the
// process has run for.
func cpu() time.Duration { return time.Since(start) }
