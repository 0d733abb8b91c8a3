package failure

import "github.com/modelcontextprotocol/go-sdk/mcp"

// withoutTexts returns the content of a result without some of its texts, or nil if nothing
// is left, and reports whether the result has such texts.
func withoutTexts(res *mcp.CallToolResult, isOne func(text string) bool) (rest *mcp.CallToolResult, has bool) {
	var content []mcp.Content
	for _, block := range res.Content {
		if t, ok := block.(*mcp.TextContent); ok && t != nil && isOne(t.Text) {
			has = true
		} else {
			content = append(content, block)
		}
	}
	if len(content) == 0 && res.StructuredContent == nil {
		return nil, has
	}
	return &mcp.CallToolResult{Meta: res.Meta, Content: content, StructuredContent: res.StructuredContent}, has
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
