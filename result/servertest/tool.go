package servertest

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	jsonschema "github.com/mcp-toolerr/toolerr-go/internal/schema"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
)

// A tool is a tool of the server with its schemas and annotations.
type tool struct {
	*mcp.Tool

	input  jsonschema.Schema
	output schema
	key    string // the argument for an idempotency key, or ""
	hints  mcp.ToolAnnotations
}

func newTool(t *mcp.Tool) *tool {
	info := toolinfo.New(t)
	read := &tool{Tool: t, input: info.Input(), output: schemaOf(t.OutputSchema), key: info.KeyArgument()}
	if t.Annotations != nil {
		read.hints = *t.Annotations
	}
	return read
}

// isAnnotated reports whether a tool declares whether its calls can be repeated. A
// readOnlyHint or idempotentHint that is false is the same as an absent one: the SDK
// decodes both to false.
func (t *tool) isAnnotated() bool {
	return t.hints.ReadOnlyHint || t.hints.IdempotentHint || t.hints.DestructiveHint != nil || t.key != ""
}
