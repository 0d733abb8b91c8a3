package harness

import "os"

// hangup returns nil, because js has no signals.
func hangup() []os.Signal { return nil }
