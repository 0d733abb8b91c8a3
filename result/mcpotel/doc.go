// Package mcpotel records MCP requests with OpenTelemetry: a span and a duration for each
// request, and the class of each failed tool call. It never changes a result. It is a
// separate module, so that the other packages do not depend on OpenTelemetry.
//
//	server.AddReceivingMiddleware(mcpotel.Receiving(nil), result.Middleware(nil))
//	client.AddSendingMiddleware(retry.Middleware(policy, retry.SafetyOf), mcpotel.Sending(nil))
//
// Install [Receiving] outside [result.Middleware], so that it sees the envelopes, and
// [Sending] inside package retry's middleware, so that each attempt has a span. For a
// [retry.Client], add Sending to its mcp.Client. If Receiving is installed inside
// result.Middleware, it logs one warning. To see the telemetry of an example, run
//
//	cd result/mcpotel && go test -v -run Example .
//
// # Names
//
// The names are OpenTelemetry's semantic conventions for MCP, which have the status Development:
//
//	span       {mcp.method.name} {gen_ai.tool.name or gen_ai.prompt.name}, SERVER or CLIENT
//	histogram  mcp.server.operation.duration, mcp.client.operation.duration, in seconds
//	histogram  mcp.server.session.duration, mcp.client.session.duration, in seconds, of protocol
//	           versions before 2026-07-28
//
// The log of package result, its Counts and the log of package retry use the same names, in Prometheus
// with _ for the dots. Each cell says whether spans, histograms, the log and Counts have the name:
//
//	attribute                  span  histogram  log  Counts
//	mcp.method.name            yes   yes        yes
//	gen_ai.tool.name           yes   yes        yes  yes
//	gen_ai.prompt.name         yes   yes        yes
//	gen_ai.operation.name      yes   yes                   execute_tool, of tool calls
//	mcp.resource.uri           yes              yes        in spans if Options.ResourceURIs is set
//	mcp.protocol.version       yes   yes
//	network.transport          yes   yes                   tcp, pipe
//	network.protocol.name      yes   yes                   http
//	server.address, port       yes   yes                   on clients, from Options.ServerAddress
//	error.type                 yes   yes        yes        tool_error, or the JSON-RPC code
//	rpc.response.status_code   yes   yes                   the JSON-RPC code
//	mcp.session.id             yes              yes        on servers
//	enduser.id                                  yes        result.MiddlewareOptions.Principal
//	toolerr.category           yes   yes        yes  yes   of failed tool calls
//	toolerr.code               yes   yes        yes  yes
//	toolerr.retryable          yes   yes        yes
//	toolerr.effect             yes   yes        yes  yes
//	toolerr.message, cause, field, correlation_id  yes     not in the log of a client, but the id
//	toolerr.claim                               yes  yes   of a call with an idempotency key
//	toolerr.key_id                              yes        its id in the store
//	toolerr.kind                                yes  yes   of an answer; in the log of a client
//	toolerr.attempt            yes              yes        from 1, if package retry made it
//	toolerr.action, reason, delay, waited       yes        decisions of package retry
//
// On servers, a JSON-RPC code that is the client's fault, such as -32602, is not an error.type, as
// the conventions require.
//
// The error.type of a local error, which no peer sent, is its code, such as timeout or unavailable,
// or _OTHER.
//
// The parent of a server's span is the client's span, found by traceparent in _meta; the span of
// the HTTP request is linked. If a span for the call already exists, it gets the attributes, and no
// second one is created. That is a CLIENT or SERVER span of the same method and tool, or an agent
// framework's execute_tool span around a single attempt.
//
// # What is never recorded
//
// Causes, arguments, keys, messages, hints and results are never recorded. Nor are
// resource URIs, unless [Options.ResourceURIs] is set, nor status descriptions, because a server's
// message may quote an argument.
//
// Every attribute comes from a bounded set, except the ids of sessions and the URIs of resources. A client's
// span has no session id, because its server may choose a key or an argument as the id. A code is _OTHER unless
// it is a code of package toolerr, in [Options.Codes], or one of the first hundred that the recorded server has
// sent. A JSON-RPC error number is _OTHER outside the reserved range (-32768 to -32000). The name of a tool or
// prompt is recorded once it is known to exist, because a model may invent names.
package mcpotel
