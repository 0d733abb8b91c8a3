package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
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
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestMiddleware_Log checks what the log says of two calls, and the second answer. After its name, a
// sample has the words of logOf.
func TestMiddleware_Log(t *testing.T) {
	t.Parallel()
	rows, no := items{Items: []string{"a"}}, items{Items: []string{}}
	refused := `{"errors":[{"field":"idempotency_key","message":"Is too long."}]}`
	refusal := &http.Response{StatusCode: http.StatusBadRequest, Body: io.NopCloser(strings.NewReader(refused))}
	part := errOverLimit.WithPartial(new(toolerr.Partial))
	retried := toolerr.Timeout("late").WithAttempted(toolerr.Attempt{Tool: "u"})
	cases := map[string]attempt{
		"a failure without IsError":   {res: &mcp.CallToolResult{Content: text(`{"error":"the mailbox is full"}`)}},
		"data":                        {res: &mcp.CallToolResult{Content: text(`{"id":1}`)}},
		"no answer":                   {},
		"rows beside an error":        {out: rows, err: errors.New("page 2 failed")},
		"rows beside a classified":    {out: rows, err: toolerr.Unavailable("down", 0)},
		"a text beside an error":      {res: result.OK("2 of 10"), out: no, err: toolerr.RateLimited("busy", 0)},
		"nothing beside an error":     {res: new(mcp.CallToolResult), err: toolerr.Unavailable("down", 0)},
		"no rows beside an error":     {out: no, err: toolerr.Unavailable("down", 0)},
		"rows beside a partial":       {out: rows, err: partial(toolerr.Partial{Processed: 1}).err},
		"ContinueFrom of a float":     partial(toolerr.Partial{Processed: 1, ContinueFrom: 1.5}),
		"ContinueFrom of a struct":    partial(toolerr.Partial{Processed: 1, ContinueFrom: items{}}),
		"no ContinueFrom":             partial(toolerr.Partial{Processed: 1, ContinueFrom: ""}),
		"Results that are no JSON":    partial(toolerr.Partial{Processed: 1, Results: json.RawMessage(`{`)}),
		"Results that are null":       partial(toolerr.Partial{Processed: 1, Results: json.RawMessage(`null`)}),
		"nothing processed":           partial(toolerr.Partial{Total: 5, Results: json.RawMessage(`{"sent":null}`), ContinueFrom: 1}),
		"Results":                     partial(toolerr.Partial{Results: json.RawMessage(`[1]`), ContinueFrom: 7}),
		"a credential in the message": {err: toolerr.Validation("login failed: password=hunter2")},
		"an applied effect":           {err: toolerr.Timeout("late").WithEffect(toolerr.EffectApplied)},
		"a wait of 30ns":              {err: toolerr.RateLimited("x", 30)},
		"a wait of a microsecond":     {err: toolerr.RateLimited("x", time.Microsecond)},
		"a wait of 1ns":               {err: toolerr.RateLimited("x", 1)},
		"a wait":                      {err: toolerr.RateLimited("redis://app:[masked]@cache is busy", 30*time.Second)},
		"an unclassified error":       {err: errors.New("odd")},
		"a nil error":                 {err: (*toolerr.Error)(nil)},
		"a nil error beside data":     {res: result.OK("x"), err: (*toolerr.Error)(nil)},
		"a bug beside a text":         {res: result.OK("2 of 10"), err: errors.New("odd")},
		"a timeout":                   {err: context.DeadlineExceeded},
		"a classified failure":        {err: errOverLimit},
		"a failure with a cause":      {err: errOverLimit.WithCause(errSoldOut)},
		"a failure of a retried one":  {err: toolerr.Business("No.").WithCause(retried)},
		"a permission":                {err: toolerr.Permission("No.")},
		"a failure without category":  {err: &toolerr.Error{Message: "Hm.", Code: "odd"}},
		"a service's field":           {err: toolerr.FromResponse(refusal)},
		"a service's message":         {err: &apiError{404, "No order 7 for password=hunter2."}},
		"a secret in a join":          {err: errors.Join(errSoldOut, errors.New("token=hunter2"))},
		"a secret in its cause":       {err: toolerr.Business("No.").WithCause(errors.New("Bearer hunter2hunter2"))},
		"a secret":                    {err: errors.New("dial " + secret)},
		"a cause of the library":      {res: result.Empty("None.", nil), out: rows},
		"an output that cannot be so": {res: &mcp.CallToolResult{Content: []mcp.Content{nil}}},
		"an output of no data":        {res: withStructured(make(chan int))},
		"an output that panics":       {res: withStructured(explosive{})},
		"a text":                      {res: flagged(withStructured(object(1), block("no luck\x1b[31m"), block("second")))},
		"a text with a code":          {res: failed(`{"code":"out_of_stock","message":"None left."}`)},
		"a protocol error with data":  protocol(-32042, "as meant", `{"a":1}`),
		"a protocol error in part":    protocol(-32099, "as meant", string(part.AppendJSON(nil))),
		"a text with more":            {res: failed(`{"code":"odd","message":"` + strings.Repeat("long ", 100) + `","shelf":"B7"}`)},
		"unwraps to itself":           {err: ouroboros{}},
		"another text each time":      {err: changing{new(int), "query on 10.0.0.7 failed, take %d", nil}},
		"a zero error":                {err: new(toolerr.Error)},
		"a zero error, wrapped":       {err: fmt.Errorf("x: %w", new(toolerr.Error))},
		"nothing but a hint":          {err: &toolerr.Error{Hint: "Ask."}},
		"an empty answer":             {res: result.Empty("None.", nil)},
		"an error with half its data": protocol(-32042, "as meant", `{`),
		"an invalid request":          protocol(-32602, "as meant", ""),
		"a request of the unknown":    protocol(-32042, "unknown tool", ""),
		"its own id":                  {err: toolerr.Business("x").WithCorrelationID("own")},
		"a protocol error":            protocol(-32042, "as meant", ""),
	}
	for _, reply := range []string{`{"id":"ch_1"}`, `{"id":"ORD"}`, `{"charge":"ch_1"}`} { // of a service
		var charge struct {
			ID     int `json:"id"`
			Charge int `json:"charge"`
		}
		cases["a reply of "+reply] = attempt{err: json.Unmarshal([]byte(reply), &charge)}
	}
	for _, first := range []string{"t", "halt", "Resolve the ticket first."} {
		cases["a precondition "+first] = attempt{err: toolerr.FailedPrecondition("It runs.", first)}
	}
	seen := map[string]bool{}
	testutil.Recorded(t, "testdata/log.txt", func(sample string) string {
		name, how, _ := strings.Cut(sample, ": ")
		test, known := cases[name]
		require.True(t, known, sample)
		seen[name] = true
		return test.logOf(t, how)
	})
	assert.Len(t, seen, len(cases))
}

// partial fails after a part of the work.
func partial(p toolerr.Partial) attempt { return attempt{err: toolerr.Transient("x").WithPartial(&p)} }

func protocol(code int64, message, data string) attempt {
	return attempt{err: &jsonrpc.Error{Code: code, Message: message, Data: json.RawMessage(data)}}
}

// An attempt is what a handler returns, or panics with.
type attempt struct {
	res *mcp.CallToolResult
	out items
	err error
}

// logOf returns the log of two calls, and the second answer. How has words that configure the
// middleware, the tool and the call.
func (a attempt) logOf(t *testing.T, how string) string {
	t.Helper()
	var finished *toolerr.Error
	is := func(word string) bool { return strings.Contains(how, word) }
	var log bytes.Buffer
	opts := &result.MiddlewareOptions{
		Logger:        slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: steady})),
		CorrelationID: func(context.Context) string { return "id" },
		OnCall: func(_ context.Context, c result.FinishedCall) {
			finished = c.Err
			fmt.Fprintf(&log, "%s, %s, %s, %s, %q\n", c.Tool, c.Kind, c.KeyID, c.Claim, c.Err)
			panic("a hook must not cost the answer")
		},
	}
	if _, user, ok := strings.Cut(how, "by "); ok {
		opts.Principal = func(mcp.Request) string { return user }
	}
	if is("revealed") {
		opts.Reveal = result.RevealAll
	} else if is("bad Reveal") {
		opts.Reveal = func(error) bool { panic("a bug") }
	} else if is("services") {
		opts.Reveal = result.RevealServices
	} else if is("bad rule") {
		opts.Rules = []toolerr.Rule{func(error) (*toolerr.Error, bool) { panic("a bug") }}
	} else if is("bad Logger") {
		opts.Logger = slog.New(panicky{slog.DiscardHandler})
	} else if is("no id") {
		opts.CorrelationID = nil
	} else if is("empty id") {
		opts.CorrelationID = func(context.Context) string { return "" }
	} else if is("bad id") {
		opts.CorrelationID = func(context.Context) string { panic("no trace") }
	}
	tool := &mcp.Tool{
		Name: "t", InputSchema: anything,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: is("read-only"), IdempotentHint: is("idempotent")},
	}
	params := &mcp.CallToolParams{Name: "t"}
	if _, arguments, ok := strings.Cut(how, "key "); ok {
		tool.InputSchema, params.Arguments = json.RawMessage(`{"type":"object","properties":{"idempotency_key":{}}}`),
			json.RawMessage(arguments)
	} else if _, arguments, ok := strings.Cut(how, "order "); ok {
		tool.InputSchema, params.Arguments = json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"}}}`),
			json.RawMessage(arguments)
	}
	h := func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, items, error) {
		if is("panic") {
			panic(a.err)
		}
		return a.res, a.out, a.err
	}
	connect := func() *mcp.ClientSession {
		server := serve(opts)
		switch {
		case is("raw"):
			server.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				res, _, err := h(ctx, req, nil)
				return res, err
			})
		case is("kept"):
			idempotency.AddTool(server, tool, &idempotency.Options{Store: new(idempotency.MemoryStore)}, h)
		case is("strict"):
			tool.OutputSchema = strictSchema
			mcp.AddTool(server, tool, h)
		default:
			result.AddTool(server, tool, h)
		}
		addRaw(server, "tt", answers(result.OK("x"))) // whose name is similar
		return testutil.Connect(t, server, nil)
	}
	if is("unknown") {
		params.Name = "u"
	}
	session := connect()
	_, _ = session.CallTool(t.Context(), params)
	if is("stateless") { // a server for each call
		session = connect()
	}
	res, err := session.CallTool(t.Context(), params)
	if wire := new(jsonrpc.Error); errors.As(err, &wire) {
		return log.String() + testutil.JSON(wire)
	}
	require.NoError(t, err)
	if finished != nil {
		assert.Equal(t, textOf(res.Content[0]), string(finished.AppendJSON(nil)), "the failure that OnCall gets, %s", how)
	}
	for _, content := range res.Content {
		log.WriteString(textOf(content) + "\n")
	}
	return regexp.MustCompile(`\b\d{18}\b`).ReplaceAllString(log.String(), "*")
}

// steady leaves out of a record what differs each time.
func steady(groups []string, a slog.Attr) slog.Attr {
	switch {
	case a.Key == slog.TimeKey && groups == nil:
		return slog.Attr{}
	case a.Key == "duration" && a.Value.Kind() == slog.KindDuration:
		return slog.String("duration", "some")
	case strings.HasPrefix(a.Value.String(), "json: cannot unmarshal"): // its words change with the version of Go
		return slog.String(a.Key, "a mismatch")
	case a.Key == "stack":
		return slog.Bool("stack", strings.Contains(a.Value.String(), "mistakes_test.go"))
	}
	return a
}

// TestMiddleware_OtherRequests checks the answers to requests, and the log: a panic or a nil result of a
// handler that is not a tool's ends the request alone, and an unknown tool gets its near misses. A
// correlation id is a star. A method alone is a call of the handler without a server, as a program may make.
func TestMiddleware_OtherRequests(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: steady}))
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, &mcp.ServerOptions{
		CompletionHandler: func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) { panic(secret) },
	})
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{
		Logger: logger,
		OnCall: func(_ context.Context, call result.FinishedCall) { _, _ = fmt.Fprintln(&log, "called:", call.Err.Code) },
	}))
	addRaw(server, "orders", fails(protocol(jsonrpc.CodeInvalidParams, "unknown tool x", `1`).err))
	addRaw(server, "orderz", nil)
	for name, err := range map[string]error{
		"nil": nil, "mute": (*jsonrpc.Error)(nil), "spiteful": spiteful{},
		"panicz": &jsonrpc.Error{Code: -32000, Message: "busy"},
	} {
		server.AddPrompt(&mcp.Prompt{Name: name},
			func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) { return nil, err })
	}
	server.AddPrompt(&mcp.Prompt{Name: "panics"},
		func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) { panic(secret) })
	server.AddResourceTemplate(&mcp.ResourceTemplate{Name: "r", URITemplate: "db://{+id}"},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) { panic(secret) })
	session := testutil.Connect(t, server, nil)
	panics := result.Middleware(&result.MiddlewareOptions{
		Logger: logger, CorrelationID: func(context.Context) string { return "two\nlines" },
	})(func(context.Context, string, mcp.Request) (mcp.Result, error) { panic(secret) })
	ss := new(mcp.ServerSession)
	requests := map[string]mcp.Request{
		"tools/call": &mcp.CallToolRequest{Session: ss}, "prompts/get": &mcp.GetPromptRequest{Session: ss},
		"resources/subscribe":   &mcp.SubscribeRequest{Session: ss, Params: &mcp.SubscribeParams{URI: "db://h/r"}},
		"resources/unsubscribe": &mcp.UnsubscribeRequest{Session: ss, Params: &mcp.UnsubscribeParams{URI: "db://h/r"}},
	}
	testutil.Recorded(t, "testdata/requests.txt", func(sample string) string {
		log.Reset()
		var err error
		switch kind, name, _ := strings.Cut(sample, " "); kind {
		case "tool":
			out := callTool(t, session, name, nil)
			err = out.AsError()
			_, _ = fmt.Fprintln(&log, "read:", out.Err.Suggestions)
		case "prompt":
			_, err = session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name})
		case "resource":
			_, err = session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: name})
		case "complete":
			params := &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: name}}
			params.Argument.Name = "a"
			_, err = session.Complete(t.Context(), params)
		default:
			var res mcp.Result
			if res, err = panics(t.Context(), sample, requests[sample]); err == nil {
				return testutil.JSON(res) + "\n" + log.String()
			}
		}
		var wire *jsonrpc.Error
		require.ErrorAs(t, err, &wire, sample)
		answer := fmt.Sprintf("%d: %s %s\n%s", wire.Code, wire.Message, wire.Data, log.String())
		if id := regexp.MustCompile(`\b\d{18}\b`).FindString(wire.Message); id != "" {
			answer = strings.ReplaceAll(answer, id, "*")
		}
		assert.NotContains(t, answer, "hunter2", sample)
		return answer
	})
}
