package failure_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
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
		found := new(failure.Classifier).Collect(t.Context(), res, nil)
		_, content := failure.Content(found.Failure, found.Said)
		runtime.ReadMemStats(&after)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4<<20), name)
		require.Len(t, content, 2, name)
		assert.Same(t, res.Content[0], content[1], name)
	}
}

// TestContent_LargeStructured checks that structured content that does not fit the envelope
// follows once and is not decoded.
func TestContent_LargeStructured(t *testing.T) { //nolint:paralleltest // it counts allocations
	for name, row := range map[string]string{
		"objects": `{"id":1,"error":{"code":"x"}}`, "texts": `"a b"`, "lists": `[[[1]]]`,
	} {
		raw := `{"errors":[` + strings.Repeat(row+",", 20_000) + row + `]}`
		for _, said := range []*mcp.CallToolResult{
			{StructuredContent: json.RawMessage(raw)},
			{StructuredContent: json.RawMessage(raw), Content: []mcp.Content{&mcp.TextContent{Text: raw}}},
		} {
			content := func() []mcp.Content {
				_, content := failure.Content(toolerr.Business("m"), said)
				return content
			}
			require.Len(t, content(), 2, name)
			assert.Equal(t, &mcp.TextContent{Text: raw}, content()[1], name)
			assert.Less(t, int(testing.AllocsPerRun(1, func() { content() })), 1000, name)
		}
	}
}
