package idempotency_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
)

// charged calls a handler with the key of a number.
func charged(tb testing.TB, h mcp.ToolHandlerFor[chargeIn, chargeOut], number int) {
	tb.Helper()
	key := fmt.Sprintf("4f0c2a9e-0d8b-4a3e-9f5d-%012d", number)
	raw := fmt.Appendf(nil, `{"cents":40,"idempotency_key":"%s"}`, key)
	_, _, err := h(context.Background(),
		&mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "charge", Arguments: raw}}, chargeIn{40, key})
	require.NoError(tb, err)
}

// A call with a key has at most this many allocations in addition to its handler's.
func TestHandler_Allocations(t *testing.T) { //nolint:paralleltest // it counts allocations
	wrapped, number := idempotency.Handler(fresh(nil), new(till).charge), 0
	alone := allocs.Fewest(func() { number++; charged(t, new(till).charge, number) })
	require.Positive(t, alone)
	allocs.AtMost(t, alone+92, func() { number++; charged(t, wrapped, number) }, "the first call")
	allocs.AtMost(t, alone+69, func() { charged(t, wrapped, number) }, "its repeat")
}
