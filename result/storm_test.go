package result_test

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

var storm = flag.Int("storm", 500, "how many calls fail at once, in TestMiddleware_Storm")

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
				out := callTool(t, session, tools[i%len(tools)], nil)
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
	require.Equal(t, result.KindEmpty, callTool(t, session, "nil_list", nil).Kind)
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+2 }, testutil.Patience, 10*time.Millisecond)
	assert.Less(t, allocs.Heap(), memory+max(2<<20, calls*200), "each call keeps something")

	byTool := map[string]int64{}
	for _, n := range opts.Counts.Snapshot() {
		byTool[n.Tool] += n.Count
	}
	assert.Equal(t, int64(1), byTool["nil_list"])
	for _, tool := range tools {
		assert.Equal(t, int64(2*calls/len(tools)), byTool[tool], tool)
	}
}

// FuzzSession_Results lets a handler return arbitrary results. Each call must be answered:
// a success with a success, and a failure with an envelope.
func FuzzSession_Results(f *testing.F) {
	f.Add("It failed.", `{"error":`, "x", true, "")
	f.Add(`{"isError":true}`, `[1]`, "\xff", false, `{"a":1}`)
	f.Add("", strings.Repeat("[", 1200)+strings.Repeat("]", 1200), "", false, `{"a":NaN}`)
	var handle toolFunc
	session := raw(f, logged(io.Discard), func(ctx context.Context) (*mcp.CallToolResult, error) { return handle(ctx) })
	f.Fuzz(func(t *testing.T, text, structured, meta string, isError bool, details string) {
		res := withStructured(json.RawMessage(structured), &mcp.TextContent{Text: text, Meta: mcp.Meta{"raw": json.RawMessage(meta)}})
		res.IsError, res.Meta = isError, mcp.Meta{meta: json.RawMessage(structured)}
		failure := toolerr.Business(text).WithField(meta).WithDetails(map[string]any{meta: json.RawMessage(details)}).
			WithPartial(&toolerr.Partial{Results: json.RawMessage(structured)})
		for name, h := range map[string]toolFunc{"a result": answers(res), "an error": fails(failure)} {
			handle = h
			out := callTool(t, session, "t", nil)
			require.False(t, out.SessionLost, "%s: %v", name, out.Err)
			require.NotNil(t, out.Result, "%s: %v", name, out.Err)
			require.True(t, utf8.ValidString(out.Text()), name)
			if out.Result.IsError {
				require.NotNil(t, out.Err, name)
				require.NotEmpty(t, out.Err.Message, name)
				require.NotEmpty(t, out.Err.CorrelationID, name)
			} else {
				require.Equal(t, "a result", name)
				require.False(t, isError)
			}
		}
	})
}

// Tables and expressions are built on first use. Every program pays for what the packages
// allocate at startup, even without a failure.
func TestStartup_Memory(t *testing.T) {
	t.Parallel()
	const most = 64 << 10 // bytes: three times the measured value
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, "-test.run", "^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	packages, sum := 0, 0
	for _, m := range regexp.MustCompile(`init (github\.com/mcp-toolerr/\S+) .* (\d+) bytes`).FindAllStringSubmatch(string(out), -1) {
		if strings.HasSuffix(m[1], "_test") || strings.Contains(m[1], "/testutil") {
			continue
		}
		n, err := strconv.Atoi(m[2])
		require.NoError(t, err)
		packages++
		sum += n
	}
	assert.Greater(t, packages, 5, "%s", out)
	assert.Less(t, sum, most, "%s", out)
}
