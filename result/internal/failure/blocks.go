package failure

import (
	"cmp"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
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

// contentOf returns the cause of a result, and the author's own content or nil. Instead means that
// the content replaces the text of the error. E is the envelope if this module has written it and
// it is final, otherwise nil.
//
// The author's content is what remains without the text that this module or the SDK made from the
// error, wherever other middleware put that text.
func (c *Classifier) contentOf(res *mcp.CallToolResult) (e *toolerr.Error, said *mcp.CallToolResult, instead bool, cause error) {
	cause = res.GetError()
	if r, ok := cause.(*attached); ok { //nolint:errorlint // as Attach has set it
		if said, ok = withoutTexts(res, func(text string) bool { return text == r.text }); ok {
			return r.envelope, said, false, r.error
		}
		cause = r.error
	}
	causeText := c.TextOf(cause)
	said, ok := withoutTexts(res, func(text string) bool { return isTextOf(text, causeText) })
	return nil, said, !ok && foreign.FirstText(res) != "", cause
}
