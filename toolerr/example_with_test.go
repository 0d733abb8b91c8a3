package toolerr_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A copy is the failure that it was made from, for errors.Is.
func ExampleError_Is() {
	errFrozen := toolerr.Business("The account is frozen.").WithCode("account_frozen")
	err := fmt.Errorf("pay: %w", errFrozen.WithMessage("Account 7 was frozen yesterday."))
	fmt.Println(errors.Is(err, errFrozen))
	// Output: true
}

// Fifteen of fifty files were read before the disk was full: the next call goes
// on where this one stopped.
func ExampleError_WithPartial() {
	e := toolerr.Transient("The disk is full.").WithPartial(&toolerr.Partial{
		Processed: 15, Total: 50, ContinueFrom: 16, Results: json.RawMessage(`["a.txt","b.txt"]`),
	})
	fmt.Println(e.Retryable) // not the identical call
	fmt.Println(string(e.AppendJSON(nil)))
	// Output:
	// false
	// {"isError":true,"errorCategory":"transient","isRetryable":false,"message":"The disk is full.","hint":"Call again from partial.continueFrom to get the rest.","partial":{"processed":15,"total":50,"continueFrom":16,"results":["a.txt","b.txt"]}}
}

// The reply to a payment was lost. It is repeated only with the key, under which
// nothing is done twice.
func ExampleError_WithEffect() {
	e := toolerr.Transient("The bank did not confirm the payment.").
		WithEffect(toolerr.EffectUnknown).WithIdempotencyKey("pay-7f3a")
	fmt.Println(string(e.AppendJSON(nil)))
	// Output:
	// {"isError":true,"errorCategory":"transient","isRetryable":true,"message":"The bank did not confirm the payment.","hint":"Retry the same call at most twice, with idempotencyKey as the tool's key argument: it is then done once.","effect":"unknown","idempotencyKey":"pay-7f3a"}
}

// A delay goes out in whole milliseconds, rounded up.
func ExampleError_WithRetryAfter() {
	e := toolerr.Transient("The report is being built.").WithRetryAfter(1500 * time.Microsecond)
	fmt.Println(string(e.AppendJSON(nil)))
	// Output:
	// {"isError":true,"errorCategory":"transient","isRetryable":true,"message":"The report is being built.","hint":"Wait for retryAfterMs, then retry the same call.","retryAfterMs":2}
}

// A source that is down for good, and what to ask instead.
func ExampleError_WithAlternatives() {
	e := toolerr.Transient("The archive is closed until Monday.").WithRetryable(false).
		WithAlternatives("search_library", "search_web")
	fmt.Println(e.Retryable, e.Alternatives)
	// Output: false [search_library search_web]
}

// What a program needs beside the sentence is a member of its own.
func ExampleError_WithDetails() {
	e := toolerr.Business("The return window closed 12 days ago.").
		WithDetails(map[string]any{"closed": "2026-07-19", "days": 12})
	fmt.Println(e.Details["days"])
	// Output: 12
}

// The cause is found by errors.Is, and never shown.
func ExampleError_WithCause() {
	e := toolerr.Permission("The report may not be read.").WithCause(os.ErrPermission)
	fmt.Println(e, errors.Is(e, os.ErrPermission))
	// Output: The report may not be read. true
}
