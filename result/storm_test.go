package result_test

import (
	"flag"
	"io"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result"
)

var storm = flag.Int("storm", 2000, "how many calls fail at once, in TestMiddleware_Storm")

// Many calls fail concurrently, a tenth of them with a panic. The server survives, every call is
// counted, and neither goroutines nor memory leak.
func TestMiddleware_Storm(t *testing.T) { //nolint:paralleltest // counts goroutines and memory
	calls := *storm / 10 * 10
	opts := logged(io.Discard)
	opts.Counts = new(result.Counts)
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	addTools(server, opts)
	session := testutil.Connect(t, server, nil)
	tools := []string{"direct", "unknown", "raw_nil", "strict", "read_only", "raw_text", "arguments", "raw_error", "wrapped", "panic"}
	run := func() {
		ids := sync.Map{}
		var wg sync.WaitGroup
		for i := range calls {
			wg.Go(func() {
				out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tools[i%len(tools)]}))
				if assert.Equal(t, result.KindFailure, out.Kind) {
					_, twice := ids.LoadOrStore(out.Err.CorrelationID, true)
					assert.False(t, twice, "a correlation id is one call's own")
				}
			})
		}
		wg.Wait()
	}
	run() // fills pools and grows goroutine stacks
	goroutines, memory := runtime.NumGoroutine(), allocs.Heap()
	run()
	require.Equal(t, result.KindEmpty, result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "nil_list"})).Kind)
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+2 }, testutil.Patience, 10*time.Millisecond)
	assert.Less(t, allocs.Heap(), memory+max(2<<20, calls*200), "each call keeps something")

	counted := opts.Counts.Snapshot()
	assert.Equal(t, int64(2*calls+1), counted.Calls)
	assert.Equal(t, int64(2*calls), counted.Failed)
	byTool := map[string]int64{}
	for _, f := range counted.Failures {
		byTool[f.Tool] += f.Count
	}
	for _, tool := range tools {
		assert.Equal(t, int64(2*calls/len(tools)), byTool[tool], tool)
	}
}
