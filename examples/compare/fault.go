package main

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An apiError is an error as the client of an HTTP API returns it. It knows
// nothing of any of the libraries.
type apiError struct {
	StatusCode int
	RetryAfter time.Duration // what the server asked for; 0 is nothing
}

// Error names the status.
func (e *apiError) Error() string {
	return fmt.Sprintf("status %d %s", e.StatusCode, http.StatusText(e.StatusCode))
}

// throttled is a refusal: nothing was done, and the server may say when to come
// back. (503 would not do: proxies answer so to calls that they have passed on.)
func throttled(after time.Duration) error {
	return &apiError{StatusCode: http.StatusTooManyRequests, RetryAfter: after}
}

// errUnanswered leaves open whether the call was carried out: the gateway passed
// it on, and no answer came.
var errUnanswered error = &apiError{StatusCode: http.StatusGatewayTimeout}

// errBusy is an error that its author has classified.
var errBusy = toolerr.Transient("The service is busy.").WithEffect(toolerr.EffectNone)

// hintOf returns the wait that the server asked for, for the libraries that must
// be told.
func hintOf(err error) time.Duration {
	if e := (*apiError)(nil); errors.As(err, &e) {
		return e.RetryAfter
	}
	return 0
}

// The predicates that somebody writes by hand who knows the errors of his program, for the
// libraries that must be told what they may repeat.

func isThrottled(err error) bool {
	e := (*apiError)(nil)
	return errors.As(err, &e) && e.StatusCode == http.StatusTooManyRequests
}

func isRetryable(err error) bool {
	e := (*toolerr.Error)(nil)
	return errors.As(err, &e) && e.Retryable
}
