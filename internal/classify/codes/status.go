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
func FromStatus(status int) class.Class {
	switch status {
	case 401, 407, 511: // also: proxy authentication, network authentication required
		return class.Unauthenticated
	case 403, 451:
		return class.Denied
	case 402:
		return class.Limit
	case 404, 410:
		return class.NotFound
	case 409:
		return class.Conflict
	case 405, 412, 423, 424, 426, 428, 508: // not allowed now, precondition, locked, dependency, upgrade, loop
		return class.Precondition
	case 413, 414, 416, 431:
		return class.OutOfRange
	case 408: // the server waited for the request
		return class.NotSent
	case 421, 425: // misdirected: another connection may do; too early
		return class.Unavailable
	case 420, 429: // enhance your calm, too many requests
		return class.Throttled
	case 529: // overloaded
		return class.Overloaded
	case 499:
		return class.Canceled // client closed request
	case 504, 522, 524, 598, 599:
		return class.TimedOut
	case 507:
		return class.Exhausted
	case 501, 505, 506, 510: // a method, version or extension that the service lacks: no argument is at fault
		return class.Internal
	case 440, 495, 496, 525, 526: // login time-out; client certificate; TLS between the servers
		return class.Unauthenticated
	}
	switch {
	case status >= 400 && status < 500:
		return class.Invalid
	case status >= 500 && status < 600:
		return class.ReplyLost
	}
	return class.Unknown
}

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
