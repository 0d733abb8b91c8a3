package toolerr_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"syscall"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func ExampleFrom() {
	e := toolerr.From(fmt.Errorf("query orders at 10.0.0.7: %w", context.DeadlineExceeded))
	fmt.Println(e.Category, e.Code, e.Retryable, e.Effect)
	fmt.Println(e.Message)
	fmt.Println(errors.Unwrap(e))
	// Output:
	// transient timeout false unknown
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

func ExampleFromText() {
	e := toolerr.FromText("Too many requests, try again in 30 seconds.")
	fmt.Println(e.Category, e.Code, e.Retryable, e.RetryAfter)
	fmt.Println(e.Message)
	// Output:
	// transient rate_limited true 30s
	// Too many requests, try again in 30 seconds.
}

// A rule reads the texts of a program's own errors.
func ExampleFromText_rule() {
	read := func(err error) (*toolerr.Error, bool) {
		e := toolerr.FromText(err.Error())
		return e.WithCause(err), e.Category != ""
	}
	for _, text := range []string{"invoice 7 is already paid", "no project named web", "lift error 3"} {
		e := toolerr.From(errors.New(text), read)
		fmt.Println(e.Category, e.Code, "-", e.Message)
	}
	// Output:
	// business failed_precondition - invoice 7 is already paid
	// validation not_found - no project named web
	// transient internal - The tool failed unexpectedly.
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

func ExampleCategoryOf() {
	err := fmt.Errorf("refund ORD-7: %w", toolerr.Business("The return window has closed."))
	fmt.Println(toolerr.CategoryOf(err))
	fmt.Printf("%q\n", toolerr.CategoryOf(context.DeadlineExceeded)) // From would return transient
	// Output:
	// business
	// ""
}

func ExampleCodeOf() {
	err := fmt.Errorf("open the report: %w", toolerr.NotFound("file", "report.pdf"))
	if toolerr.CodeOf(err) == toolerr.CodeNotFound {
		fmt.Println("create it first")
	}
	// Output: create it first
}

func ExampleIsRetryable() {
	fmt.Println(toolerr.IsRetryable(&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED})) // nothing was sent
	fmt.Println(toolerr.IsRetryable(context.DeadlineExceeded))                            // it may have been done
	fmt.Println(toolerr.IsRetryable(fs.ErrNotExist))
	// Output:
	// true
	// false
	// false
}
