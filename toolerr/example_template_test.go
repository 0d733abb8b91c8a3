package toolerr_test

import (
	"errors"
	"fmt"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// ErrOverLimit is a template. Each call refines a copy of it.
var ErrOverLimit = toolerr.LimitExceeded("The refund exceeds the limit for automatic approval.",
	"A colleague has to approve this refund.").
	WithHint("Relay customerMessage, then call escalate_to_human.")

// refund does the work of a tool. The model sees its errors.
func refund(order string, amount float64) error {
	if amount > 500 {
		return ErrOverLimit.WithMessage(fmt.Sprintf("A refund of $%.2f for %s exceeds the limit of $500.", amount, order))
	}
	if err := book(); err != nil {
		return toolerr.Wrap(err, "The payment gateway did not accept the refund.")
	}
	return nil
}

// book fails as if the gateway were down.
func book() error { return errors.New("dial tcp 10.0.0.7:443: connection refused") }

// The tool fails twice: with an error of its author, and with an error that Wrap
// classifies. The cause is not shown.
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
	// The payment gateway did not accept the refund.
}
