package mcpotel

import "go.opentelemetry.io/otel/attribute"

// scope is the name of the tracer and the meter.
const scope = "github.com/mcp-toolerr/toolerr-go/result/mcpotel"

// Names from the specification of OpenTelemetry's semantic conventions for MCP
// (open-telemetry/semantic-conventions-genai, as of 2026). Package semconv no longer has those of
// mcp and gen_ai.
const (
	methodName      = attribute.Key("mcp.method.name")
	protocolVersion = attribute.Key("mcp.protocol.version")
	sessionID       = attribute.Key("mcp.session.id")
	resourceURI     = attribute.Key("mcp.resource.uri")
	toolName        = attribute.Key("gen_ai.tool.name")
	promptName      = attribute.Key("gen_ai.prompt.name")
	operationName   = attribute.Key("gen_ai.operation.name")
	errorType       = attribute.Key("error.type")
	statusCode      = attribute.Key("rpc.response.status_code")
	transportName   = attribute.Key("network.transport")
	protocolName    = attribute.Key("network.protocol.name")
	serverAddress   = attribute.Key("server.address")
	serverPort      = attribute.Key("server.port")

	executeTool = "execute_tool"
	toolError   = "tool_error"
	other       = "_OTHER"
)

// Names that this module chose, because the specification has none.
const (
	category  = attribute.Key("toolerr.category")
	code      = attribute.Key("toolerr.code")
	retryable = attribute.Key("toolerr.retryable")
	effect    = attribute.Key("toolerr.effect")
	attempt   = attribute.Key("toolerr.attempt")
)

// attemptKey is the member of _meta that holds package retry's attempt number.
const attemptKey = "io.github.mcp-toolerr/attempt"

const (
	methodCallTool   = "tools/call"
	methodGetPrompt  = "prompts/get"
	methodInitialize = "initialize"
	// A methodListen request lasts as long as its session, so its duration means nothing.
	methodListen = "subscriptions/listen"
)

// maxURI is the maximum length, in bytes, of a recorded URI, chosen because most paths are shorter.
const maxURI = 512
