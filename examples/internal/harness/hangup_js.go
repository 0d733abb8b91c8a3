package harness

import "os"

// hangup returns no signal: there is none.
func hangup() []os.Signal { return nil }
