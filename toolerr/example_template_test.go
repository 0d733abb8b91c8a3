package toolerr_test

import (
	"errors"
	"fmt"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// ErrOverLimit is a template: each call refines a copy of it.
var ErrOverLimit = toolerr.LimitExceeded("The refund exceeds the limit for automatic approval.",
	"A colleague has to approve this refund.").
	WithHint("Relay customerMessage, then call escalate_to_human.")

// refund is the work of a tool. Its errors are what the model sees.
func refund(order string, amount float64) error {
	if amount > 500 {
		return ErrOverLimit.WithMessage(fmt.Sprintf("A refund of $%.2f for %s exceeds the limit of $500.", amount, order))
	}
	if err := book(); err != nil {
		return toolerr.Wrap(err, "The payment gateway did not take the refund.")
	}
	return nil
}

// book fails as a gateway does that is not there.
func book() error { return errors.New("dial tcp 10.0.0.7:443: connection refused") }

// A tool fails in two ways: one that its author classified, and one that
// From classifies. Nothing of the cause is shown.
func Example() {
	for _, amount := range []float64{650, 40} {
		err := refund("ORD-7", amount)
		e := toolerr.From(err)
		fmt.Println(e.Category, e.Code, e.Retryable, errors.Is(err, ErrOverLimit))
		fmt.Println(err)
	}
	// Output:
	// business limit_exceeded false true
	// A refund of $650.00 for ORD-7 exceeds the limit of $500.
	// transient internal false false
	// The payment gateway did not take the refund.
}
