package toolerr

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
)

// FromResponse turns a failed HTTP response into an envelope. For a status from 100 to 399 it returns
// nil and does not touch the response: check for nil before you return the result as an error.
//
// It reads the status, the headers, and codes in at most 64 KiB of the body, and puts back what it has
// read: problem details (RFC 9457), the errors of common APIs and OAuth, and XML. A specific code takes
// precedence over the status, but seldom to allow a retry. What the service said is only logged, unless
// result.RevealServices shows it to the agent.
//
// The delay, of at most a year, is that of Retry-After (RFC 9110, section 10.2.3), retry-after-ms,
// RateLimit (draft-ietf-httpapi-ratelimit-headers), X-RateLimit-Reset-After, X-RateLimit-Reset or the
// body.
//
// Of effect none are 4xx but 499, work in progress and a body that lists what was done, also 508, 511, 525 and
// 526, and 503 with Retry-After or in response to a safe method. Other 5xx, and any status after a redirect of
// another method, have effect unknown. From does not see redirects: let CheckRedirect of [http.Client] return an error.
func FromResponse(resp *http.Response) *Error {
	if resp == nil {
		return Internal(errors.New("toolerr.FromResponse got no response: return the error of the request"))
	}
	if resp.StatusCode >= 100 && resp.StatusCode < 400 {
		return nil
	}
	c, scope, said := classify.Response(resp)
	status := fmt.Sprintf("%d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	if r := resp.Request; r != nil && r.URL != nil { // without the query
		address := r.URL.Scheme + "://" + r.URL.Host + r.URL.EscapedPath()
		status = fmt.Sprintf("%s %s: %s", cmp.Or(r.Method, http.MethodGet), address, status)
	}
	e := newError(c, &answered{StatusCode: resp.StatusCode, Message: said, Field: c.Field, status: status})
	if scope != "" {
		missing := InsufficientScope(scope)
		e.Message, e.Details = missing.Message, missing.Details
	}
	return e
}

// An answered error is a service's answer that is no success. Its exported fields are those that the
// errors of client libraries have: so message and field are a service's, as theirs are.
type answered struct {
	StatusCode     int
	Message, Field string // what the service said, and the member of the request that it named
	status         string
}

func (e *answered) Error() string { return strings.TrimSuffix(e.status+": "+e.Message, ": ") }
