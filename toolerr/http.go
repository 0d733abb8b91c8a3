package toolerr

import (
	"net/http"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
)

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
// 429 and the other 4xx say that nothing was done; 500, 502, 504 and their like do
// not, since proxies answer so for requests that they have passed on. 503 says it if it
// comes with a Retry-After, or answers a method that changes nothing, such as GET.
func FromResponse(resp *http.Response) *Error {
	if resp == nil {
		return Internal(nil)
	}
	if resp.StatusCode >= 100 && resp.StatusCode < 400 {
		return nil
	}
	return newError(classify.Response(resp), nil)
}
