package codes

import (
	"net/http"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// FromHTTP returns the class of a status, and the delay that the headers require.
func FromHTTP(status int, header http.Header, method string, now time.Time) (class.Class, time.Duration) {
	c := FromStatus(status)
	if status == http.StatusServiceUnavailable {
		if _, ok := retryAfter(header.Get("Retry-After"), now); ok || isSafe(method) {
			c = class.Unavailable
		}
	}
	wait, limited := rateLimit(header, now)
	if status == http.StatusForbidden && limited {
		c = class.Throttled // the status with which GitHub and others report a rate limit
	}
	if !c.Retryable() {
		wait = 0
	}
	return c, wait
}

// FromStatus classifies an HTTP status (RFC 9110 and common extensions). A status that is
// not a failure is [class.Unknown].
func FromStatus(status int) class.Class { return byName()["http"].Class(int64(status)) }

// isSafe reports whether a method changes nothing (RFC 9110, section 9.2.1).
func isSafe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions || method == http.MethodTrace
}

// IsRefusal reports whether a status permanently rejects the request, even if a code in the body is
// transient. Status 400 does not, because some services send all codes with it.
func IsRefusal(status int) bool {
	return status > http.StatusBadRequest && status/100 == 4 && !FromStatus(status).Retryable()
}

// UnderStatus returns the class of a code that came with an HTTP status. [class.OverLimit] becomes
// a quota if the status permanently rejects the request, and a rate limit otherwise.
func UnderStatus(c class.Class, status int) class.Class {
	switch {
	case c == class.Missing && IsRefusal(status) && FromStatus(status) != class.Invalid:
		return FromStatus(status) // what is required is access or a state, not an argument
	case c != class.OverLimit:
		return c
	case IsRefusal(status):
		return class.Limit
	}
	return class.Throttled
}
