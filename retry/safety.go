package retry

import (
	"encoding/json"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/schema"
)

// A Safety says whether a call that may have been executed may be repeated. The zero value,
// SafetyUnknown, means that it may not.
type Safety int

const (
	// SafetyUnknown tools are called again only if nothing was done or the server allows a repeat.
	SafetyUnknown Safety = iota
	// SafetyReadOnly tools change nothing, as the specification's readOnlyHint says.
	SafetyReadOnly
	// SafetyIdempotent tools have no further effect when called again with the same arguments, as
	// the specification's idempotentHint says.
	SafetyIdempotent
	// SafetyKeyed tools take an idempotency key, which [CallTool] creates. A repeat with the same
	// key has no second effect while the server knows the key.
	SafetyKeyed
)

var safetyNames = []string{"unknown", "read_only", "idempotent", "keyed"}

// String returns unknown, read_only, idempotent or keyed.
func (s Safety) String() string { return nameOf(s, safetyNames) }

// MarshalText implements [encoding.TextMarshaler] with the result of String.
func (s Safety) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler] for String's results. It returns an error for
// any other text.
func (s *Safety) UnmarshalText(text []byte) error { return setByName(s, text, safetyNames) }

// SafetyOf returns the safety that a tool declares by its annotations, or by an idempotency_key
// argument that accepts a key of 36 characters. Read-only takes precedence over keyed, and keyed
// over idempotent. For a nil tool it returns SafetyUnknown. Use SafetyOf only for servers that you
// trust: the specification says not to rely on the annotations of others.
func SafetyOf(tool *mcp.Tool) Safety { return safetyOf(tool, defaultKeyArgument) }

func safetyOf(tool *mcp.Tool, keyArgument string) Safety {
	switch {
	case tool == nil:
		return SafetyUnknown
	case tool.Annotations != nil && tool.Annotations.ReadOnlyHint:
		return SafetyReadOnly
	case takesKey(tool, keyArgument):
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
	argument, _ := input.Property(name)
	if argument.Node == nil {
		return input.Properties()[name] == true
	}
	_, fits := argument.Validate(aKey)
	return fits
}
