package toolerr

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// FromResponse turns an HTTP response that is not a success into an envelope,
// and closes its body. For a status below 400 it returns nil and leaves the
// response alone. A nil response is an internal failure.
func FromResponse(resp *http.Response) *Error {
	if resp == nil {
		return classify(nil)
	}
	if resp.StatusCode < 400 {
		return nil
	}
	if resp.Body != nil {
		_ = resp.Body.Close()
	}
	e := fromStatus(resp.StatusCode)
	if e.Retryable {
		e.RetryAfter = retryAfter(resp.Header.Get("Retry-After"), time.Now())
	}
	return e
}

func fromStatus(status int) *Error {
	switch status {
	case http.StatusUnauthorized:
		return Permission("The service did not accept the credentials.").WithCode(CodeUnauthenticated).WithEffect(EffectNone)
	case http.StatusForbidden:
		return Permission("The service denies access.").WithCode(CodePermissionDenied).WithEffect(EffectNone)
	case http.StatusNotFound, http.StatusGone:
		return Validation("The service knows no such thing.").WithCode(CodeNotFound)
	case http.StatusConflict:
		return Business("The service reports a conflict with the current state.").WithCode(CodeConflict)
	case http.StatusTooManyRequests:
		return Transient("The service takes no more calls for now.").WithCode(CodeRateLimited).WithEffect(EffectNone)
	case http.StatusServiceUnavailable:
		return Transient("The service is unavailable.").WithCode(CodeUnavailable).WithEffect(EffectNone)
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return Transient("No answer came in time.").WithCode(CodeTimeout).WithEffect(EffectUnknown)
	}
	if status >= 500 {
		return Transient("The service failed.").WithCode(CodeUnavailable).WithEffect(EffectUnknown)
	}
	return Validation("The service rejected the request.").WithCode(CodeInvalidArgument)
}

// retryAfter reads a Retry-After header (RFC 9110, section 10.2.3): seconds or a
// date. What cannot be read, or lies in the past, is no delay.
func retryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseUint(value, 10, 63); err == nil {
		return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(at.Sub(now), 0), maxRetryAfter)
	}
	return 0
}
