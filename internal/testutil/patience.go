package testutil

import "time"

// Patience is how long a test waits for something that happens quickly on an idle machine. It is
// many times what a busy machine needs, but less than the ten minutes after which go test gives up.
const Patience = 2 * time.Minute
