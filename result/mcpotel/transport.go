package mcpotel

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
)

// Transport returns a client transport that adds jsonrpc.request.id and
// network.transport to the spans of [Sending].
//
//	session, err := client.Connect(ctx, mcpotel.Transport(&mcp.CommandTransport{Command: command}), nil)
//
// It does not change what is sent. It is as safe for concurrent use as t. Servers do not
// need it.
func Transport(t mcp.Transport) mcp.Transport {
	switch t := t.(type) {
	case *mcp.StreamableClientTransport:
		c := *t
		c.HTTPClient = observed(t.HTTPClient)
		return &c
	case *mcp.SSEClientTransport:
		c := *t
		c.HTTPClient = observed(t.HTTPClient)
		return &c
	case *mcp.CommandTransport, *mcp.StdioTransport, *mcp.InMemoryTransport:
		return &transport{t, []attribute.KeyValue{transportName.String("pipe")}}
	}
	return &transport{t, nil}
}

// sent adds the id and the network of an operation's request.
func (op *operation) sent(method string, id jsonrpc.ID, network ...attribute.KeyValue) {
	if method != op.method || !id.IsValid() {
		return
	}
	op.mu.Lock()
	op.span.SetAttributes(requestID.String(limited(id)))
	if slices.ContainsFunc(op.measured, func(a attribute.KeyValue) bool { return a.Key == transportName }) {
		network = nil // it is known from the session or the options
	}
	op.mu.Unlock()
	op.add(network...)
}

// A transport observes the requests of its connections.
type transport struct {
	mcp.Transport

	network []attribute.KeyValue
}

// Connect implements [mcp.Transport].
func (t *transport) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{conn, t.network}, nil
}

type connection struct {
	mcp.Connection

	network []attribute.KeyValue
}

// Write implements [mcp.Connection].
func (c *connection) Write(ctx context.Context, message jsonrpc.Message) error {
	if op, ok := ctx.Value(operationKey{}).(*operation); ok {
		if req, ok := message.(*jsonrpc.Request); ok {
			op.sent(req.Method, req.ID, c.network...)
		}
	}
	return c.Connection.Write(ctx, message)
}

// observed returns a copy of an HTTP client that observes its requests.
func observed(client *http.Client) *http.Client {
	if client == nil {
		client = http.DefaultClient
	}
	c := *client
	base := c.Transport
	if base == nil {
		base = http.DefaultTransport
	}
	c.Transport = roundTripper{base}
	return &c
}

type roundTripper struct{ base http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (t roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	if op, ok := req.Context().Value(operationKey{}).(*operation); ok && req.GetBody != nil {
		if method, id := requestIn(req); method != "" {
			op.sent(method, id, transportName.String("tcp"), protocolName.String("http"))
		}
	}
	return t.base.RoundTrip(req)
}

// requestIn returns the method and id of the JSON-RPC request that an HTTP request holds.
// It reads a copy of the body.
func requestIn(req *http.Request) (method string, id jsonrpc.ID) {
	body, err := req.GetBody()
	if err != nil {
		return "", id
	}
	defer func() { _ = body.Close() }()
	raw, err := io.ReadAll(body)
	if err != nil || !json.Valid(raw) {
		return "", id
	}
	message, err := jsonrpc.DecodeMessage(raw)
	if r, ok := message.(*jsonrpc.Request); err == nil && ok {
		return r.Method, r.ID
	}
	return "", id
}
