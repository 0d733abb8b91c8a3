package failure

import (
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// complete returns a result with the resultType that protocol version 2026-07-28 requires. The SDK
// sets it on a handler's result, but not on middleware's. Since the field is not exported, a result
// is decoded once and then copied. Older clients ignore the field.
var complete = sync.OnceValue(func() (r mcp.CallToolResult) {
	_ = json.Unmarshal([]byte(`{"resultType":"complete","content":[]}`), &r) // as tests show, the SDK decodes it
	return r
})

// TextResult returns a new result with one text.
func TextResult(text string) *mcp.CallToolResult {
	r := complete()
	r.Content = []mcp.Content{&mcp.TextContent{Text: text}}
	return &r
}

// ResultFor returns a new result for the request's protocol version, of which old ones lack
// resultType.
func ResultFor(req mcp.Request, content []mcp.Content) *mcp.CallToolResult {
	r := complete()
	r.Content = content
	if session, ok := req.GetSession().(*mcp.ServerSession); ok && session != nil {
		if p := session.InitializeParams(); p != nil && p.ProtocolVersion < "2026-07-28" {
			return &mcp.CallToolResult{Content: content}
		}
	}
	return &r
}
