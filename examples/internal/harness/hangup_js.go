package harness

import "os"

// hangup returns no signal, because there is none.
func hangup() []os.Signal { return nil }
