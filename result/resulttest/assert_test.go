package resulttest_test

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A spy records the errors of a test.
type spy struct {
	testing.TB

	errors []string
}

func (s *spy) Helper() {}

func (s *spy) Fatalf(format string, args ...any) {
	s.Errorf(format, args...)
	runtime.Goexit()
}

func (s *spy) Errorf(format string, args ...any) {
	s.errors = append(s.errors, fmt.Sprintf(format, args...))
}

func outcome(text string) result.Outcome {
	return result.Parse(&mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil)
}

func TestAssert_Holds(t *testing.T) {
	t.Parallel()
	good := result.Parse(result.Failure(toolerr.NotFound("ticker", "APPL", "AAPL")), nil)
	const whole = `{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"not_found","message":"m","hint":"h"}`
	structured := &mcp.CallToolResult{IsError: true, StructuredContent: map[string]any{}, Content: []mcp.Content{&mcp.TextContent{Text: whole}}}
	two := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: whole}, &mcp.TextContent{Text: "more"}}}
	behind := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.ImageContent{}, &mcp.TextContent{Text: whole}}}
	image := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.ImageContent{}}}
	for name, test := range map[string]struct {
		out  result.Outcome
		want string // the first error, a regular expression; empty for none
	}{
		"an envelope":          {good, ""},
		"another server's":     {outcome(whole), ""},
		"another category":     {outcome(`{"isError":true,"errorCategory":"business","isRetryable":false,"code":"not_found","message":"m","hint":"h"}`), `category is "business" instead of "validation"`},
		"another code":         {outcome(`{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"x","message":"m","hint":"h"}`), `code is "x" instead of "not_found"`},
		"no hint":              {outcome(`{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"not_found","message":"m"}`), `no hint: \{"isError".*"message":"m"\}$`},
		"a leak":               {outcome(`{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"not_found","message":"/home/ada/x","hint":"h"}`), `shows a file path: /home/ada/x`},
		"a bare text":          {outcome("not found"), "is not a JSON object: not found"},
		"another spelling":     {outcome(`{"isError":true,"category":"validation","isRetryable":false,"message":"m","hint":"h"}`), "it lacks one of the four values of errorCategory"},
		"no isError":           {outcome(`{"errorCategory":"validation","isRetryable":false,"message":"m","hint":"h"}`), "it lacks isError"},
		"a success":            {result.Parse(result.OK("fine"), nil), "isError is not set, and the answer is data"},
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
	s := &spy{TB: t}
	assert.True(t, resulttest.AssertEmpty(s, result.Parse(result.Empty("No orders.", nil), nil)))
	assert.False(t, resulttest.AssertEmpty(s, good))
	assert.False(t, resulttest.AssertNoLeak(s, result.Parse(result.OK("a"), nil), regexp.MustCompile("a")))
	assert.Len(t, s.errors, 2)

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
		server.AddTool(&mcp.Tool{Name: "find", InputSchema: map[string]any{"type": "object"}, Annotations: &hints}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no"}}}, nil
		})
		return testutil.Connect(t, server, nil)
	}
	for name, test := range map[string]struct {
		session *mcp.ClientSession
		want    []string
	}{
		"a finding":  {session(mcp.ToolAnnotations{ReadOnlyHint: true}), []string{"find: bare_text: ", "\n    call: ", "\n    arguments: {", "\n    answer: no", "\n    why: ", "\n    fix: "}},
		"no session": {nil, []string{"the server could not be checked: there is no session"}},
		"no calls":   {session(mcp.ToolAnnotations{IdempotentHint: true}), []string{"none of the 1 tools was called"}},
	} {
		s, done := &spy{TB: t}, make(chan struct{})
		go func() {
			defer close(done) // also after Fatalf
			resulttest.TestServer(s, test.session, nil)
		}()
		<-done
		require.Len(t, s.errors, 1, name)
		for _, part := range test.want {
			assert.Contains(t, s.errors[0], part, name)
		}
	}
}
