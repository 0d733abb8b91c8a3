package result

import (
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
)

// markData returns res with a mark in _meta that it is data, if a client could mistake it
// for an unflagged failure or partial result: the outcome of a failed build, a record with
// an error. Other results are not marked, because the mark costs bytes.
func markData(res *mcp.CallToolResult) *mcp.CallToolResult {
	if res.Meta[kindKey] != nil || !foreign.LooksLikeFailure(res) {
		return res
	}
	marked := *res // res may be shared by calls
	if marked.Meta = maps.Clone(res.Meta); marked.Meta == nil {
		marked.Meta = mcp.Meta{}
	}
	marked.Meta[kindKey] = KindData.String()
	return &marked
}
