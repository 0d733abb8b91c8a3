package classify

import (
	"cmp"
	"net/http"
	"time"
)

// Response classifies an HTTP response that is not a success, by its status, its
// headers, and the codes of its body, if it is problem details (RFC 9457) or one of
// the common error objects. The scope is the one that a WWW-Authenticate header (RFC
// 6750) asks for, if the credentials lack it, else empty. It closes the body.
func Response(resp *http.Response) (c Classification, scopes string) {
	byStatus, after := statusClass(resp.StatusCode, resp.Header, methodOf(resp), time.Now())
	body := readBody(resp)
	word, shown := body.class()
	word = word.under(resp.StatusCode)
	if shown && resp.StatusCode == http.StatusForbidden && !usedUp(resp.Header) {
		byStatus, after = denied, 0 // it says why; Retry-After alone is no limit then
	}
	found := byStatus
	if refines(word, byStatus, resp.StatusCode) {
		found = word
	}
	after = cmp.Or(after, body.after)
	body.isPlan = body.isPlan || namesPlan(resp.Header)
	found = body.refined(found, after)
	challenged, scopes := challenge(resp.Header)
	if challenged != unknown && (found == unauthenticated || found == denied || found.isVague() || found == challenged) {
		found = challenged
	}
	switch {
	case found == unknown:
		found = internal
	case found != scope:
		scopes = ""
	}
	c = found.after(after)
	if byStatus.retryable() && classes[byStatus].Effect == effectUnknown && c.Effect == effectNone {
		c.Effect = effectUnknown // a proxy may have answered, with words of its own
	}
	return c, scopes
}

// refines reports whether what a body says is worth more than the status that it came
// with: meaning beats status, but a word makes nothing retryable except throttling and
// what was not begun, and one that is vague says less.
func refines(word, byStatus class, status int) bool {
	switch {
	case word == throttled:
		return byStatus.isVague() || byStatus == denied || byStatus == precondition || byStatus == replyLost
	case word == replyLost && byStatus == overloaded:
		return true // both leave it open what was done
	case word == unavailable && status == http.StatusBadRequest:
		return true // it was not begun: some services send all codes with 400
	case word.isVague() || word.retryable():
		return false
	case word == conflict && byStatus == precondition:
		return false
	case byStatus == throttled:
		return word == limit
	}
	return true
}

// methodOf returns the method of the request that a response answers, if it is known.
func methodOf(resp *http.Response) string {
	if resp.Request == nil {
		return ""
	}
	return cmp.Or(resp.Request.Method, http.MethodGet)
}
