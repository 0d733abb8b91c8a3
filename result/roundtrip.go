package result

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// RoundTripper lets [Parse] see how an HTTP server or a gateway has refused a request: it
// turns the response into a *[toolerr.Error], by [toolerr.FromResponse], with the delay or
// the scope that it asks for. The SDK's transport loses both, and ends its session, with
// all calls under way, because of most statuses from 400 to 499; with this one only the
// refused call fails. If base is nil, it is [http.DefaultTransport]. It is as safe for
// concurrent use as base.
//
//	transport := &mcp.StreamableClientTransport{
//		Endpoint:   url,
//		HTTPClient: &http.Client{Transport: result.RoundTripper(nil)},
//	}
//
// These it leaves to the SDK: a body with an error of JSON-RPC, a session that is gone (404
// to a request with a session's ID), and a status below 500, but for 429, that answers no
// POST. A 401 or 403 keeps its status and its headers, for the transport's OAuthHandler,
// and gets a body that holds the failure, for a transport that has none.
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

// maxPeek is how much of a body is read to see whether it is an error of JSON-RPC. Chosen:
// as much as FromResponse reads.
const maxPeek = 64 << 10

// holdsError reports whether the body of a response is an error of JSON-RPC. It leaves the
// body to be read.
func holdsError(resp *http.Response) bool {
	head, _ := io.ReadAll(io.LimitReader(resp.Body, maxPeek))
	resp.Body = &readAgain{io.MultiReader(bytes.NewReader(head), resp.Body), resp.Body}
	var message struct {
		Version string          `json:"jsonrpc"`
		Error   json.RawMessage `json:"error"`
	}
	return json.Unmarshal(head, &message) == nil && message.Version == "2.0" && len(message.Error) > 0
}

type readAgain struct {
	io.Reader
	io.Closer
}

// withFailure replaces the body of a response by an error of JSON-RPC that holds the
// failure: the SDK reads that, and keeps its session.
func withFailure(resp *http.Response) *http.Response {
	e := toolerr.FromResponse(resp)
	body, _ := json.Marshal(map[string]any{ // nothing in it fails
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
