package main

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestBank_SameKey calls the bank without idempotency.Handler in front of it.
func TestBank_SameKey(t *testing.T) {
	t.Parallel()
	book := new(bank)
	service, err := patiently("The bank", 0, book)
	require.NoError(t, err)
	defer service.close()
	first := chargeIn{OrderID: "ORD-1", Card: "card_visa_1", Cents: 100, IdempotencyKey: "K"}
	charge := func(in chargeIn) (chargeOut, error) {
		_, out, err := (&cashier{service}).charge(t.Context(), new(mcp.CallToolRequest), in)
		return out, err
	}
	for range 2 {
		out, err := charge(first)
		require.NoError(t, err)
		assert.Equal(t, chargeOut{"CH-1", "ORD-1", 100}, out)
	}
	for name, change := range map[string]func(*chargeIn){
		"another order":  func(in *chargeIn) { in.OrderID = "ORD-2" },
		"another amount": func(in *chargeIn) { in.Cents = 999_900 },
		"another card":   func(in *chargeIn) { in.Card = "card_visa_2" },
		"a bad card":     func(in *chargeIn) { in.Card = "card_declined" },
	} {
		in := first
		change(&in)
		out, err := charge(in)
		assert.Equal(t, toolerr.CodeConflict, toolerr.CodeOf(err), name)
		assert.Zero(t, out, name)
	}
	assert.Len(t, book.book, 1)
}

// TestCharge_SameKeyOfTwoCallers expects a charge for each caller.
func TestCharge_SameKeyOfTwoCallers(t *testing.T) {
	t.Parallel()
	book := new(bank)
	service, err := patiently("The bank", 0, book)
	require.NoError(t, err)
	defer service.close()
	handler := idempotency.Handler(&idempotency.Options{Rerun: true}, (&cashier{service}).charge)
	charge := func(user string) chargeOut {
		in := chargeIn{OrderID: "ORD-1", Card: "card_visa_1", Cents: 100, IdempotencyKey: "1"}
		raw, err := json.Marshal(in)
		require.NoError(t, err)
		_, out, err := handler(t.Context(), &mcp.CallToolRequest{
			Params: &mcp.CallToolParamsRaw{Name: "charge_card", Arguments: raw},
			Extra:  &mcp.RequestExtra{TokenInfo: &auth.TokenInfo{UserID: user}},
		}, in)
		require.NoError(t, err)
		return out
	}
	assert.Equal(t, "CH-1", charge("ann").ChargeID)
	assert.Equal(t, "CH-2", charge("bob").ChargeID)
	assert.Equal(t, "CH-1", charge("ann").ChargeID)
	assert.Len(t, book.of("ORD-1"), 2)
}
