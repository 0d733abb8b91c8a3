package classify

import (
	"net/http"
	"time"
)

// HTTPStatus classifies an HTTP status (RFC 9110 and the usual extras) that a request
// with this method was answered with, with the delay that the headers ask for. An
// empty method is any. Of a status that is no failure nothing is known.
//
// Proxies make up 502, 503 and 504 for requests that they have passed on, so that
// these prove nothing, unless 503 comes with a Retry-After, which RFC 9110 gives it
// for a service that takes no requests now, or to a method that changes nothing.
func HTTPStatus(status int, header http.Header, method string, now time.Time) Classification {
	c, after := statusClass(status, header, method, now)
	return c.after(after)
}

func statusClass(status int, header http.Header, method string, now time.Time) (class, time.Duration) {
	c := ofStatus(status)
	if c == replyLost && status == http.StatusServiceUnavailable && (isSafe(method) || hasRetryAfter(header, now)) {
		c = unavailable
	}
	if c == unknown {
		return unknown, 0
	}
	wait, limited := rateLimit(header, now)
	if status == http.StatusForbidden && limited {
		c = throttled // GitHub and others answer a rate limit so
	}
	if !c.retryable() {
		wait = 0
	}
	return c, wait
}

func ofStatus(status int) class {
	switch status {
	case 401, 407, 511: // also: proxy authentication, network authentication required
		return unauthenticated
	case 403, 451:
		return denied
	case 402:
		return limit
	case 404, 410:
		return notFound
	case 409:
		return conflict
	case 405, 412, 423, 424, 426, 428, 508: // not allowed now, precondition, locked, dependency, upgrade, loop
		return precondition
	case 413, 414, 416, 431:
		return outOfRange
	case 408: // the server waited for the request
		return notSent
	case 425: // too early
		return unavailable
	case 420, 429: // enhance your calm, too many requests
		return throttled
	case 529: // overloaded
		return overloaded
	case 440:
		return unauthenticated // login time-out
	case 499:
		return canceled // client closed request
	case 504, 522, 524, 598, 599:
		return timedOut
	case 507:
		return exhausted
	case 501, 505, 506, 510:
		return invalid // a method, version or extension that the service lacks
	case 525, 526, 495, 496:
		return unauthenticated // TLS between the servers
	case 421:
		return unavailable // misdirected: another connection may do
	}
	switch {
	case status >= 400 && status < 500:
		return invalid
	case status >= 500 && status < 600:
		return replyLost
	}
	return unknown
}

// isSafe reports whether a method changes nothing (RFC 9110, section 9.2.1).
func isSafe(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	}
	return false
}
