package main

import (
	"errors"
	"fmt"
	"net/http"
	"time"
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

// hintOf returns the wait that the server asked for, for the libraries that must
// be told.
func hintOf(err error) time.Duration {
	if e := (*apiError)(nil); errors.As(err, &e) {
		return e.RetryAfter
	}
	return 0
}
