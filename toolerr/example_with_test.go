package toolerr_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A copy matches its original under errors.Is.
func ExampleError_Is() {
	errFrozen := toolerr.Business("The account is frozen.").WithCode("account_frozen")
	err := fmt.Errorf("pay: %w", errFrozen.WithMessage("Account 7 was frozen yesterday."))
	fmt.Println(errors.Is(err, errFrozen))
	// Output: true
}

// Fifteen of fifty files were copied before the disk was full. The next call continues
// with the sixteenth.
func ExampleError_WithPartial() {
	e := toolerr.Transient("The disk is full.").WithPartial(&toolerr.Partial{
		Processed: 15, Total: 50, ContinueFrom: 16, Results: json.RawMessage(`["a.txt","b.txt"]`),
	})
	fmt.Println(e.Retryable) // the next call has other arguments
	fmt.Println(string(e.AppendJSON(nil)))
	// Output:
	// false
	// {"isError":true,"errorCategory":"transient","isRetryable":false,"message":"The disk is full.","hint":"Call again from partial.continueFrom to get the rest.","effect":"applied","partial":{"processed":15,"total":50,"continueFrom":16,"results":["a.txt","b.txt"]}}
}

// The reply to a payment was lost. A repeat is safe only with the same key.
func ExampleError_WithEffect() {
	e := toolerr.Transient("The bank did not confirm the payment.").
		WithEffect(toolerr.EffectUnknown).WithIdempotencyKey("pay-7f3a")
	fmt.Println(string(e.AppendJSON(nil)))
	// Output:
	// {"isError":true,"errorCategory":"transient","isRetryable":false,"message":"The bank did not confirm the payment.","hint":"The call may have taken effect. Repeat it only with idempotencyKey as the tool's key argument.","effect":"unknown","idempotencyKey":"pay-7f3a"}
}

// A delay is sent in whole milliseconds, rounded up.
func ExampleError_WithRetryAfter() {
	e := toolerr.Transient("The report is being built.").WithRetryAfter(1500 * time.Microsecond)
	fmt.Println(string(e.AppendJSON(nil)))
	// Output:
	// {"isError":true,"errorCategory":"transient","isRetryable":true,"message":"The report is being built.","hint":"Wait for retryAfterMs, then retry the same call.","retryAfterMs":2}
}

// A source that stays closed, and the tools to call instead.
func ExampleError_WithAlternatives() {
	e := toolerr.Transient("The archive is closed until Monday.").WithRetryable(false).
		WithAlternatives("search_library", "search_web")
	fmt.Println(e.Retryable, e.Alternatives)
	// Output: false [search_library search_web]
}

// Details are for values that a program needs in addition to the message.
func ExampleError_WithDetails() {
	e := toolerr.Business("The return window closed 12 days ago.").
		WithDetails(map[string]any{"closed": "2026-07-19", "days": 12})
	fmt.Println(e.Details["days"])
	// Output: 12
}

// errors.Is finds the cause, which is never sent.
func ExampleError_WithCause() {
	e := toolerr.Permission("You may not read the report.").WithCause(os.ErrPermission)
	fmt.Println(e, errors.Is(e, os.ErrPermission))
	// Output: You may not read the report. true
}
