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
// The names are those of OpenTelemetry's semantic conventions for MCP, which have the
// status Development:
//
//	span       {mcp.method.name} {gen_ai.tool.name}, SERVER or CLIENT
//	histogram  mcp.server.operation.duration, mcp.client.operation.duration, in seconds
//
//	attribute                  of spans  of histograms
//	mcp.method.name            yes       yes
//	gen_ai.tool.name           yes       yes
//	gen_ai.operation.name      yes       yes            execute_tool, of tool calls
//	mcp.protocol.version       yes       yes
//	network.transport          yes       yes            tcp, pipe
//	network.protocol.name      yes       yes            http
//	error.type                 yes       yes            tool_error, or the JSON-RPC code
//	rpc.response.status_code   yes       yes            the JSON-RPC code
//	mcp.session.id             yes       no             on servers
//	toolerr.category           yes       yes            of failed tool calls
//	toolerr.code               yes       yes
//	toolerr.retryable          yes       yes
//	toolerr.effect             yes       yes
//	toolerr.attempt            yes       no             from 1, if package retry made it
//
// The error.type of a local error, which no peer sent, is the code that it is classified
// as: timeout, canceled, unavailable, or _OTHER.
//
// The parent of a server's span is the client's span, found by traceparent in _meta; the
// span of the HTTP request is linked. If a span for the call exists already, it gets the
// attributes and no second one is made. That is a CLIENT or SERVER span of the same
// method and tool, or an agent framework's execute_tool span around a single attempt.
//
// # What is never recorded
//
// Causes, arguments, keys, messages, hints and results are never recorded. Nor are
// resource URIs and prompt names, which are arguments, nor status descriptions, because a
// server's message may quote an argument.
//
// Every attribute comes from a bounded set, except the ids of sessions. A client's span has
// no session id, because its server may choose a key or an argument as the id. A code is _OTHER if it is neither one of package toolerr nor in [Options.Codes]. A
// JSON-RPC error number is _OTHER outside the reserved range (-32768 to -32000). A tool's
// name is recorded once the tool is known to exist, because a model may invent names.
package mcpotel
