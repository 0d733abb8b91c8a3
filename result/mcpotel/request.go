package mcpotel

import (
	"math"
	"reflect"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// target returns the name of the tool or prompt that a request is for, or the URI of its resource.
func target(req mcp.Request) (name, uri string) {
	params := req.GetParams()
	if v := reflect.ValueOf(params); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return "", ""
	}
	switch p := params.(type) {
	case *mcp.CallToolParamsRaw:
		name = p.Name
	case *mcp.CallToolParams:
		name = p.Name
	case *mcp.GetPromptParams:
		name = p.Name
	case *mcp.ReadResourceParams:
		uri = p.URI
	case *mcp.SubscribeParams:
		uri = p.URI
	case *mcp.UnsubscribeParams:
		uri = p.URI
	}
	return name, uri
}

var versions = mcp.SupportedProtocolVersions()

// protocolVersionOf returns the protocol version of a request, or "" if the SDK does not support
// it: since version 2026-07-28 a client may send any string.
func protocolVersionOf(req mcp.Request) (version string) {
	switch session := req.GetSession().(type) {
	case *mcp.ClientSession:
		if session != nil && session.InitializeResult() != nil {
			version = session.InitializeResult().ProtocolVersion
		}
	case *mcp.ServerSession:
		if r, ok := req.(interface{ ProtocolVersion() string }); ok {
			version = r.ProtocolVersion()
		}
	}
	if slices.Contains(versions, version) {
		return version
	}
	return ""
}

// network returns the attributes of a request's transport, or nil if the transport is unknown.
func (in *instrument) network(req mcp.Request) []attribute.KeyValue {
	name := in.opts.NetworkTransport
	switch extra := req.GetExtra(); {
	case extra != nil && extra.Header != nil || sessionIDOf(req) != "": // the SDK assigns session ids over HTTP only
		return []attribute.KeyValue{transportName.String("tcp"), protocolName.String("http")}
	case name == "" && in.kind == trace.SpanKindServer && isServer(req):
		name = "pipe"
	case name == "":
		return nil
	}
	return []attribute.KeyValue{transportName.String(name)}
}

func isServer(req mcp.Request) bool {
	_, ok := req.GetSession().(*mcp.ServerSession)
	return ok
}

// maxSessionID is the maximum length, in bytes, of a recorded session id. A client may send any id
// to a stateless server. UUIDs have 36 bytes, and the SDK's ids have 26.
const maxSessionID = 128

func sessionIDOf(req mcp.Request) string {
	switch session := req.GetSession().(type) {
	case *mcp.ClientSession:
		if session != nil {
			return session.ID()
		}
	case *mcp.ServerSession:
		if session != nil {
			return session.ID()
		}
	}
	return ""
}

// maxAttempt is the highest recorded attempt number. It is chosen because no policy makes that many
// attempts, but a peer may send any number.
const maxAttempt = 1000

// attemptOf returns the attempt number from package retry, or 0 if there is none.
func attemptOf(req mcp.Request) int {
	var n float64
	switch number := metaOf(req.GetParams())[attemptKey].(type) {
	case int:
		n = float64(number)
	case float64: // from the wire
		n = number
	}
	if n < 1 || n > maxAttempt || n != math.Trunc(n) {
		return 0
	}
	return int(n)
}
