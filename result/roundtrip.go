package result

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// RoundTripper returns an HTTP transport that lets [Parse] see why a server or gateway rejected a
// request. It turns the response into a *[toolerr.Error], including delay and scope: see
// [toolerr.FromResponse]. The SDK's transport loses both, and for most statuses from 400 to 499 it
// ends the session and all running calls; with this transport only the rejected call fails. If base
// is nil, [http.DefaultTransport] is used. The transport is as safe for concurrent use as base.
//
//	transport := &mcp.StreamableClientTransport{
//		Endpoint:   url,
//		HTTPClient: &http.Client{Transport: result.RoundTripper(nil)},
//	}
//
// If the status is below 500 and not 429, the SDK still handles a body with a JSON-RPC error, a
// lost session (404 for a request with a session ID), and requests other than POST. A 401 or 403
// keeps its status and headers for the transport's OAuthHandler, and gets a body with the failure
// for a transport without one.
func RoundTripper(base http.RoundTripper) http.RoundTripper {
	base = cmp.Or(base, http.DefaultTransport)
	return roundTripper{base}
}

type roundTripper struct{ base http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (t roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.base.RoundTrip(req)
	switch {
	case err != nil || resp.StatusCode < http.StatusBadRequest:
		return resp, err
	case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= http.StatusInternalServerError:
		return nil, toolerr.FromResponse(resp)
	case req.Method != http.MethodPost, resp.StatusCode == http.StatusNotFound && req.Header.Get("Mcp-Session-Id") != "", holdsError(resp):
		return resp, nil
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return withFailure(resp), nil
	}
	return nil, toolerr.FromResponse(resp)
}

// maxPeek is the maximum number of bytes of a body that are read to find a JSON-RPC error, chosen to
// equal the limit of FromResponse.
const maxPeek = 64 << 10

// holdsError reports whether a response's body is a JSON-RPC error. It can still be read.
func holdsError(resp *http.Response) bool {
	head, _ := io.ReadAll(io.LimitReader(resp.Body, maxPeek))
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), resp.Body), resp.Body}
	var message struct {
		Version string          `json:"jsonrpc"`
		Error   json.RawMessage `json:"error"`
	}
	return json.Unmarshal(head, &message) == nil && message.Version == "2.0" && len(message.Error) > 0
}

// withFailure returns a copy of a response whose body is a JSON-RPC error with the failure. The SDK
// reads the body and keeps the session.
func withFailure(resp *http.Response) *http.Response {
	e := toolerr.FromResponse(resp)
	body, _ := json.Marshal(map[string]any{ // cannot fail
		"jsonrpc": "2.0", "id": 0,
		"error": jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: e.Message, Data: e.AppendJSON(nil)},
	})
	with := *resp
	with.Header = resp.Header.Clone()
	with.Header.Del("Content-Encoding")
	with.Header.Set("Content-Type", "application/json")
	with.ContentLength = int64(len(body))
	with.Header.Del("Content-Length")
	with.Body = io.NopCloser(bytes.NewReader(body))
	return &with
}
