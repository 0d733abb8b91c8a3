package main

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An apiError is an error that an HTTP API's client returns. It depends on none of the libraries.
type apiError struct {
	StatusCode int
	RetryAfter time.Duration // the server's Retry-After; 0 is none
}

// Error returns the status.
func (e *apiError) Error() string {
	return fmt.Sprintf("status %d %s", e.StatusCode, http.StatusText(e.StatusCode))
}

// throttled returns a rejection: nothing was done, and the server asks for a wait unless after is
// 0. It is not a 503, because proxies also send a 503 for calls that they have forwarded.
func throttled(after time.Duration) error {
	return &apiError{StatusCode: http.StatusTooManyRequests, RetryAfter: after}
}

// errUnanswered leaves open whether the call was executed: the gateway forwarded it but got no
// answer.
var errUnanswered error = &apiError{StatusCode: http.StatusGatewayTimeout}

// errBusy is an error that its author has classified.
var errBusy = toolerr.Transient("The service is busy.").WithEffect(toolerr.EffectNone)

// hintOf returns the wait that the server requested, for libraries that do not find it themselves.
func hintOf(err error) time.Duration {
	if e := (*apiError)(nil); errors.As(err, &e) {
		return e.RetryAfter
	}
	return 0
}

// Hand-written predicates for the libraries that do not classify errors.

func isThrottled(err error) bool {
	e := (*apiError)(nil)
	return errors.As(err, &e) && e.StatusCode == http.StatusTooManyRequests
}

func isRetryable(err error) bool {
	e := (*toolerr.Error)(nil)
	return errors.As(err, &e) && e.Retryable
}
