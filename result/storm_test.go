package result_test

import (
	"bytes"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// Many calls that fail at once, panics among them: the server lives, and leaves
// no goroutine behind.
func TestManyFailuresAtOnce(t *testing.T) { //nolint:paralleltest // counts goroutines
	const calls = 2000
	session := testutil.Connect(t, newServer(new(bytes.Buffer)), nil)
	tools := []string{"direct", "unknown", "raw_nil", "strict", "read_only", "raw_text", "arguments", "raw_error", "wrapped", "panic"}
	require.Equal(t, result.KindFailure, result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "panic"})).Kind)
	before := runtime.NumGoroutine()
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
	require.Equal(t, result.KindEmpty, result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "nil_list"})).Kind)
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+2 }, 2*time.Second, 10*time.Millisecond)
}
