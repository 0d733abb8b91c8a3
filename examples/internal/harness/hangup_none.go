//go:build js || plan9

package harness

import "os"

// hangup returns no signal: there is none, or no number of it.
func hangup() []os.Signal { return nil }
