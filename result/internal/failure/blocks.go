package failure

import (
	"cmp"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// withoutTexts returns the content of a result without the texts that isOne selects, or nil if
// nothing is left, and reports whether isOne selected any.
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
	if first == nil || second == nil {
		return cmp.Or(first, second)
	}
	return &mcp.CallToolResult{Meta: second.Meta, StructuredContent: second.StructuredContent, Content: slices.Concat(first.Content, second.Content)}
}
