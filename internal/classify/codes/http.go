package codes

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// rateLimit returns the delay that a response's headers require, and whether they report
// that a limit was reached.
func rateLimit(h http.Header, now time.Time) (after time.Duration, limited bool) {
	if len(h) == 0 {
		return 0, false // what follows allocates
	}
	limited = h.Get("Retry-After") != "" || isLimitUsedUp(h)
	for _, name := range []string{"Retry-After-Ms", "X-Ms-Retry-After-Ms"} {
		if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get(name)), 64); err == nil && ms > 0 {
			return class.Seconds(ms / 1000), true
		}
	}
	after, _ = wait(h.Get("Retry-After"), now)
	if after = cmp.Or(after, draftRateLimit(h.Get("Ratelimit"))); after != 0 {
		return after, true
	}
	for _, prefix := range []string{"X-Ratelimit", "X-Rate-Limit", "Ratelimit"} {
		if remaining := h.Get(prefix + "-Remaining"); remaining != "" && remaining != "0" {
			continue
		}
		after, _ = wait(h.Get(prefix+"-Reset-After"), now)
		reset, _ := wait(h.Get(prefix+"-Reset"), now)
		if after = cmp.Or(after, reset); after != 0 {
			return after, limited
		}
	}
	return 0, limited
}

// isLimitUsedUp reports whether a Remaining header states that no calls remain.
func isLimitUsedUp(h http.Header) bool {
	return h.Get("X-Ratelimit-Remaining") == "0" || h.Get("X-Rate-Limit-Remaining") == "0" || h.Get("Ratelimit-Remaining") == "0"
}

// HasPlanLimit reports whether the headers name a limit for a day or more, either in a value or in
// the name of a header that states that nothing remains.
func HasPlanLimit(h http.Header) bool {
	for name, values := range h {
		name, ok := strings.CutPrefix(strings.TrimPrefix(name, "X-"), "Ratelimit-")
		used := strings.Contains(name, "Remaining") && slices.Contains(values, "0") && Periods.In(name)
		if ok && (used || List("limitHeaders").Has(name) && Periods.In(strings.Join(values, " "))) {
			return true
		}
	}
	return false
}

// wait reads the value of a header: seconds, a duration such as 6m0s, a date, or, if the number is
// too large for a delay, a Unix time in seconds or milliseconds. Ok is false if the value is
// unreadable, negative or in the past.
func wait(value string, now time.Time) (d time.Duration, ok bool) {
	if value = strings.TrimSpace(value); value == "" {
		return 0, false // what follows allocates
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		at, _ := http.ParseTime(value) // the zero time if it is none
		if d, err = time.ParseDuration(value); err != nil {
			d = at.Sub(now)
		}
		return class.ClampDelay(d), d > 0
	}
	const epoch, epochMillis = 1e9, 1e12 // September 2001, in seconds and milliseconds since 1970
	switch {
	case n >= epochMillis:
		n = n/1000 - float64(now.UnixMilli())/1000
	case n >= epoch:
		n -= float64(now.UnixMilli()) / 1000
	}
	return class.Seconds(n), n >= 0
}

// draftRateLimit reads the RateLimit header of the IETF draft, in which policies are separated by
// commas. If r, the remaining calls, is 0, t is the number of seconds until there are more. In
// older drafts, these are named remaining and reset, and there is one policy.
func draftRateLimit(value string) time.Duration {
	separator := ","
	if strings.Contains(value, "remaining") {
		separator = "\x00"
	}
	for policy := range strings.SplitSeq(value, separator) {
		var usedUp bool
		var reset float64
		for param := range strings.FieldsFuncSeq(policy, func(r rune) bool { return strings.ContainsRune(";, ", r) }) {
			switch name, n, _ := strings.Cut(param, "="); name {
			case "r", "remaining":
				usedUp = n == "0"
			case "t", "reset":
				reset, _ = strconv.ParseFloat(n, 64)
			}
		}
		if usedUp && reset > 0 {
			return class.Seconds(reset)
		}
	}
	return 0
}

// FromHTTP returns the class of a status, and the delay that the headers require. If a code word
// explains a 403, a Retry-After alone does not make it a rate limit.
func FromHTTP(status int, explained bool, header http.Header, method string, now time.Time) (class.Class, time.Duration) {
	c := FromStatus(status)
	after, limited := rateLimit(header, now)
	_, isTimed := wait(header.Get("Retry-After"), now)
	switch {
	case status == http.StatusServiceUnavailable && (isTimed || isSafe(method)):
		c = class.Unavailable
	case status == http.StatusForbidden && limited:
		c = class.Throttled // the status with which GitHub and others report a rate limit
	}
	switch {
	case !c.Retryable():
		after = 0
	case status == http.StatusForbidden && explained && !isLimitUsedUp(header):
		c = class.Denied // but a word for a rate limit has the delay
	}
	return c, after
}

// FromStatus classifies an HTTP status (RFC 9110 and common extensions). A status that is
// not a failure is [class.Unknown].
func FromStatus(status int) class.Class { return all().byName["http"].Class(int64(status)) }

// FromStatusLine classifies a text that is a status and its reason, such as 404 Not Found, and nothing else.
func FromStatusLine(text string) class.Class {
	code, reason, _ := strings.Cut(text, " ")
	if n, _ := strconv.Atoi(code); reason != "" && reason == http.StatusText(n) {
		return FromStatus(n)
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
