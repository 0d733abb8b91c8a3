package toolerr_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func print(e *toolerr.Error) { fmt.Println(string(e.AppendJSON(nil))) }

func ExampleTransient() {
	print(toolerr.Transient("The search index is being rebuilt.").WithCode(toolerr.CodeUnavailable).WithHint("Retry in a minute."))
	// Output:
	// {"isError":true,"errorCategory":"transient","isRetryable":true,"code":"unavailable","message":"The search index is being rebuilt.","hint":"Retry in a minute."}
}

func ExampleValidation() {
	print(toolerr.Validation(`Units must be "metric" or "imperial", got "celsius".`).
		WithCode(toolerr.CodeInvalidArgument).WithField("units").
		WithHint(`Call again with units "metric".`))
	// Output:
	// {"isError":true,"errorCategory":"validation","isRetryable":false,"code":"invalid_argument","message":"Units must be \"metric\" or \"imperial\", got \"celsius\".","hint":"Call again with units \"metric\".","field":"units"}
}

func ExampleBusiness() {
	print(toolerr.Business("The return window closed 12 days ago.").
		WithCustomerMessage("This item can no longer be returned."))
	// Output:
	// {"isError":true,"errorCategory":"business","isRetryable":false,"message":"The return window closed 12 days ago.","hint":"Do not retry; explain to the user, or hand over to a person who can decide.","customerMessage":"This item can no longer be returned."}
}

func ExamplePermission() {
	print(toolerr.Permission("The token may read orders, not change them.").WithCode(toolerr.CodeInsufficientScope))
	// Output:
	// {"isError":true,"errorCategory":"permission","isRetryable":false,"code":"insufficient_scope","message":"The token may read orders, not change them.","hint":"Do not retry; tell the user which scope must be granted."}
}

func ExampleFrom() {
	e := toolerr.From(fmt.Errorf("query orders at 10.0.0.7: %w", context.DeadlineExceeded))
	fmt.Println(e.Category, e.Code, e.Retryable, e.Effect)
	fmt.Println(e.Message)
	fmt.Println(errors.Unwrap(e))
	// Output:
	// transient timeout true unknown
	// No answer came in time.
	// query orders at 10.0.0.7: context deadline exceeded
}

func ExampleFrom_rules() {
	errSoldOut := errors.New("inventory: sold out")
	soldOut := func(err error) (*toolerr.Error, bool) {
		if !errors.Is(err, errSoldOut) {
			return nil, false
		}
		return toolerr.Business("The item is sold out.").WithCode("sold_out").WithCause(err), true
	}
	fmt.Println(toolerr.From(errSoldOut, soldOut).Code, toolerr.From(errors.New("a bug"), soldOut).Code)
	// Output: sold_out internal
}

func ExampleWrap() {
	err := toolerr.Wrap(context.DeadlineExceeded, "The weather service took too long.")
	fmt.Println(err, "-", toolerr.CodeOf(err))
	// Output: The weather service took too long. - timeout
}

func ExampleFromResponse() {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "30")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer upstream.Close()
	resp, err := http.Get(upstream.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	e := toolerr.FromResponse(resp)
	fmt.Println(e.Category, e.Code, e.Retryable, e.RetryAfter)
	// Output: transient rate_limited true 30s
}

func ExampleError_Is() {
	errOverLimit := toolerr.Business("The refund exceeds the limit.").WithCode(toolerr.CodeLimitExceeded)
	err := errOverLimit.WithMessage("A refund of $650 exceeds the limit of $500.")
	fmt.Println(errors.Is(err, errOverLimit))
	// Output: true
}
