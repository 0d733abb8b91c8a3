package toolerr

import (
	"encoding/json"
	"io"
	"net/http"
	"time"
)

// maxProblem is how many bytes of a body are read for problem details. Chosen:
// they have some hundred.
const maxProblem = 64 << 10

// FromResponse turns an HTTP response that is not a success into an envelope, by
// its status (RFC 9110 and the usual extras) and its headers. It reads at most
// 64 KiB of the body, for the type of problem details (RFC 9457), and closes it;
// nothing of the body reaches the envelope. For a status from 100 to 399 it
// returns nil and leaves the response alone: check for nil before returning it as
// an error. A nil response is an internal failure.
//
// A delay comes from Retry-After (RFC 9110, section 10.2.3), retry-after-ms, the
// RateLimit header (draft-ietf-httpapi-ratelimit-headers) or X-RateLimit-Reset.
// It is at most a year; one that is negative or cannot be read is none.
//
// 429 and 503 say that nothing was done; 500, 502, 504 and their like do not.
// Where a proxy answers 503 for a request that it has passed on already, say so:
//
//	return toolerr.FromResponse(resp).WithEffect(toolerr.EffectUnknown)
func FromResponse(resp *http.Response) *Error {
	if resp == nil {
		return vInternal.error(nil)
	}
	if resp.StatusCode >= 100 && resp.StatusCode < 400 {
		return nil
	}
	v := fromStatus(resp.StatusCode, resp.Header, time.Now())
	// A word in a body makes nothing retryable but throttling.
	if w := problem(resp); w.known() && (!w.retryable || w.code == CodeRateLimited) && (v == vInvalid || v == vDenied || v == vPrecondition) {
		v = w
	}
	if !v.known() {
		v = vInternal
	}
	return v.error(nil)
}

// problem reads the type and code of problem details, or of the common error
// objects, and closes the body.
func problem(resp *http.Response) verdict {
	if resp.Body == nil {
		return verdict{}
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxProblem))
	if err != nil {
		return verdict{}
	}
	var p struct {
		Type string          `json:"type"`
		Code json.RawMessage `json:"code"`
	}
	if json.Unmarshal(body, &p) != nil {
		return verdict{}
	}
	var code string
	if json.Unmarshal(p.Code, &code) == nil {
		if v := fromWord(code); v.known() {
			return v
		}
	}
	return fromWord(lastSegment(p.Type))
}

// fromStatus judges an HTTP status, with what the headers say about it.
func fromStatus(status int, header http.Header, now time.Time) verdict {
	v := statusVerdict(status)
	if !v.known() {
		return v
	}
	wait, limited := rateLimit(header, now)
	if status == http.StatusForbidden && limited {
		v = vThrottled // GitHub and others answer a rate limit so
	}
	if v.retryable {
		v.after = wait
	}
	return v
}

func statusVerdict(status int) verdict {
	switch status {
	case 401, 407, 511: // also: proxy authentication, network authentication required
		return vUnauthenticated
	case 403, 451:
		return vDenied
	case 402:
		return vLimit
	case 404, 410:
		return vNotFound
	case 409:
		return vConflict
	case 405, 412, 423, 424, 426, 428, 508: // not allowed now, precondition, locked, dependency, upgrade, loop
		return vPrecondition
	case 413, 414, 416, 431:
		return vOutOfRange
	case 408: // the server waited for the request
		return vNotSent
	case 425, 503, 521, 523, 530: // too early; Cloudflare: down, unreachable
		return vUnavailable
	case 420, 429, 529: // enhance your calm, too many requests, overloaded
		return vThrottled
	case 440:
		return vUnauthenticated // login time-out
	case 499:
		return vCanceled // client closed request
	case 504, 522, 524, 598, 599:
		return vTimeout
	case 507:
		return vExhausted
	case 501, 505, 506, 510:
		return vInvalid // a method, version or extension that the service lacks
	case 525, 526, 495, 496:
		return vUnauthenticated // TLS between the servers
	case 421:
		return vUnavailable // misdirected: another connection may do
	}
	switch {
	case status >= 400 && status < 500:
		return vInvalid
	case status >= 500 && status < 600:
		return vBroken
	}
	return verdict{}
}
