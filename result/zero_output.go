package result

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// withoutZeroOutput is said without the zero value of a typed handler's output, which the
// SDK has put beside the handler's failed result, or in its place.
func (f *failedCall) withoutZeroOutput() *mcp.CallToolResult {
	if f.said == nil || f.tool == nil || f.tool.OutputSchema == nil {
		return f.said
	}
	raw, ok := f.said.StructuredContent.(json.RawMessage)
	if v, isJSON := jsonvalue.Decode(raw); !ok || !isJSON || !isZeroJSON(v) {
		return f.said
	}
	c := &mcp.CallToolResult{Content: f.said.Content}
	last := len(c.Content) - 1
	if last < 1 {
		return c
	}
	if t, isText := c.Content[last].(*mcp.TextContent); isText && t.Text == string(raw) {
		c.Content = c.Content[:last] // what the SDK adds if it is no object
	}
	return c
}

// isZeroJSON reports whether a value is the zero value of some Go type, as JSON.
func isZeroJSON(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			if !isZeroJSON(member) {
				return false
			}
		}
		return true
	case []any:
		return len(v) == 0
	case json.Number:
		return v == "0"
	}
	return v == nil || v == "" || v == false || v == "0001-01-01T00:00:00Z" // time.Time
}
