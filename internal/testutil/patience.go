package testutil

import "time"

// Patience is a test's longest wait for something that happens soon on an idle machine. Chosen:
// many times what a busy machine takes, and less than the ten minutes after which go test gives up.
const Patience = 2 * time.Minute
