package toolerr

import (
	"net/http"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// FromResponse turns an HTTP response that is not a success into an envelope, by
// its status (RFC 9110 and the usual extras), its headers, and the codes of its body:
// problem details (RFC 9457), the error objects of the common APIs, nested ones too,
// OAuth's error, the code of an error in XML, and X-Amzn-ErrorType. It reads at most
// 64 KiB of the body and closes it; nothing of the body reaches the envelope. For a
// status from 100 to 399 it returns nil and leaves the response alone: check for nil
// before returning it as an error. A nil response is an internal failure.
//
// What a code means beats the status, so that an exhausted plan under 429 is no
// throttling; but a code makes nothing retryable except throttling.
//
// A delay comes from Retry-After (RFC 9110, section 10.2.3), retry-after-ms,
// x-ms-retry-after-ms, the RateLimit header (draft-ietf-httpapi-ratelimit-headers),
// X-RateLimit-Reset-After or X-RateLimit-Reset, else from the body: google.rpc.RetryInfo
// or a member such as retry_after, in seconds. It is at most a year; one that is
// negative or cannot be read is none.
//
// A WWW-Authenticate header whose error is insufficient_scope (RFC 6750, section 3.1)
// gives that code, and the scope that it asks for, of at most 512 bytes, in the
// message and as the detail scope.
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
	c, scope := classify.Response(resp)
	e := newError(c, nil)
	if scope != "" {
		e.Details = map[string]any{"scope": scope}
		e.Message = "The credentials lack the scope " + sanitize.Name(scope) + "."
	}
	return e
}
