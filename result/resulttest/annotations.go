package resulttest

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
)

// isAnnotated reports whether a tool says what a repeat of its calls does. A
// readOnlyHint or idempotentHint that is false says no more than one that is absent,
// for which false is the default: the protocol's library reads both alike.
func isAnnotated(tool *mcp.Tool) bool {
	hints := tool.Annotations
	if hints != nil && (hints.ReadOnlyHint || hints.IdempotentHint || hints.DestructiveHint != nil) {
		return true
	}
	return toolinfo.New(tool).KeyArgument() != ""
}

// noAnnotations is the finding of a tool that is not annotated.
func noAnnotations(tool string) Finding {
	return Finding{
		Tool: tool, Kind: KindNoAnnotations,
		Detail: "neither annotations nor an idempotency_key state whether a repeat is safe",
	}
}
