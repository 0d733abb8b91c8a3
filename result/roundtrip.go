package result

import (
	"net/http"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// RoundTripper lets [Parse] see why a server could not be reached over HTTP: it
// returns 429 and 5xx as a *[toolerr.Error] with the delay that the response asks
// for, which the SDK's transport loses. Other responses pass through. If base is
// nil, it is [http.DefaultTransport]. It is as safe for concurrent use as base.
//
//	transport := &mcp.StreamableClientTransport{
//		Endpoint:   url,
//		HTTPClient: &http.Client{Transport: result.RoundTripper(nil)},
//	}
func RoundTripper(base http.RoundTripper) http.RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	return roundTripper{base}
}

type roundTripper struct{ base http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (t roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.base.RoundTrip(req)
	if err == nil && (resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500) {
		return nil, toolerr.FromResponse(resp)
	}
	return resp, err
}
