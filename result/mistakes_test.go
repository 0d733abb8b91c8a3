package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestMiddleware_Mistakes checks that the log says once for each tool what its author has to write.
func TestMiddleware_Mistakes(t *testing.T) {
	t.Parallel()
	partial := func(p toolerr.Partial) error { return toolerr.Transient("x").WithPartial(&p) }
	for name, test := range map[string]struct {
		res    *mcp.CallToolResult // of a raw tool
		out    items
		err    error
		advice string // "" if there is none
		reads  bool   // the tool has ReadOnlyHint
	}{
		"a failure without IsError":   {res: &mcp.CallToolResult{Content: text(`{"error":"the mailbox is full"}`)}, advice: "return result.Failure(err)"},
		"data":                        {res: &mcp.CallToolResult{Content: text(`{"id":1}`)}},
		"rows beside an error":        {out: items{Items: []string{"a"}}, err: errors.New("page 2 failed"), advice: "unless it is returned WithPartial"},
		"rows beside a classified":    {out: items{Items: []string{"a"}}, err: toolerr.Unavailable("down", 0), advice: "return the error WithPartial, or a retry repeats it"},
		"a text beside an error":      {res: result.OK("2 of 10"), out: items{Items: []string{}}, err: toolerr.RateLimited("busy", 0), advice: "an answer beside a retryable error"},
		"no rows beside an error":     {out: items{Items: []string{}}, err: toolerr.Unavailable("down", 0)},
		"rows beside a partial":       {out: items{Items: []string{"a"}}, err: partial(toolerr.Partial{Processed: 1})},
		"ContinueFrom of a float":     {err: partial(toolerr.Partial{ContinueFrom: 1.5}), advice: "because it is a float64: use a string of one line, or an integer"},
		"ContinueFrom of a struct":    {err: partial(toolerr.Partial{ContinueFrom: items{}}), advice: "because it is a result_test.items"},
		"no ContinueFrom":             {err: partial(toolerr.Partial{ContinueFrom: ""})},
		"Results that are no JSON":    {err: partial(toolerr.Partial{Results: json.RawMessage(`{`)}), advice: "the Results of a partial result are not sent"},
		"Results":                     {err: partial(toolerr.Partial{Results: json.RawMessage(`[1]`), ContinueFrom: 7})},
		"a credential in the message": {err: toolerr.Validation("login failed: password=hunter2"), advice: "The message seems to hold a credential, and was sent"},
		"applied, but read-only":      {err: toolerr.Timeout("late").WithEffect(toolerr.EffectApplied), reads: true, advice: "clients may repeat the call: remove the hint"},
		"a wait without a unit":       {err: toolerr.RateLimited("x", 30), advice: "RetryAfter of 30ns has no unit: write 30*time.Second"},
		"a wait":                      {err: toolerr.RateLimited("redis://app:[masked]@cache is busy", 30*time.Second)},
		"an unclassified error":       {err: errors.New("odd"), advice: "wrap that with %w or toolerr.Wrap; if finding nothing is no failure, return result.Empty"},
		"a cause of the library":      {res: result.Empty("None.", nil), out: items{Items: []string{"a"}}},
		"an output that cannot be so": {res: &mcp.CallToolResult{Content: []mcp.Content{nil}}},
	} {
		var log bytes.Buffer
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		server.AddReceivingMiddleware(result.Middleware(logged(&log)))
		if test.res != nil && test.out.Items == nil {
			server.AddTool(&mcp.Tool{Name: "t", InputSchema: anything}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return test.res, nil
			})
		} else {
			result.AddTool(server, &mcp.Tool{Name: "t", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: test.reads}}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, items, error) {
				return test.res, test.out, test.err
			})
		}
		session := testutil.Connect(t, server, nil)
		for range 2 {
			_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})
			require.NoError(t, err, name)
		}
		if test.advice == "" {
			for _, word := range []string{"unclassified", "not sent", "no unit", "result.Failure", "credential"} {
				assert.NotContains(t, log.String(), word, name)
			}
			continue
		}
		assert.Equal(t, 1, strings.Count(log.String(), test.advice), "%s: %s", name, log.String())
	}
}

// A panic or a nil result of a handler that is not a tool's ends the request alone. An unknown
// name gets its near misses.
func TestMiddleware_OtherRequests(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	opts := logged(&log)
	opts.OnCall = func(_ context.Context, call result.FinishedCall) {
		assert.Equal(t, toolerr.CodeNotFound, call.Err.Code)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, &mcp.ServerOptions{
		CompletionHandler: func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) { panic(secret) },
	})
	server.AddReceivingMiddleware(result.Middleware(opts))
	addRaw(server, "orders", fails(&jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "unknown tool x", Data: json.RawMessage(`1`)}))
	addRaw(server, "orderz", nil)
	server.AddPrompt(&mcp.Prompt{Name: "nil"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) { return nil, nil })
	server.AddPrompt(&mcp.Prompt{Name: "panics"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) { panic(secret) })
	server.AddResourceTemplate(&mcp.ResourceTemplate{Name: "r", URITemplate: "db://{+id}"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) { panic(secret) })
	session := testutil.Connect(t, server, nil)
	const failed = `-32603: The request failed unexpectedly\. Its correlation id is (\d{18})\. {"correlationId":"\d{18}"}$`
	for request, want := range map[string][2]string{ // the error, and the log
		"tool order":                    {`^-32602: unknown tool "order" {"suggestions":\["orders","orderz"\]}$`, "not_found"},
		"tool orders":                   {`^-32602: unknown tool x 1$`, "not_found"},
		"prompt panic":                  {`^-32602: unknown prompt "panic" {"suggestions":\["panics"\]}$`, "^$"},
		"resource row://7":              {`^-32602: Resource not found {"uri":"row://7"}$`, "^$"},
		"prompt panics":                 {failed, `prompts/get gen_ai\.prompt\.name=panics .*cause="panic: postgres://admin:\[masked\]@.*mistakes_test\.go`},
		"prompt nil":                    {failed, `prompts/get gen_ai\.prompt\.name=nil .*cause="the handler returned neither`},
		"resource db://ann:hunter2@h/r": {failed, `resources/read mcp\.resource\.uri=db://ann:\[masked\]@h/r .*mistakes_test\.go`},
		"complete panics":               {failed, `completion/complete gen_ai\.prompt\.name=panics .*mistakes_test\.go`},
	} {
		log.Reset()
		var err error
		switch kind, name, _ := strings.Cut(request, " "); kind {
		case "tool":
			out := callTool(t, session, name, nil)
			assert.Equal(t, strings.Contains(want[0], "suggestions"), len(out.Err.Suggestions) == 2)
			err = out.AsError()
		case "prompt":
			_, err = session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name})
		case "resource":
			_, err = session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: name})
		default:
			_, err = session.Complete(t.Context(), &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: name}, Argument: mcp.CompleteParamsArgument{Name: "a"}})
		}
		var wire *jsonrpc.Error
		require.ErrorAs(t, err, &wire, request)
		ids := regexp.MustCompile(want[0]).FindStringSubmatch(fmt.Sprintf("%d: %s %s", wire.Code, wire.Message, wire.Data))
		require.NotEmpty(t, ids, "%s: %d: %s %s", request, wire.Code, wire.Message, wire.Data)
		assert.Regexp(t, want[1], log.String(), request)
		if len(ids) > 1 {
			assert.Regexp(t, `level=ERROR .*msg="request failed" mcp.method.name=.* error.type=-32603 .* toolerr.correlation_id=`+ids[1], log.String())
		}
	}
	for method, req := range map[string]mcp.Request{"tools/call": &mcp.CallToolRequest{Session: new(mcp.ServerSession)}, "prompts/get": &mcp.GetPromptRequest{Session: new(mcp.ServerSession)}} {
		log.Reset() // a program may call the handler without params
		_, _ = result.Middleware(&result.MiddlewareOptions{Logger: opts.Logger})(func(context.Context, string, mcp.Request) (mcp.Result, error) { panic(secret) })(t.Context(), method, req)
		assert.Contains(t, log.String(), "mistakes_test.go", method)
	}
}

// TestParse_ErrorAlone checks items that have nothing but their error.
func TestParse_ErrorAlone(t *testing.T) {
	t.Parallel()
	for sample, want := range map[string]result.Kind{
		`{"items":[{"id":"A"},{"error":"mailbox full"}]}`:        result.KindPartial,
		`[{"id":"A","to":"x"},{"error":"mailbox full"}]`:         result.KindPartial,
		`{"items":[{"id":"A"}],"problems":[{"error":"x"}]}`:      result.KindData,
		`{"items":[{"error":"a"},{"error":"b"}]}`:                result.KindData,
		`{"items":[{"id":1,"error":null},{"id":2,"error":"b"}]}`: result.KindData,
		`{"events":[{"id":"A"},{"error":"mailbox full"}]}`:       result.KindData,
	} {
		out := result.Parse(&mcp.CallToolResult{Content: text(sample)}, nil)
		assert.Equal(t, want.String(), out.Kind.String(), sample)
		if want == result.KindPartial {
			assert.Equal(t, toolerr.Partial{Processed: 1, Total: 2}, toolerr.Partial{Processed: out.Err.Partial.Processed, Total: out.Err.Partial.Total}, sample)
		}
	}
}
