package failure

import "github.com/modelcontextprotocol/go-sdk/mcp"

// blockOf returns the index of the first nonempty text of a result if it equals text, or
// -1.
func blockOf(res *mcp.CallToolResult, text string) int {
	for i, block := range res.Content {
		if t, ok := block.(*mcp.TextContent); ok && t != nil && t.Text != "" {
			if t.Text == text {
				return i
			}
			break
		}
	}
	return -1
}

// without returns a copy of a result without one of its blocks, or nil if nothing is left.
func without(res *mcp.CallToolResult, block int) *mcp.CallToolResult {
	if len(res.Content) == 1 && res.StructuredContent == nil {
		return nil
	}
	c := &mcp.CallToolResult{Meta: res.Meta, StructuredContent: res.StructuredContent}
	c.Content = append(append(c.Content, res.Content[:block]...), res.Content[block+1:]...)
	return c
}

// both returns the content of two results, each of which may be nil.
func both(first, second *mcp.CallToolResult) *mcp.CallToolResult {
	switch {
	case first == nil:
		return second
	case second == nil:
		return first
	}
	c := &mcp.CallToolResult{Meta: second.Meta, StructuredContent: second.StructuredContent}
	c.Content = append(append(c.Content, first.Content...), second.Content...)
	return c
}
