package failure_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
)

// A server's own text is sent unchanged, however long, and the memory for its envelope does
// not depend on its length.
func TestContent_Memory(t *testing.T) { //nolint:paralleltest // it measures memory
	const size = 20 << 20
	for name, sample := range map[string]string{
		"a list": `{"error":[` + strings.Repeat("1,", size/2) + `1]}`,
		"prose":  strings.Repeat("not found ", size/10),
	} {
		res := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: sample}}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		e, said, _ := new(failure.Classifier).Describe(t.Context(), res, nil)
		_, content := failure.Content(e, said)
		runtime.ReadMemStats(&after)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4<<20), name)
		require.Len(t, content, 2, name)
		assert.Same(t, res.Content[0], content[1], name)
	}
}
