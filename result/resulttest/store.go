package resulttest

import (
	"testing"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest/internal/storecheck"
)

// TestStore tests an implementation of [idempotency.Store]: it claims, renews and finishes calls,
// also from many goroutines, with leases that expire and contexts that are canceled during a call.
// It reports each violation of the contract as a test error.
//
// NewStore is called twice. Both stores must use the same storage, like the stores of two server
// processes; for a store in memory, return the same one twice. The ids are random, so the storage
// need not be empty. About ninety records remain in it, two of them with 64 KiB. The test takes a
// second or two.
func TestStore(tb testing.TB, newStore func() idempotency.Store) {
	tb.Helper()
	storecheck.Run(tb, newStore)
}
