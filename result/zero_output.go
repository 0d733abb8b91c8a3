package result

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// withoutZeroOutput returns the author's content without the zero value of a typed handler's
// output, which the SDK adds to a failed result, or puts in place of its structured content.
func (f *failedCall) withoutZeroOutput(said *mcp.CallToolResult) *mcp.CallToolResult {
	if said == nil || f.tool == nil || f.tool.OutputSchema == nil {
		return said
	}
	raw, _ := said.StructuredContent.(json.RawMessage)
	if v, isJSON := jsonvalue.Decode(raw); !isJSON || !isZeroJSON(v) {
		return said
	}
	c := &mcp.CallToolResult{Content: said.Content}
	if last := len(c.Content) - 1; last > 0 {
		if t, _ := c.Content[last].(*mcp.TextContent); t != nil && t.Text == string(raw) {
			c.Content = c.Content[:last] // the SDK adds it if the output is not an object
		}
	}
	return c
}

// isZeroJSON reports whether a decoded JSON value is the zero value of some Go type.
func isZeroJSON(v any) bool {
	members, _ := v.(map[string]any)
	for _, member := range members {
		if !isZeroJSON(member) {
			return false
		}
	}
	return len(members) > 0 || jsonvalue.IsZero(v) || v == "0001-01-01T00:00:00Z" // time.Time
}
