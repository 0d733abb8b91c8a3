// Package mcpotel records MCP requests with OpenTelemetry: a span and a duration for each,
// and of a failed tool call its class. A request of the MCP Go SDK comes in; what leaves is
// telemetry, never a changed result. It is a module of its own, so that the others need no
// OpenTelemetry.
//
//	server.AddReceivingMiddleware(mcpotel.Receiving(nil), result.Middleware(nil))
//	client.AddSendingMiddleware(retry.Middleware(policy, retry.SafetyOf), mcpotel.Sending(nil))
//
// [Receiving] stands outside of [result.Middleware], so that it sees the envelopes, and
// [Sending] inside of package retry's middleware, so that each attempt has its span. A
// [retry.Client] needs Sending on its mcp.Client alone. A Receiving that is not outside
// says so in the log, once.
//
// # Names
//
// They are those of OpenTelemetry's semantic conventions for MCP, which have the status
// Development:
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
//	mcp.session.id             yes       no
//	jsonrpc.request.id         yes       no             of a server, and a client with [Transport]
//	toolerr.category           yes       yes            of failed tool calls
//	toolerr.code               yes       yes
//	toolerr.retryable          yes       yes
//	toolerr.effect             yes       yes
//	toolerr.attempt            yes       no             from 1, if package retry made it
//
// An error that no peer has answered with has as error.type the code that it is classified
// as: timeout, canceled, unavailable, or _OTHER.
//
// The parent of a server's span is the client's, by traceparent in _meta; a span that was
// there before, of the HTTP request, is linked. A span that already stands for the call (a
// CLIENT or SERVER span of the same method and tool, or an agent framework's execute_tool
// span around a call that is made once) gets the attributes, and no second one is made.
//
// # What is never recorded
//
// Neither a cause nor an argument, a key, a message, a hint or a result; no URI of a
// resource and no name of a prompt, since they are arguments, and no description of a
// status, since a server's sentence may quote one. Every attribute comes from a bounded set: a code that is neither
// package toolerr's nor among [Options.Codes] is _OTHER, as is a number that JSON-RPC has
// not reserved for errors (-32768 to -32000), and a tool has a name once it is known to
// exist, because a model may make up names.
package mcpotel
