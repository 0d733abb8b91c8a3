package toolerr_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"syscall"
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

// Fifteen of fifty files were copied before the disk was full. The next call copies the sixteenth.
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

// If the first item fails, nothing was done: the failure is sent, and retried, like one without a part.
func ExamplePartial_IsEmpty() {
	nothing := toolerr.Partial{Total: 50, ContinueFrom: 1}
	fmt.Println(nothing.IsEmpty(), toolerr.RateLimited("Too many mails.", 0).WithPartial(&nothing).Retryable)
	// Output: true true
}

// The reply to a payment was lost. A repeat is safe only with the same key.
func ExampleError_WithEffect() {
	e := toolerr.Transient("The bank did not confirm the payment.").
		WithEffect(toolerr.EffectUnknown).WithIdempotencyKey("pay-7f3a")
	fmt.Println(string(e.AppendJSON(nil)))
	// Output:
	// {"isError":true,"errorCategory":"transient","isRetryable":false,"message":"The bank did not confirm the payment.","hint":"Send the same arguments with the tool's key argument set to idempotencyKey; it takes effect only once.","effect":"unknown","idempotencyKey":"pay-7f3a"}
}

// A delay is sent in whole milliseconds, rounded up.
func ExampleError_WithRetryAfter() {
	e := toolerr.Transient("The report is being built.").WithRetryAfter(1500 * time.Microsecond)
	fmt.Println(string(e.AppendJSON(nil)))
	// Output:
	// {"isError":true,"errorCategory":"transient","isRetryable":true,"message":"The report is being built.","hint":"Wait for retryAfterMs, then retry the same call.","retryAfterMs":2}
}

// errors.Is finds the cause, which is never sent.
func ExampleError_WithCause() {
	e := toolerr.Permission("You may not read the report.").WithCause(os.ErrPermission)
	fmt.Println(e, errors.Is(e, os.ErrPermission))
	// Output: You may not read the report. true
}

// AppendJSON does not escape < and >. json.Marshal does.
func ExampleError_AppendJSON() {
	e := toolerr.Validation("The query must have <= 100 letters.").WithField("query").WithHint("Shorten it.")
	fmt.Println(string(e.AppendJSON(nil)))
	// Output:
	// {"isError":true,"errorCategory":"validation","isRetryable":false,"message":"The query must have <= 100 letters.","hint":"Shorten it.","field":"query","effect":"none"}
}

// Envelopes of other servers are read leniently. Without isRetryable, a timeout is
// retryable, and its effect is unknown.
func ExampleError_UnmarshalJSON() {
	var e toolerr.Error
	err := json.Unmarshal([]byte(`{"errorCategory":"transient","code":"timeout","message":"Too slow.","new":1}`), &e)
	fmt.Println(err, e.Category, e.Code, e.Retryable, e.Effect)
	// Output: <nil> transient timeout true unknown
}

// The log has the cause, without the credentials in its URL.
func ExampleError_LogValue() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
	e := toolerr.Wrap(errors.New("GET https://api.example/v1?token=s3cret: refused"), "The rates are not available.")
	logger.Warn("tool call failed", "error", e)
	// Output:
	// level=WARN msg="tool call failed" error.category=transient error.code=internal error.retryable=false error.message="The rates are not available." error.effect=unknown error.cause="GET https://api.example/v1?token=[masked]: refused"
}

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
