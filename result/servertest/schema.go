package servertest

import (
	"encoding/json"
	"maps"
	"math"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	jsonschema "github.com/mcp-toolerr/toolerr-go/internal/schema"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
)

// A schema is a part of a tool's schema, from which calls are derived.
type schema struct{ jsonschema.Schema }

// property returns the schema of an object's member.
func (s schema) property(name string) schema { return schema{s.Property(name)} }

// required returns the names of an object's required members.
func (s schema) required() []string { return jsonschema.Texts(s.Node["required"]) }

func (s schema) items() schema { return schema{s.Items()} }

// kind returns the type for samples: the first one that is not null.
func (s schema) kind() string {
	for _, name := range s.Types() {
		if name != "null" {
			return name
		}
	}
	return ""
}

// number returns a keyword's number if it is between low and high, otherwise 0.
func (s schema) number(keyword string, low, high float64) (float64, bool) {
	if f, ok := s.Node[keyword].(float64); ok && f >= low && f <= high {
		return f, true
	}
	return 0, false
}

func (s schema) fits(v any) bool {
	wrong, _ := s.Validate(json.RawMessage(jsonOf(v)))
	return wrong == nil
}

func (s schema) text(keyword string) string {
	text, _ := s.Node[keyword].(string)
	return text
}

func (s schema) list(keyword string) []any {
	list, _ := s.Node[keyword].([]any)
	return list
}

// bounds returns the minimum and the maximum, which are infinite if not stated. It ignores bounds
// from 2^53-1 on, which only state the limits of a number type.
func (s schema) bounds() (low, high float64) {
	step, infinite := 1.0, math.Inf(1)
	if s.kind() == "number" {
		step = 0.5
	}
	bound := func(keyword string, shift, none float64) float64 {
		if n, ok := s.number(keyword, -1<<53+2, 1<<53-2); ok {
			return n + shift
		}
		return none
	}
	return max(bound("minimum", 0, -infinite), bound("exclusiveMinimum", step, -infinite)),
		min(bound("maximum", 0, infinite), bound("exclusiveMaximum", -step, infinite))
}

// A tool is one of the server's tools, with its schemas and annotations.
type tool struct {
	*mcp.Tool

	input  jsonschema.Schema
	output schema
	key    string // the argument for an idempotency key, or ""
	hints  mcp.ToolAnnotations
}

func newTool(t *mcp.Tool) *tool {
	info := toolinfo.New(t)
	read := &tool{
		Tool: t, input: info.Input(), output: schema{jsonschema.Read(t.OutputSchema).Resolved()}, key: info.KeyArgument(),
	}
	if t.Annotations != nil {
		read.hints = *t.Annotations
	}
	return read
}

// arguments returns arguments that fit the tool's schema as far as the schema is understood.
func (t *tool) arguments() map[string]any {
	fits, _ := schema{t.input.Resolved()}.sample().(map[string]any)
	arguments := map[string]any{} // a new one, because fits may be a part of the schema
	maps.Copy(arguments, fits)
	return arguments
}

// isAnnotated reports whether a tool declares whether its calls can be repeated. A readOnlyHint or
// idempotentHint that is false counts as absent: the SDK decodes both the same way.
func (t *tool) isAnnotated() bool {
	return t.hints.ReadOnlyHint || t.hints.IdempotentHint || t.hints.DestructiveHint != nil || t.key != ""
}
