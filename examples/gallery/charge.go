package main

import (
	"context"
	"net/http"
	"regexp"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// charge_card: a call that must not be carried out twice, and whose reply may be lost. Package
// idempotency creates a key if the call has none, returns it with every failure that may have had
// an effect, and rejects it with other arguments. The bank accepts the key too, so the handler may
// run again (UpstreamDedupes).

func addChargeCard(server *mcp.Server, bank *service) {
	no := false
	idempotency.AddTool(server, &mcp.Tool{
		Name: "charge_card",
		Description: "Charge a card for an order. It is not idempotent by itself: a repeat needs the idempotency_key " +
			"of the first call, and is then not charged twice.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &no},
	}, &idempotency.Options{UpstreamDedupes: true, Store: new(idempotency.MemoryStore)}, (&cashier{bank}).charge)
}

type chargeIn struct {
	OrderID        string `json:"order_id" jsonschema:"the order to pay, such as ORD-7"`
	Card           string `json:"card" jsonschema:"the stored card, such as card_visa_1"`
	Cents          int    `json:"cents" jsonschema:"the amount in cents, from 1 to 1000000"`
	IdempotencyKey string `json:"idempotency_key,omitempty" jsonschema:"to repeat a failed call: the key in its failure"`
}

type chargeOut struct {
	ChargeID string `json:"charge_id"`
	OrderID  string `json:"order_id"`
	Cents    int    `json:"cents"`
}

const maxCents = 1_000_000

type cashier struct{ bank *service }

func (c *cashier) charge(
	ctx context.Context, req *mcp.CallToolRequest, in chargeIn,
) (*mcp.CallToolResult, chargeOut, error) {
	if in.Cents < 1 || in.Cents > maxCents {
		return nil, chargeOut{}, toolerr.OutOfRange("cents", in.Cents, 1, maxCents, nil)
	}
	if err := checkOrderID(in.OrderID); err != nil {
		return nil, chargeOut{}, err
	}
	if !cardName.MatchString(in.Card) {
		return nil, chargeOut{}, toolerr.InvalidArgument("card", in.Card, "the name of a stored card, such as card_visa_1")
	}
	// For the bank, all callers are one customer: this server. To keep equal keys of two callers
	// apart, the caller is part of the key. Keys have no spaces, so everything before the last
	// space is the caller.
	in.IdempotencyKey = caller(req) + " " + in.IdempotencyKey
	var out chargeOut
	err := c.bank.call(ctx, http.MethodPost, "/charges", in, &out)
	switch {
	case toolerr.CodeOf(err) == toolerr.CodeLimitExceeded: // 402: declined
		return nil, chargeOut{}, toolerr.Business("The bank declined the card.").WithCode("card_declined").
			WithEffect(toolerr.EffectNone).WithField("card").
			WithHint("Do not retry this card. Relay customerMessage, and ask for another card.").
			WithCustomerMessage("Your bank did not accept this card. Nothing was charged. Would you like to use another one?")
	case err != nil && toolerr.From(err).Effect == toolerr.EffectUnknown:
		return nil, chargeOut{}, toolerr.From(err).
			WithMessage("The bank's reply was lost, and the card may have been charged.").
			WithHint("Retry the same call with idempotencyKey as idempotency_key, or call list_charges first.")
	}
	return nil, out, err
}

var (
	orderID  = regexp.MustCompile(`^ORD-[0-9]{1,9}$`)
	cardName = regexp.MustCompile(`^card_[a-z0-9_]{1,40}$`)
)

// checkOrderID rejects a malformed id, because looking it up would find nothing charged.
func checkOrderID(id string) error {
	if orderID.MatchString(id) {
		return nil
	}
	return toolerr.InvalidArgument("order_id", id, "ORD- and a number, such as ORD-7")
}
