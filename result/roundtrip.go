package result

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// RoundTripper returns an HTTP transport that lets [Parse] see why a server or gateway rejected a
// request, with delay and scope: see [toolerr.FromResponse]. The SDK's transport loses both, and for
// most statuses from 400 to 499 it ends the session and all running calls; with this transport only the
// rejected call fails. If base is nil, [http.DefaultTransport] is used. The transport is as safe for
// concurrent use as base.
//
//	&mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: result.RoundTripper(nil)}}
//
// If the server no longer knows the session (404 for a request with a session ID), the error matches
// [mcp.ErrSessionMissing]. A 401 or 403 keeps its status and headers for the transport's OAuthHandler,
// and gets a body with the failure. Responses below 500, but 429, to requests other than POST, and
// JSON-RPC errors that answer the request, are left to the SDK.
func RoundTripper(base http.RoundTripper) http.RoundTripper {
	return roundTripper{cmp.Or(base, http.DefaultTransport)}
}

type roundTripper struct{ base http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (t roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.base.RoundTrip(req)
	if err != nil || resp.StatusCode < http.StatusBadRequest {
		return resp, err
	}
	isBusy := foreign.IsBusy(resp.StatusCode)
	if !isBusy && req.Method != http.MethodPost {
		return resp, nil
	}
	resp.Body = cmp.Or[io.ReadCloser](resp.Body, http.NoBody) // of a base that breaks its contract
	wire := protocolError(resp)
	if wire != nil && foreign.Answers(wire) && !isBusy {
		return resp, nil
	}
	refusal := foreign.NewRefusal(resp, req.Header.Get("Mcp-Session-Id"), wire)
	if resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden {
		return withFailure(resp, toolerr.From(refusal)), nil
	}
	return nil, refusal
}

// maxPeek is how many bytes of a body are read to find a JSON-RPC error, chosen to be FromResponse's.
const maxPeek = 64 << 10

// protocolError returns the JSON-RPC error that a response's body is for the SDK, or nil. The body
// can still be read.
func protocolError(resp *http.Response) (wire *jsonrpc.Error) {
	head, _ := io.ReadAll(io.LimitReader(resp.Body, maxPeek))
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), resp.Body), resp.Body}
	message, _ := jsonrpc.DecodeMessage(head)
	if answer, ok := message.(*jsonrpc.Response); ok {
		wire, _ = answer.Error.(*jsonrpc.Error) //nolint:errorlint // as the SDK decodes it
	}
	return wire
}

// withFailure returns a copy of a response whose body is a JSON-RPC error with the failure. The SDK
// reads the body and keeps the session.
func withFailure(resp *http.Response, e *toolerr.Error) *http.Response {
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
