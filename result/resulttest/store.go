package resulttest

import (
	"testing"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest/internal/storecheck"
)

// TestStore tests an implementation of [idempotency.Store]: it compares random sequences of calls,
// the same in every run, with the contract, and reports the first that violates it, reduced to the
// calls that show this. It also claims from many goroutines, and cancels contexts during calls. A
// store that is an [idempotency.Resolver] is tested as one.
//
// NewStore is called twice. Both stores must use the same storage, like the stores of two server
// processes; for a store in memory, return the same one twice. The ids are random, so the storage
// need not be empty. About two hundred records remain in it, a dozen of them with answers of 64
// KiB. The test takes a second or two; a store that writes to disk each time may need more.
func TestStore(tb testing.TB, newStore func() idempotency.Store) {
	tb.Helper()
	storecheck.Run(tb, newStore)
}
