package foreign

import (
	"context"
	"errors"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// isAboutInput reports whether a call ended because the SDK's client could not get the input
// that the tool asked for. The error is the program's own, or the SDK's if the program gives
// no such input, and not about the call. It has no type.
func isAboutInput(err error) bool {
	text := errorText(err)
	return strings.HasPrefix(text, "multi round-trip: ") || strings.HasPrefix(text, "multi-round-trip: exceeded maximum retries")
}

// inputNotGiven returns the failure of such a call. The tool ran at least until it asked.
func inputNotGiven(err error) *toolerr.Error {
	const message = "The input that the tool asks for was not given."
	switch {
	case errors.Is(err, context.Canceled):
		return unanswered(toolerr.CodeCanceled, message).WithRetryable(false)
	case errors.Is(err, context.DeadlineExceeded):
		return unanswered(toolerr.CodeTimeout, message).WithRetryable(false)
	}
	return unanswered(toolerr.CodeInternal, message).WithRetryable(false)
}
