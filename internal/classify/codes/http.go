package codes

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// wait reads the value of a header: a number of a unit or of seconds, a duration such as 6m0s, an HTTP or
// RFC 3339 date, or, if the number is too large for a delay, a Unix time in seconds or milliseconds. It is 0 for any
// other value.
func wait(value, unit string, now time.Time) time.Duration {
	const epoch, epochMillis = 1e9, 1e12 // September 2001, in seconds and milliseconds since 1970
	if value == "" {
		return 0 // what follows allocates
	}
	value = strings.TrimSpace(value) + unit
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		d, err := time.ParseDuration(value)
		if err != nil {
			at, _ := http.ParseTime(value) // the zero time if it is none
			other, _ := time.Parse(time.RFC3339, value)
			short, _ := time.Parse("2006-01-02T15:04Z07:00", value) // of Jira
			d = max(at.Sub(now), other.Sub(now), short.Sub(now))
		}
		return class.ClampDelay(d)
	}
	if n >= epochMillis {
		n /= 1000
	}
	if n >= epoch {
		n -= float64(now.UnixMilli()) / 1000
	}
	return class.Seconds(n)
}

// FromHTTP returns the class of a status, and the delay that the headers require. If a code word
// explains a 403, a Retry-After alone does not make it a rate limit, but a word for one has the delay.
//
// Proxies return 502, 503 and 504 for requests that they forwarded, so these do not prove that
// nothing was done. A 503 proves it, like a 413, if it has a usable Retry-After header, with which services
// reject requests temporarily (RFC 9110), or if the method changes nothing.
func FromHTTP(
	status int, explained bool, header http.Header, method string, now time.Time,
) (c class.Class, after time.Duration) {
	read := func(name, unit string) time.Duration { return wait(header.Get(name), unit, now) }
	_, reset, _ := strings.Cut(header.Get("Ratelimit"), ";r=0;t=") // of the IETF draft: no calls remain
	reset, _, _ = strings.Cut(reset, ",")
	asked, usedUp := header.Get("Retry-After"), false
	after = cmp.Or(read("Retry-After-Ms", "ms"), read("X-Ms-Retry-After-Ms", "ms"), wait(asked, "", now),
		wait(reset, "", now))
	limited := after > 0 || asked != ""
	for _, prefix := range []string{"X-Ratelimit", "X-Rate-Limit", "Ratelimit"} {
		remaining := header.Get(prefix + "-Remaining")
		if usedUp = usedUp || remaining == "0"; after == 0 && (remaining == "" || remaining == "0") {
			after = cmp.Or(read(prefix+"-Reset-After", ""), read(prefix+"-Reset", ""))
		}
	}
	c, limited = FromStatus(status), limited || usedUp
	notDone := List("safe").Has(method) || asked == "0" || wait(asked, "", now) > 0
	switch {
	case status == http.StatusServiceUnavailable && notDone, status == http.StatusRequestEntityTooLarge && after > 0:
		c = class.NotAccepted
	case status == http.StatusForbidden && limited && (!explained || usedUp):
		c = class.Throttled // the status with which GitHub and others report a rate limit
	case !c.Retryable() && (status != http.StatusForbidden || !limited):
		after = 0
	}
	return c, after
}

// FromStatus classifies an HTTP status (RFC 9110 and common extensions). A status that is
// not a failure is [class.Unknown].
func FromStatus(status int) class.Class { return all().tables["http"].Class(int64(status)) }

// FromStatusLine classifies a text that is a status and its reason, such as 404 Not Found, and nothing else.
func FromStatusLine(text string) class.Class {
	code, reason, _ := strings.Cut(text, " ")
	if n, _ := strconv.Atoi(code); reason != "" && reason == http.StatusText(n) {
		return FromStatus(n)
	}
	return class.Unknown
}
