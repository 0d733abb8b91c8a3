package mcpotel

import "go.opentelemetry.io/otel/attribute"

// scope is the name of the tracer and the meter.
const scope = "github.com/mcp-toolerr/toolerr-go/result/mcpotel"

// Names of OpenTelemetry's specification of MCP's semantic conventions, as of 2026 in
// open-telemetry/semantic-conventions-genai. Package semconv has none of them any more.
const (
	methodName      = attribute.Key("mcp.method.name")
	protocolVersion = attribute.Key("mcp.protocol.version")
	sessionID       = attribute.Key("mcp.session.id")
	toolName        = attribute.Key("gen_ai.tool.name")
	operationName   = attribute.Key("gen_ai.operation.name")
	requestID       = attribute.Key("jsonrpc.request.id")
	errorType       = attribute.Key("error.type")
	statusCode      = attribute.Key("rpc.response.status_code")
	transportName   = attribute.Key("network.transport")
	protocolName    = attribute.Key("network.protocol.name")

	executeTool = "execute_tool"
	toolError   = "tool_error"
	other       = "_OTHER"
)

// Names of this module's own. Chosen: what the specification has no name for.
const (
	category  = attribute.Key("toolerr.category")
	code      = attribute.Key("toolerr.code")
	retryable = attribute.Key("toolerr.retryable")
	effect    = attribute.Key("toolerr.effect")
	attempt   = attribute.Key("toolerr.attempt")
)

// attemptKey is the member of _meta in which package retry says which attempt it is.
const attemptKey = "io.github.mcp-toolerr/attempt"

const (
	methodCallTool  = "tools/call"
	methodListTools = "tools/list"
	// methodListen lasts as long as its session, and is no operation with a duration.
	methodListen = "subscriptions/listen"
)
