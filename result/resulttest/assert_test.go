package resulttest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest/faults"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A spy records the errors of a test.
type spy struct {
	testing.TB

	mu     sync.Mutex
	errors []string
}

func (s *spy) Helper() {}

func (s *spy) Fatalf(format string, args ...any) {
	s.Errorf(format, args...)
	runtime.Goexit()
}

func (s *spy) Errorf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.errors = append(s.errors, fmt.Sprintf(format, args...))
}

func outcome(text string) result.Outcome {
	return result.Parse(&mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil)
}

func TestAssert_Holds(t *testing.T) {
	t.Parallel()
	good := result.Parse(result.Failure(toolerr.NotFound("ticker", "APPL", "AAPL")), nil)
	const whole = `{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"not_found","message":"m",` +
		`"hint":"h"}`
	structured := &mcp.CallToolResult{
		IsError: true, StructuredContent: map[string]any{},
		Content: []mcp.Content{&mcp.TextContent{Text: whole}},
	}
	two := &mcp.CallToolResult{
		IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: whole}, &mcp.TextContent{Text: "more"}},
	}
	behind := &mcp.CallToolResult{
		IsError: true,
		Content: []mcp.Content{&mcp.ImageContent{}, &mcp.TextContent{Text: whole}},
	}
	image := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.ImageContent{}}}
	for name, test := range map[string]struct {
		out  result.Outcome
		want string // the first error, a regular expression; empty for none
	}{
		"an envelope":      {good, ""},
		"another server's": {outcome(whole), ""},
		"another category": {outcome(`{"isError":true,"errorCategory":"business","isRetryable":false,` +
			`"code":"not_found","message":"m","hint":"h"}`), `category is "business" instead of "validation"`},
		"another code": {outcome(`{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"x",` +
			`"message":"m","hint":"h"}`), `code is "x" instead of "not_found"`},
		"no hint": {outcome(`{"isError":true,"errorCategory":"validation","isRetryable":false,` +
			`"code":"not_found","message":"m"}`), `no hint: \{"isError".*"message":"m"\}$`},
		"a leak": {outcome(`{"isError":true,"errorCategory":"validation","isRetryable":false,` +
			`"code":"not_found","message":"/home/ada/x","hint":"h"}`), `shows a file path: /home/ada/x`},
		"a bare text": {outcome("not found"), "is not a JSON object: not found"},
		"another spelling": {outcome(`{"isError":true,"category":"validation","isRetryable":false,"message":"m",` +
			`"hint":"h"}`), "it lacks one of the four values of errorCategory"},
		"no isError": {
			outcome(`{"errorCategory":"validation","isRetryable":false,"message":"m","hint":"h"}`),
			"it lacks isError",
		},
		"a success": {
			result.Parse(result.OK("fine"), nil),
			"^the call should have failed, but the answer is data: fine$",
		},
		"structured content":   {result.Parse(structured, nil), "structured content"},
		"more behind it":       {result.Parse(two, nil), ""},
		"more before it":       {result.Parse(behind, nil), "first content block is not text"},
		"nothing":              {result.Parse(&mcp.CallToolResult{IsError: true}, nil), "no content block"},
		"an image":             {result.Parse(image, nil), "is not text"},
		"a protocol error":     {result.Parse(nil, &jsonrpc.Error{Code: -32602, Message: "no"}), "there is no result: .*no"},
		"an outcome of no one": {result.Outcome{}, "there is no result"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &spy{TB: t}
			ok := resulttest.AssertFailure(s, toolerr.CategoryValidation, toolerr.CodeNotFound, test.out)
			if test.want == "" {
				assert.True(t, ok)
				assert.Empty(t, s.errors)
				return
			}
			assert.False(t, ok)
			if assert.Len(t, s.errors, 1) {
				assert.Regexp(t, test.want, s.errors[0])
			}
		})
	}
	s, empty, data := &spy{TB: t}, result.Parse(result.Empty("No orders.", nil), nil), result.Parse(result.OK("a"), nil)
	assert.True(t, resulttest.AssertEmpty(s, empty))
	assert.False(t, resulttest.AssertEmpty(s, good) || resulttest.AssertEmpty(s, data) ||
		resulttest.AssertHint(s, empty) ||
		resulttest.AssertCode(s, "x", data) || resulttest.AssertCategory(s, "x", data) ||
		resulttest.AssertNoLeak(s, data, regexp.MustCompile("a")))
	for i, want := range []string{
		"should be empty, but the call failed: {", "should be empty, but it is data: a",
		"should have failed, but the answer is empty: No orders.",
		"should have failed, but the answer is data: a", "should have failed, but the answer is data: a", "shows text",
	} {
		assert.Contains(t, s.errors[i], want)
	}

	s = &spy{TB: t}
	assert.False(t, resulttest.AssertHint(s, outcome("AKIAIOSFODNN7EXAMPLE and Bearer abcdefghijklmnop1234")))
	require.Len(t, s.errors, 1)
	assert.NotContains(t, s.errors[0], "7EXAMPLE")
	assert.NotContains(t, s.errors[0], "nop1234")
}

func TestTestServer(t *testing.T) {
	t.Parallel()
	session := func(hints mcp.ToolAnnotations) *mcp.ClientSession {
		server := mcp.NewServer(&mcp.Implementation{Name: "bad"}, nil)
		server.AddTool(&mcp.Tool{Name: "find", InputSchema: map[string]any{"type": "object"}, Annotations: &hints},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no"}}}, nil
			})
		return testutil.Connect(t, server, nil)
	}
	ending := session(mcp.ToolAnnotations{})
	closes := func(tb testing.TB) { tb.Helper(); assert.NoError(tb, ending.Close()) }
	for name, test := range map[string]struct {
		session *mcp.ClientSession
		cases   []resulttest.Case
		want    []string
	}{
		"a finding": {
			session(mcp.ToolAnnotations{ReadOnlyHint: true}), nil,
			[]string{
				"find: bare_text: ", "\n    call: ", "\n    arguments: {", "\n    answer: no", "\n    why: ",
				"\n    fix: ",
			},
		},
		"no session": {nil, nil, []string{"the server could not be checked: there is no session"}},
		"no calls":   {session(mcp.ToolAnnotations{IdempotentHint: true}), nil, []string{"none of the 1 tools was called"}},
		"a case": {
			session(mcp.ToolAnnotations{IdempotentHint: true}),
			[]resulttest.Case{{Tool: "find"}},
			[]string{"find: bare_text: ", "\n    call: the author's case"},
		},
		"it exits": {
			ending,
			[]resulttest.Case{{Tool: "find", Setup: closes}, {Tool: "find"}},
			[]string{"the call was not made: the server exited or stopped responding"},
		},
	} {
		s, done := &spy{TB: t}, make(chan struct{})
		go func() {
			defer close(done) // also after Fatalf
			resulttest.TestServer(s, test.session, &resulttest.Options{Cases: test.cases, Ignore: []string{"server_died"}})
		}()
		<-done
		require.Len(t, s.errors, 1, name)
		for _, part := range test.want {
			assert.Contains(t, s.errors[0], part, name)
		}
	}
}

// The cases run in their order, each after its set-up and before its cleanup, and before the
// derived calls; one that ends in its set-up does not call.
func TestTestServer_Cases(t *testing.T) {
	t.Parallel()
	steps, down := []string{}, false // down is the state of the upstream
	server := mcp.NewServer(&mcp.Implementation{Name: "orders"}, nil)
	server.AddReceivingMiddleware(result.Middleware(quiet))
	for _, name := range []string{"add", "find"} {
		result.AddTool(server, &mcp.Tool{Name: name, Annotations: &mcp.ToolAnnotations{IdempotentHint: true}},
			func(context.Context, *mcp.CallToolRequest, order) (*mcp.CallToolResult, any, error) {
				steps = append(steps, name)
				if down {
					return result.Failure(toolerr.Unavailable("orders", 0).WithHint("h")), nil, nil
				}
				return nil, "fine", nil
			})
	}
	session := testutil.Connect(t, server, nil)
	fails := func(tb testing.TB) {
		tb.Helper()
		steps, down = append(steps, tb.Name()), true
		tb.Cleanup(func() { down = false })
	}
	resulttest.TestServer(t, session, &resulttest.Options{Tools: []string{"add"}, Cases: []resulttest.Case{
		{Tool: "find", Arguments: order{ID: "1"}, Code: toolerr.CodeUnavailable, Setup: fails},
		{Name: "up", Tool: "add", Arguments: order{ID: "1"}, Kind: result.KindData},
		{Tool: "add", Setup: func(tb testing.TB) { tb.Helper(); tb.SkipNow() }},
		{Tool: "find", Arguments: order{ID: "1"}, Kind: result.KindData},
	}})
	assert.Equal(t, []string{"TestTestServer_Cases/find", "find", "add", "find", "add"}, steps[:5])
	assert.NotContains(t, steps[5:], "find")
}

// An author's test of a tool's error paths: the arguments, the fault, and the expected failure.
func TestTestServer_UpstreamFaults(t *testing.T) {
	t.Parallel()
	orders := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/ORD-10001" {
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(orders.Close)
	upstream := &http.Client{}
	server := mcp.NewServer(&mcp.Implementation{Name: "orders"}, nil)
	server.AddReceivingMiddleware(result.Middleware(quiet))
	result.AddTool(server, &mcp.Tool{Name: "find", Annotations: &mcp.ToolAnnotations{IdempotentHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in order) (*mcp.CallToolResult, any, error) {
			if in.ID == "" {
				return nil, nil, toolerr.Validation("The order_id is missing.").WithCode(toolerr.CodeMissingArgument)
			}
			resp, err := upstream.Get(orders.URL + "/" + in.ID)
			if err != nil {
				return nil, nil, err
			}
			if e := toolerr.FromResponse(resp); e != nil {
				return nil, nil, e
			}
			return nil, in, resp.Body.Close()
		})
	fault := func(f faults.Fault, timeout time.Duration) func(testing.TB) {
		return func(tb testing.TB) {
			tb.Helper()
			*upstream = http.Client{Transport: &faults.Injector{Script: []faults.Fault{f}}, Timeout: timeout}
			tb.Cleanup(func() { *upstream = http.Client{} })
		}
	}
	known := order{ID: "ORD-10001"}
	resulttest.TestServer(t, testutil.Connect(t, server, nil), &resulttest.Options{Cases: []resulttest.Case{
		{
			Name: "invalid", Tool: "find", Arguments: map[string]any{"order_id": 48291}, Category: toolerr.CategoryValidation,
			Code: toolerr.CodeInvalidArgument,
		},
		{
			Name: "missing", Tool: "find", Arguments: order{}, Category: toolerr.CategoryValidation,
			Code: toolerr.CodeMissingArgument,
		},
		{
			Name: "not found", Tool: "find", Arguments: order{ID: "ORD-7"}, Category: toolerr.CategoryValidation,
			Code: toolerr.CodeNotFound,
		},
		{
			Name: "upstream 500", Tool: "find", Arguments: known, Category: toolerr.CategoryTransient,
			Code: toolerr.CodeUnavailable, Setup: fault(faults.InternalError, 0),
		},
		{
			Name: "upstream 429", Tool: "find", Arguments: known, Category: toolerr.CategoryTransient,
			Code: toolerr.CodeRateLimited, Setup: fault(faults.TooManyRequests, 0),
		},
		{
			Name: "upstream hangs", Tool: "find", Arguments: known, Category: toolerr.CategoryTransient,
			Code: toolerr.CodeTimeout, Setup: fault(faults.Stall, 500*time.Millisecond),
		},
		{Name: "it is the faults that made it fail", Tool: "find", Arguments: known, Kind: result.KindData},
	}})
}
