package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// A failure is the error object that guides to MCP recommend.
type failure struct {
	ErrorCategory   string `json:"errorCategory"`
	IsRetryable     bool   `json:"isRetryable"`
	Message         string `json:"message"`
	CustomerMessage string `json:"customerMessage,omitempty"`
	SuggestedAction string `json:"suggestedAction,omitempty"`
	RetryAfterMs    int    `json:"retryAfterMs,omitempty"`
}

// failureOf shows what careful work by hand can do for the desk's errors: each has its own message,
// unexpected errors are masked, and a booking is not retryable, although a lost connection is a
// transient failure.
func failureOf(err error) failure {
	var limit *limitError
	var status *statusError
	switch {
	case errors.As(err, &limit):
		return failure{
			ErrorCategory:   "business",
			Message:         fmt.Sprintf("A refund of $%.2f exceeds the limit of $%.2f.", limit.Amount, limit.Limit),
			CustomerMessage: "A colleague has to approve this refund.",
			SuggestedAction: "Hand over to a person.",
		}
	case errors.As(err, &status) && status.Response.StatusCode == http.StatusTooManyRequests:
		seconds, _ := strconv.Atoi(status.Response.Header.Get("Retry-After")) // 0 is left out
		return failure{
			ErrorCategory: "transient", IsRetryable: true, RetryAfterMs: 1000 * seconds,
			Message: "The carrier takes no more requests for now.", SuggestedAction: "Wait, then call again.",
		}
	case errors.Is(err, context.DeadlineExceeded):
		return failure{
			ErrorCategory: "transient", IsRetryable: true,
			Message: "The ledger did not answer in time.", SuggestedAction: "Call again in a few seconds.",
		}
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return failure{
			ErrorCategory:   "transient",
			Message:         "The connection to the carrier was lost.",
			SuggestedAction: "Find out whether it was done before calling again.",
		}
	}
	return failure{ErrorCategory: "transient", Message: "The tool failed.", SuggestedAction: "Tell the user."}
}

func (f failure) text() string {
	text, err := json.Marshal(f)
	if err != nil {
		return f.Message
	}
	return string(text)
}
