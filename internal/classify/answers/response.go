// Package answers classifies a service's HTTP response, or a response body that an error keeps.
package answers

import (
	"cmp"
	"net/http"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// FromResponse classifies an HTTP response that is not a success by its status, its headers and the
// codes in its body, which may be problem details (RFC 9457) or one of the common error objects. If
// the credentials lack scopes, it returns those that the WWW-Authenticate header (RFC 6750)
// requires, and what the service says. It closes the body, and puts back what it has read.
func FromResponse(resp *http.Response) (c class.Classification, scopes, said string) {
	body, said := readBody(resp)
	word, shown := body.Class()
	word = codes.UnderStatus(word, resp.StatusCode)
	byStatus, after := codes.FromHTTP(resp.StatusCode, shown, resp.Header, RequestMethod(resp), time.Now())
	found := byStatus
	if refines(word, byStatus, resp.StatusCode) {
		found = word
	}
	after = cmp.Or(after, body.After)
	isPlan := body.IsPlan || body.namesPeriod && after == 0 || codes.HasPlanLimit(resp.Header)
	if found.IsThrottle() && isPlan { // no short wait lifts it
		found = class.Limit
	}
	challenged, scopes := challenge(resp.Header)
	isAccess := found == class.Unauthenticated || found == class.Denied || found.IsVague() || found == challenged
	if challenged != class.Unknown && isAccess {
		found = challenged
	}
	switch {
	case found == class.Unknown:
		found = class.Internal
	case found != class.InsufficientScope:
		scopes = ""
	}
	c = found.After(after)
	if byStatus.Retryable() && byStatus.Classification().Effect == class.EffectUnknown && c.Effect == class.EffectNone {
		c.Effect = class.EffectUnknown // a proxy may have answered with its own text
	}
	return c, scopes, said
}

// refines reports whether the class of a body's code word takes precedence over the class of the
// HTTP status. A vague word never does. A word makes a failure retryable only if it means
// throttling or that the request was not begun.
func refines(word, byStatus class.Class, status int) bool {
	switch {
	case word == class.Throttled:
		return byStatus.IsVague() || byStatus == class.Denied || byStatus == class.Precondition || byStatus == class.ReplyLost
	case word == class.ReplyLost && byStatus == class.Overloaded:
		return true // both leave the effect unknown
	case word == class.Unavailable && status == http.StatusBadRequest:
		return true // not begun: some services send all codes with status 400
	case word.IsVague() || word.Retryable():
		return false
	case word == class.Conflict && byStatus == class.Precondition:
		return false
	case byStatus == class.Throttled:
		return word == class.Limit
	}
	return true
}

// RequestMethod returns the method of the request that a response answers, or "" if unknown.
func RequestMethod(resp *http.Response) string {
	if resp.Request == nil {
		return ""
	}
	return cmp.Or(resp.Request.Method, http.MethodGet)
}
