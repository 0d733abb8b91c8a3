package retry

import (
	"encoding/json"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/schema"
)

// A Safety says whether a call that may have taken effect may be repeated.
type Safety int

// What a repeat of a tool does.
const (
	SafetyUnknown    Safety = iota // called again only if nothing was done or the server allows it
	SafetyReadOnly                 // changes nothing, as the specification's readOnlyHint says
	SafetyIdempotent               // a repeat has no further effect, as its idempotentHint says
	SafetyKeyed                    // nor has one with the same idempotency key, which [CallTool] creates
)

var safetyNames = []string{"unknown", "read_only", "idempotent", "keyed"}

// String returns unknown, read_only, idempotent or keyed.
func (s Safety) String() string { return nameOf(s, safetyNames) }

// MarshalText returns the result of String.
func (s Safety) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText accepts the results of String; other text is an error.
func (s *Safety) UnmarshalText(text []byte) error { return setByName(s, text, safetyNames) }

// SafetyOf returns the safety that a tool declares: read-only, else keyed by an idempotency_key
// argument that accepts a key of 36 characters, else idempotent. A nil tool's is unknown. Use it
// for servers that you trust.
func SafetyOf(tool *mcp.Tool) Safety {
	switch {
	case tool == nil:
		return SafetyUnknown
	case tool.Annotations != nil && tool.Annotations.ReadOnlyHint:
		return SafetyReadOnly
	case takesKey(tool, defaultKeyArgument):
		return SafetyKeyed
	case tool.Annotations != nil && tool.Annotations.IdempotentHint:
		return SafetyIdempotent
	}
	return SafetyUnknown
}

// aKey is a key as newKey makes it, as JSON.
var aKey = json.RawMessage(strconv.Quote(newKey()))

// takesKey reports whether a tool has an argument that accepts the keys of newKey.
func takesKey(tool *mcp.Tool, name string) bool {
	input := schema.Read(tool.InputSchema)
	argument := input.Property(name)
	if argument.Node == nil {
		return input.Properties()[name] == true
	}
	_, fits := argument.Validate(aKey)
	return fits
}
