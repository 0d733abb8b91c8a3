// Package mcpotel records MCP requests with OpenTelemetry: a span and a duration for each request
// except subscriptions/listen, and the classification of each failed tool call. It never changes a
// result. It is a separate module, so that the other packages do not depend on OpenTelemetry.
//
//	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "v1"}, nil)
//	server.AddReceivingMiddleware(mcpotel.Receiving(nil), result.Middleware(nil))
//
//	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"}, nil)
//	client.AddSendingMiddleware(retry.Middleware(retry.Policy{}, retry.SafetyOf), mcpotel.Sending(nil))
//
// They use OpenTelemetry's global providers unless [Options] names others. Install [Receiving]
// outside [result.Middleware], so that it sees the envelopes, and [Sending] inside package retry's
// middleware, so that each attempt has a span. If Receiving is installed inside result.Middleware,
// it logs one warning.
//
// For a retry.Client, add Sending to its mcp.Client. To check the telemetry that the examples show, run
//
//	cd result/mcpotel && go test -v -run Example .
//
// # Names
//
// The names follow OpenTelemetry's semantic conventions for MCP, which have the status Development:
//
//	span       {mcp.method.name} {gen_ai.tool.name or gen_ai.prompt.name}, SERVER or CLIENT
//	histogram  mcp.server.operation.duration, mcp.client.operation.duration, in seconds
//	histogram  mcp.server.session.duration, mcp.client.session.duration, in seconds, of protocol
//	           versions before 2026-07-28
//
// The logs of packages result and retry, and the Counts of examples/support, use the same names; in
// Prometheus, _ replaces the dots. The columns are for spans, histograms, logs and Counts:
//
//	attribute                  span  histogram  log  Counts
//	mcp.method.name            yes   yes        yes
//	gen_ai.tool.name           yes   yes        yes  yes
//	gen_ai.prompt.name         yes   yes        yes
//	gen_ai.operation.name      yes   yes                   execute_tool, for tool calls
//	mcp.resource.uri           yes              yes        in spans only with Options.ResourceURIs
//	mcp.protocol.version       yes   yes
//	network.transport          yes   yes                   tcp, pipe
//	network.protocol.name      yes   yes                   http
//	server.address, port       yes   yes                   on clients, from Options.ServerAddress
//	error.type                 yes   yes        yes        tool_error, or the JSON-RPC code
//	rpc.response.status_code   yes   yes                   the JSON-RPC code
//	mcp.session.id             yes              yes        on servers
//	enduser.id                                  yes        result.MiddlewareOptions.Principal
//	toolerr.category           yes   yes        yes  yes   for failed tool calls
//	toolerr.code               yes   yes        yes  yes
//	toolerr.retryable          yes   yes        yes
//	toolerr.effect             yes   yes        yes  yes
//	toolerr.message, cause, field, correlation_id  yes     in the log of a client, only the id, and the cause if not sent
//	toolerr.claim                               yes  yes   for a call with an idempotency key
//	toolerr.key_id                              yes        the key's id in the store
//	toolerr.kind                                yes  yes   of a result; not in the log of a server
//	toolerr.attempt            yes              yes        from 1, for calls of package retry
//	toolerr.action, reason, delay, waited       yes        decisions of package retry
//
// On servers, a JSON-RPC code that is the client's fault, such as -32602, is not an error.type, as
// the conventions require.
//
// The error.type of an error that no peer sent is its code, such as timeout, or _OTHER.
//
// The parent of a server's span is the client's span, found by traceparent in _meta; the span of
// the HTTP request is linked. If the call already has a span, that span gets the attributes and no
// second one is created: a span of the same kind, method and tool, or an agent framework's
// execute_tool span, unless package retry makes the call.
//
// # What is never recorded
//
// Causes, arguments, keys, messages, hints and results are never recorded. Resource URIs are
// recorded only with [Options.ResourceURIs]. Status descriptions are empty, because a server's
// message may quote an argument.
//
// Every attribute comes from a bounded set, except session ids and resource URIs. A client's span
// has no session id, because a server may choose a key or an argument as the id.
//
// A code is _OTHER unless it is a code of package toolerr, in [Options.Codes], or one of the first
// hundred others in snake_case that the recorded server sends. A JSON-RPC error number is _OTHER
// outside the reserved range (-32768 to -32000).
//
// The name of a tool or prompt is recorded only once it is known to exist, because a model may
// invent names.
package mcpotel
