package resulttest

import (
	"testing"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest/internal/storecheck"
)

// TestStore tests a store for package idempotency: it claims, renews and finishes as
// the contract of [idempotency.Store] allows, from many goroutines too, with owners that
// die, leases that end and contexts that end in the middle of a call, and fails the
// test once for each thing that the contract forbids.
//
// NewStore is called twice. What it returns is on the same storage, as the stores of two
// server processes are; a store that knows one process is returned twice. The ids are
// random, so that the storage need not be empty; some hundred small records are left
// there. It takes a second or two.
func TestStore(tb testing.TB, newStore func() idempotency.Store) {
	tb.Helper()
	storecheck.Run(tb, newStore)
}
