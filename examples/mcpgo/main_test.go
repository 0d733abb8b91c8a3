package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/mark3labs/mcp-go/server/servertest"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// newSDKServer has the same tools on the official SDK, with package result.
func newSDKServer(opts result.MiddlewareOptions) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "orders", Version: "v1"}, nil)
	s.AddReceivingMiddleware(result.Middleware(&opts))
	tool := func(name string) *sdk.Tool {
		return &sdk.Tool{Name: name, Annotations: &sdk.ToolAnnotations{ReadOnlyHint: isReadOnly(name)}}
	}
	for name, fail := range failures {
		result.AddTool(s, tool(name), func(_ context.Context, _ *sdk.CallToolRequest, in orderIn) (*sdk.CallToolResult,
			orderOut, error,
		) {
			out, err := fail(in)
			return nil, out, err
		})
	}
	for name, res := range results {
		sdk.AddTool(s, tool(name), func(context.Context, *sdk.CallToolRequest, any) (out *sdk.CallToolResult, _ any,
			err error,
		) {
			return out, nil, convert(res, &out)
		})
	}
	result.AddTool(s, tool("search"), search)
	idempotency.AddTool(s, tool("refund"), nil,
		func(context.Context, *sdk.CallToolRequest, orderIn) (*sdk.CallToolResult, orderOut, error) {
			return nil, orderOut{Status: "refund 1"}, nil
		})
	return s
}

// logged returns options that log only library-independent data to w.
func logged(w io.Writer) result.MiddlewareOptions {
	handler := slog.NewTextHandler(w, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		switch a.Key {
		case "time", "duration", "mcp.session.id", "cause": // also a validator's words
			return slog.Attr{}
		case "stack":
			return slog.String(a.Key, "of a panic")
		}
		return a
	}})
	return result.MiddlewareOptions{Logger: slog.New(handler), CorrelationID: func(context.Context) string { return "7" }}
}

// Every answer and every log record is that of package result on the official SDK.
func TestStructured_SameAsResult(t *testing.T) {
	t.Parallel()
	var ours, theirs bytes.Buffer
	serverSide, clientSide := sdk.NewInMemoryTransports()
	_, err := newSDKServer(logged(&theirs)).Connect(t.Context(), serverSide, nil)
	require.NoError(t, err)
	expected, err := harness.Connect(t.Context(), "official", clientSide)
	require.NoError(t, err)
	front := servertest.NewTestStreamableHTTPServer(newServer(&options{MiddlewareOptions: logged(&ours)}))
	defer front.Close()
	session, err := harness.Connect(t.Context(), "official",
		&sdk.StreamableClientTransport{Endpoint: front.URL, DisableStandaloneSSE: true})
	require.NoError(t, err)
	defer func() { _, _ = session.Close(), expected.Close() }()
	for _, c := range calls {
		params := &sdk.CallToolParams{Name: c.tool, Arguments: c.arguments}
		want, got := result.Parse(expected.CallTool(t.Context(), params)), result.Parse(session.CallTool(t.Context(), params))
		assert.Equal(t, want.Kind, got.Kind, c.tool)
		assert.Equal(t, want.Result.Content, got.Result.Content, c.tool)
		assert.Equal(t, want.Result.StructuredContent, got.Result.StructuredContent, c.tool)
		assert.Equal(t, theirs.String(), ours.String(), c.tool)
	}
	assert.Contains(t, ours.String(), `stack="of a panic"`)
}

// ask returns the failed answer of a tool, and its envelope.
func ask(
	t *testing.T, o options, tool mcp.Tool, arguments any, h server.ToolHandlerFunc, others ...server.ServerOption,
) (*mcp.CallToolResult, toolerr.Error) {
	t.Helper()
	var log bytes.Buffer
	o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	s := server.NewMCPServer("s", "v1", structured(&o, others...)...)
	s.AddTool(tool, h)
	session, err := connect(t.Context(), s)
	require.NoError(t, err)
	res, err := session.CallTool(t.Context(),
		mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool.Name, Arguments: arguments}})
	require.NoError(t, err)
	require.True(t, res.IsError)
	assert.Contains(t, log.String(), "mcp.session.id="+session.GetSessionId())
	var e toolerr.Error
	require.NoError(t, json.Unmarshal([]byte(firstText(res)), &e), firstText(res))
	return res, e
}

// A result that a handler has written keeps all of its content, with every option.
func TestStructured_Words(t *testing.T) {
	t.Parallel()
	const said = "Quota exceeded."
	long, text, seven := mcp.NewTextContent(strings.Repeat("a line of a compiler\n", 500)), mcp.NewTextContent(said),
		mcp.NewTextContent("[7]")
	image, noted := mcp.NewImageContent("no base64", "image/png"), text
	noted.Annotations = &mcp.Annotations{Audience: []mcp.Role{mcp.RoleUser}}
	for name, c := range map[string]struct {
		content    []mcp.Content
		structured any
		message    string
		rest       []mcp.Content
	}{
		"text":         {[]mcp.Content{text}, nil, said, nil},
		"image":        {[]mcp.Content{image, text}, nil, said, []mcp.Content{image}},
		"texts":        {[]mcp.Content{text, seven}, nil, said, []mcp.Content{seven}},
		"annotated":    {[]mcp.Content{noted}, nil, said, []mcp.Content{noted}},
		"structured":   {[]mcp.Content{text}, []int{7}, said, []mcp.Content{seven}},
		"members":      {[]mcp.Content{mcp.NewTextContent(`{"message":"Quota exceeded.","code":"quota"}`)}, nil, said, nil},
		"own envelope": {[]mcp.Content{mcp.NewTextContent(string(toolerr.Business(said).AppendJSON(nil)))}, nil, said, nil},
		"empty":        {nil, nil, "The tool failed without saying why.", nil},
		"long":         {[]mcp.Content{long}, nil, "a line", []mcp.Content{long}},
	} {
		for _, o := range []options{
			{},
			{MiddlewareOptions: result.MiddlewareOptions{Reveal: result.RevealAll}},
			{FromText: true},
		} {
			res, e := ask(t, o, mcp.NewTool("tool"), nil,
				func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					meta := mcp.Result{Meta: mcp.NewMetaFromMap(map[string]any{"note": "kept"})}
					return &mcp.CallToolResult{Result: meta, IsError: true, Content: c.content, StructuredContent: c.structured}, nil
				})
			assert.True(t, strings.HasPrefix(e.Message, c.message), name)
			assert.Equal(t, "kept", res.Meta.AdditionalFields["note"], name)
			assert.Equal(t, c.rest, append([]mcp.Content(nil), res.Content[1:]...), name)
		}
	}
}

// An apiError is an error as client libraries have it.
type apiError struct {
	StatusCode int
	Message    string
}

func (e *apiError) Error() string {
	return fmt.Sprintf("GET /issues/7: %d %s", e.StatusCode, e.Message)
}

// Reveal selects the texts of errors. FromText reads what no type classifies.
func TestStructured_Options(t *testing.T) {
	t.Parallel()
	const hidden = "The tool failed unexpectedly."
	full, service := errors.New("bucket is full: too many requests"), &apiError{404, "No such issue."}
	for name, c := range map[string]struct {
		reveal   func(error) bool
		fromText bool
		err      error
		message  string
		code     toolerr.Code
	}{
		"no result": {nil, true, nil, hidden, toolerr.CodeInternal},
		"hidden":    {nil, true, full, hidden, toolerr.CodeInternal},
		"all":       {result.RevealAll, false, full, full.Error(), ""},
		"read":      {result.RevealAll, true, full, full.Error(), toolerr.CodeRateLimited},
		"services":  {result.RevealServices, false, service, service.Message, toolerr.CodeNotFound},
		"typed": {
			result.RevealAll, true, fmt.Errorf("forbidden: %w", context.DeadlineExceeded),
			"forbidden: context deadline exceeded", toolerr.CodeTimeout,
		},
		"required": {
			nil, false, errors.New(`required argument "order" not found`), `required argument "order" not found`,
			toolerr.CodeMissingArgument,
		},
		"wrong type": {
			nil, false, errors.New(`argument "sent" is not a string`), `argument "sent" is not a string`,
			toolerr.CodeInvalidArgument,
		},
		"was sent":     {nil, false, errors.New(`required argument "sent" not found`), hidden, toolerr.CodeInternal},
		"not services": {result.RevealServices, true, full, hidden, toolerr.CodeInternal},
	} {
		o := options{MiddlewareOptions: result.MiddlewareOptions{Reveal: c.reveal}, FromText: c.fromText}
		_, e := ask(t, o, mcp.NewTool("tool"), map[string]any{"sent": 7},
			func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, c.err })
		assert.Equal(t, c.message, e.Message, name)
		assert.Equal(t, c.code, e.Code, name)
	}
}

// Mcp-go's own sentences about arguments and outputs print Go values. They are replaced, also
// with RevealAll. The server's own hooks stay, and see the envelope.
func TestStructured_Refusals(t *testing.T) {
	t.Parallel()
	hooks, seen := new(server.Hooks), ""
	hooks.AddAfterCallTool(func(_ context.Context, _ any, _ *mcp.CallToolRequest,
		res any,
	) {
		seen = fmt.Sprintf("%+v", res)
	})
	tool := mcp.NewTool("tool", mcp.WithInputSchema[orderIn](), mcp.WithOutputSchema[orderOut]())
	plain := mcp.NewTypedToolHandler(func(context.Context, mcp.CallToolRequest, orderIn) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultStructuredOnly(7), nil
	})
	bound := typed(func(context.Context, mcp.CallToolRequest, orderIn) (orderOut, error) { return orderOut{}, nil })
	hooked := []server.ServerOption{server.WithHooks(hooks)}
	checked := append(hooked, server.WithInputSchemaValidation(), server.WithOutputSchemaValidation())
	for name, c := range map[string]struct {
		arguments string
		handler   server.ToolHandlerFunc
		others    []server.ServerOption
		code      toolerr.Code
		field     string
	}{
		"missing":    {`{}`, plain, checked, toolerr.CodeMissingArgument, "order"},
		"wrong type": {`{"order":"o","days":"x"}`, plain, checked, toolerr.CodeInvalidArgument, "days"},
		"unknown":    {`{"order":"o","dayz":1}`, plain, checked, toolerr.CodeInvalidArgument, "dayz"},
		"no object":  {`[1]`, plain, checked, toolerr.CodeInvalidArgument, ""},
		"output":     {`{"order":"o"}`, plain, checked, toolerr.CodeInternal, ""},
		"unchecked":  {`{"order":"o","days":"x"}`, plain, hooked, toolerr.CodeInvalidArgument, "days"},
		"bound":      {`{"order":"o","days":"x"}`, bound, hooked, toolerr.CodeInvalidArgument, "days"},
		"too large":  {`{"order":"o","days":1e99}`, bound, hooked, toolerr.CodeInvalidArgument, "days"},
	} {
		o := options{MiddlewareOptions: result.MiddlewareOptions{Reveal: result.RevealAll}, FromText: true}
		res, e := ask(t, o, tool, json.RawMessage(c.arguments), c.handler, c.others...)
		assert.Equal(t, c.code, e.Code, name)
		assert.Equal(t, c.field, e.Field, name)
		assert.Len(t, res.Content, 1, name)
		assert.Contains(t, seen, firstText(res), name)
		assert.NotRegexp(t, `&\{|map\[|Go struct`, firstText(res), name)
	}
}

// Whether a failure may be repeated is the tool's to say, also if only this session has it so.
func TestStructured_Safety(t *testing.T) {
	t.Parallel()
	h := typed(func(context.Context, mcp.CallToolRequest, any) (orderOut, error) {
		return orderOut{}, toolerr.Transient("The gateway did not answer.").WithCode(toolerr.CodeTimeout)
	})
	hooks := new(server.Hooks)
	hooks.AddBeforeCallTool(func(ctx context.Context, _ any, req *mcp.CallToolRequest) {
		own := mcp.NewTool(req.Params.Name, mcp.WithReadOnlyHintAnnotation(true))
		assert.NoError(t, server.ServerFromContext(ctx).
			AddSessionTool(server.ClientSessionFromContext(ctx).SessionID(), own, h))
	})
	plain, keyed, key := mcp.NewTool("plain"), mcp.NewTool("keyed", mcp.WithString("idempotency_key")),
		map[string]any{"idempotency_key": "k"}
	_, first := ask(t, options{}, plain, key, h)
	_, second := ask(t, options{}, keyed, key, h)
	_, third := ask(t, options{}, plain, nil, h, server.WithHooks(hooks))
	assert.Equal(t, []bool{false, true, true}, []bool{first.Retryable, second.Retryable, third.Retryable})
}

// An official handler gets what the request has, records of which some have an error are marked
// as data, and a protocol error stays one.
func TestStructured_Official(t *testing.T) {
	t.Parallel()
	type report struct {
		Items []map[string]string `json:"items"`
	}
	s := server.NewMCPServer("s", "v1", structured(nil)...)
	s.AddTool(mcp.NewTool("report", mcp.WithOutputSchema[report]()),
		official(func(_ context.Context, req *sdk.CallToolRequest, _ any) (*sdk.CallToolResult, report, error) {
			return nil, report{[]map[string]string{
				{"id": "1", "name": "x"},
				{"id": "2", "error": fmt.Sprint(req.Params.Meta["note"], req.Extra.Header.Get("X-Note"))},
			}}, nil
		}))
	s.AddTool(mcp.NewTool("ask"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, mcp.URLElicitationRequiredError{}
	})
	session, err := connect(t.Context(), s)
	require.NoError(t, err)
	params := mcp.CallToolParams{Name: "report", Meta: mcp.NewMetaFromMap(map[string]any{"note": "a"})}
	res, err := session.CallTool(t.Context(), mcp.CallToolRequest{Params: params, Header: http.Header{"X-Note": {"b"}}})
	require.NoError(t, err)
	assert.Contains(t, fmt.Sprint(res.StructuredContent), "error:ab")
	assert.Equal(t, "data", res.Meta.AdditionalFields["io.github.mcp-toolerr/kind"])
	_, err = session.CallTool(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "ask"}})
	require.ErrorAs(t, err, new(mcp.URLElicitationRequiredError))
	_, e := ask(t, options{}, mcp.NewTool("tool"), nil,
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultStructured(func() {}, "no JSON"), nil
		})
	assert.Equal(t, toolerr.CodeInternal, e.Code)
}

func TestRun(t *testing.T) {
	t.Parallel()
	var out, stderr bytes.Buffer
	require.Zero(t, run(t.Context(), []string{"-wire"}, &out, &stderr), stderr.String())
	assert.Equal(t, 16, strings.Count(out.String(), `wire     {"isError":true`), "eight failing calls of two servers")
	assert.Equal(t, 2, strings.Count(out.String(), "message: ORD-7 was refunded on 3 March."))
	assert.Equal(t, 4, strings.Count(out.String(), "&{"), "two refusals without structured.go, as text and on the wire")
	assert.NotContains(t, out.String(), "refund 2")
}
