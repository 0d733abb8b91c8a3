package retry

import (
	"encoding/json"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/schema"
)

// A Safety says whether a call of a tool may be repeated although it may have been
// carried out. The zero Safety is unknown: it may not.
type Safety int

const (
	// SafetyUnknown tools are repeated only if nothing can have happened, or the
	// server says that a repeat is safe.
	SafetyUnknown Safety = iota
	// SafetyReadOnly tools change nothing: the specification's readOnlyHint.
	SafetyReadOnly
	// SafetyIdempotent tools have no further effect when called again with the
	// same arguments: the specification's idempotentHint.
	SafetyIdempotent
	// SafetyKeyed tools take an idempotency key: a repeat with the same key is
	// not done twice, as long as the server remembers it. [CallTool] makes the key.
	SafetyKeyed
)

var safetyNames = []string{"unknown", "read_only", "idempotent", "keyed"}

// String returns unknown, read_only, idempotent or keyed.
func (s Safety) String() string { return nameOf(s, safetyNames) }

// MarshalText implements [encoding.TextMarshaler] with what String returns.
func (s Safety) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// defaultKeyArgument is the argument by which a keyed tool takes its idempotency
// key. Chosen: the specification of MCP has none. It is that of idempotency.Options too.
const defaultKeyArgument = "idempotency_key"

// SafetyOf reads a tool's annotations, and whether its input schema has an
// argument idempotency_key that takes a key of 36 letters. Read-only comes
// before keyed, and that before idempotent; a nil tool is unknown. Calling it
// is the act of trust: the specification says not to believe the annotations of
// strangers.
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

// safetyHere returns what the caller's function says of a tool, which cannot know
// under which name the tool takes its key here.
func safetyHere(tool *mcp.Tool, safetyFunc func(*mcp.Tool) Safety, keyArgument string) Safety {
	s := safetyFunc(tool)
	if s != SafetyReadOnly && (s == SafetyKeyed || keyArgument != defaultKeyArgument) {
		switch {
		case takesKey(tool, keyArgument):
			return SafetyKeyed
		case s == SafetyKeyed:
			return safetyOf(tool, keyArgument) // by its annotations alone
		}
	}
	return s
}

// takesKey reports whether a tool has an argument for a key as newKey makes it.
func takesKey(tool *mcp.Tool, name string) bool {
	input := schema.Read(tool.InputSchema)
	argument, _ := input.Property(name)
	if argument.Node == nil {
		return input.Properties()[name] == true
	}
	_, fits := argument.Validate(json.RawMessage(strconv.Quote(newKey())))
	return fits
}
