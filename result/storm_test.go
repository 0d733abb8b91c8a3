package result_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
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
	var mu sync.Mutex
	byTool := map[string]int{}
	opts.OnCall = func(_ context.Context, call result.FinishedCall) {
		mu.Lock()
		defer mu.Unlock()
		byTool[call.Tool]++
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	addTools(server, opts)
	session := testutil.Connect(t, server, nil)
	tools := []string{
		"direct", "unknown", "raw_nil", "strict", "read_only", "raw_text", "arguments", "raw_error", "wrapped", "panic",
	}
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
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+2 }, testutil.Patience,
		10*time.Millisecond)
	assert.Less(t, allocs.Heap(), memory+max(2<<20, calls*200), "each call keeps something")

	assert.Equal(t, 1, byTool["nil_list"])
	for _, tool := range tools {
		assert.Equal(t, 2*calls/len(tools), byTool[tool], tool)
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
		res := withStructured(json.RawMessage(structured),
			&mcp.TextContent{Text: text, Meta: mcp.Meta{"raw": json.RawMessage(meta)}})
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
	for _, m := range regexp.MustCompile(`init (github\.com/mcp-toolerr/\S+) .* (\d+) bytes`).
		FindAllStringSubmatch(string(out), -1) {
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

// ways are the SDK alone, which logs nothing, and the middleware, with records that are discarded.
func ways() map[string]mcp.Middleware {
	logger := slog.New(slog.NewJSONHandler(io.Discard, nil))
	return map[string]mcp.Middleware{
		"sdk": nil, "middleware": result.Middleware(&result.MiddlewareOptions{Logger: logger}),
		"revealing": result.Middleware(&result.MiddlewareOptions{Logger: logger, Reveal: result.RevealAll}),
	}
}

// failures are the errors of the benchmarked tools; nil is a success.
func failures() map[string]error {
	long := strings.Repeat("ledger write for the batch of the third shift did not go through, and the worker that held "+
		"it has no more to say; ", 200)
	var grown error
	for i := range 4096 {
		grown = errors.Join(grown, fmt.Errorf("item %d was not saved", i)) //nolint:err113 // a text
	}
	return map[string]error{
		"success": nil, "a grown join": grown, "unclassified 60 B": errors.New(long[:60]),
		"unclassified 1 KB": errors.New(long[:1<<10]), "unclassified 4 KB": errors.New(long[:4<<10]),
		"unclassified 16 KB": errors.New(long[:16<<10]),
		"authored": toolerr.Business("The refund is over the limit of 500 EUR.").WithCode(toolerr.CodeLimitExceeded).
			WithHint("Hand over to a person.").WithCustomerMessage("A colleague will look at it."),
	}
}

// BenchmarkHandler measures the handlers without a session. The difference from "sdk" is
// the cost of each way.
func BenchmarkHandler(b *testing.B) {
	for name, failure := range failures() {
		for way, receive := range ways() {
			call := handlerCall(b, receive, failure)
			b.Run(name+"/"+way, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					call()
				}
			})
		}
	}
}

// handlerCall returns a call of a handler without a session.
func handlerCall(tb testing.TB, receive mcp.Middleware, failure error) (call func()) {
	tb.Helper()
	data := json.RawMessage(`{"items":[{"id":"ORD-7","amount":40}]}`)
	list := &mcp.ListToolsResult{Tools: []*mcp.Tool{{Name: "refund", InputSchema: json.RawMessage(
		`{"type":"object","properties":{"order":{"type":"string"},"amount":{"type":"number"}},"required":["order"],"additionalProperties":false}`)}}}
	req := &mcp.CallToolRequest{
		Session: new(mcp.ServerSession),
		Params:  &mcp.CallToolParamsRaw{Name: "refund", Arguments: json.RawMessage(`{"order":"ORD-7714","amount":650}`)},
	}
	h := mcp.MethodHandler(func(_ context.Context, method string, _ mcp.Request) (mcp.Result, error) {
		if method == "tools/list" {
			return list, nil
		}
		if failure == nil {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(data)}}, StructuredContent: data},
				nil
		}
		r := new(mcp.CallToolResult)
		r.SetError(failure)
		return r, nil
	})
	if receive != nil {
		h = receive(h)
	}
	return func() {
		if _, err := h(context.Background(), "tools/call", req); err != nil {
			tb.Fatal(err)
		}
	}
}

// Three of the allocations are the handler's, and two to four are only in programs built with -race.
func TestMiddleware_FailureAllocations(t *testing.T) { //nolint:paralleltest // it counts allocations
	failures, middleware := failures(), ways()["middleware"]
	for name, most := range map[string]int{
		"success": 10, "authored": 19, "unclassified 60 B": 25, "unclassified 1 KB": 25, "unclassified 4 KB": 29,
	} {
		allocs.AtMost(t, most, handlerCall(t, middleware, failures[name]), name)
	}
}
