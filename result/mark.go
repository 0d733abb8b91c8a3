package result

import (
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
)

// markData returns res marked as data in _meta, if a client could take it for a failure
// or a part that nobody has flagged: the outcome of a build that failed, a record with an
// error. Any other result goes out as it is, since the mark has its price on the wire.
func markData(res *mcp.CallToolResult) *mcp.CallToolResult {
	if res.Meta[kindKey] != nil || !foreign.LooksLikeFailure(res) {
		return res
	}
	marked := *res // which may be shared by calls
	if marked.Meta = maps.Clone(res.Meta); marked.Meta == nil {
		marked.Meta = mcp.Meta{}
	}
	marked.Meta[kindKey] = KindData.String()
	return &marked
}
