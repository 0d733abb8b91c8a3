package resulttest

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
)

// isAnnotated reports whether a tool declares whether its calls can be repeated. A
// readOnlyHint or idempotentHint that is false is the same as an absent one: the SDK
// decodes both to false.
func isAnnotated(tool *mcp.Tool) bool {
	hints := tool.Annotations
	if hints != nil && (hints.ReadOnlyHint || hints.IdempotentHint || hints.DestructiveHint != nil) {
		return true
	}
	return toolinfo.New(tool).KeyArgument() != ""
}

// noAnnotations returns the finding for a tool that is not annotated.
func noAnnotations(tool string) Finding {
	return Finding{
		Tool: tool, Kind: KindNoAnnotations,
		Detail: "neither annotations nor an idempotency_key state whether a repeat is safe",
	}
}
