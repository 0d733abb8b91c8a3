package retry

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Safety says whether a call of a tool may be repeated although it may have been
// carried out. The zero Safety is unknown: it may not.
type Safety int

const (
	// SafetyUnknown tools are repeated only where nothing can have happened, or
	// the server vouches for a repeat.
	SafetyUnknown Safety = iota
	// SafetyReadOnly tools change nothing.
	SafetyReadOnly
	// SafetyIdempotent tools have no further effect when called again with the
	// same arguments.
	SafetyIdempotent
	// SafetyKeyed tools take an idempotency key: a repeat with the same key is
	// not done twice. [CallTool] makes the key.
	SafetyKeyed
)

// String returns unknown, read_only, idempotent or keyed.
func (s Safety) String() string {
	switch s {
	case SafetyUnknown:
		return "unknown"
	case SafetyReadOnly:
		return "read_only"
	case SafetyIdempotent:
		return "idempotent"
	case SafetyKeyed:
		return "keyed"
	}
	return "unknown"
}

// DefaultKeyArgument is the argument by which a keyed tool takes its
// idempotency key.
const DefaultKeyArgument = "idempotency_key"

// SafetyOf reads a tool's annotations, and whether its input schema has an
// argument [DefaultKeyArgument]. Calling it is the act of trust: the
// specification says not to believe the annotations of strangers. For a tool
// whose key goes by another name, set [Policy.Safety] and [Policy.KeyArgument].
func SafetyOf(tool *mcp.Tool) Safety {
	switch {
	case tool == nil:
		return SafetyUnknown
	case tool.Annotations != nil && tool.Annotations.ReadOnlyHint:
		return SafetyReadOnly
	case hasArgument(tool, DefaultKeyArgument):
		return SafetyKeyed
	case tool.Annotations != nil && tool.Annotations.IdempotentHint:
		return SafetyIdempotent
	}
	return SafetyUnknown
}

func hasArgument(tool *mcp.Tool, name string) bool {
	// A client holds a map, a server whatever encodes as a schema.
	schema, ok := tool.InputSchema.(map[string]any)
	if !ok {
		raw, err := json.Marshal(tool.InputSchema)
		if err != nil || json.Unmarshal(raw, &schema) != nil {
			return false
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	_, ok = properties[name]
	return ok
}
