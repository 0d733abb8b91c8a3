package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type (
	none  struct{}
	items struct {
		Items []string `json:"items"`
	}
	strict struct {
		Name string `json:"name" jsonschema:"never empty"`
	}
)

var errOverLimit = toolerr.Business("Over the limit.").WithCode(toolerr.CodeLimitExceeded).
	WithCustomerMessage("Please wait.")

const secret = "postgres://admin:hunter2@10.0.0.7/orders"

var (
	anything     = json.RawMessage(`{"type":"object"}`) // a schema that accepts any arguments
	strictSchema = json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","minLength":1}},` +
		`"required":["name"]}`)
	readOnly = &mcp.ToolAnnotations{ReadOnlyHint: true}
)

// newServer returns a server with a tool for each outcome.
func newServer(log *bytes.Buffer) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	addTools(server, logged(log))
	return server
}

func quiet() *result.MiddlewareOptions {
	return &result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}
}

// logged writes the log as text.
func logged(w io.Writer) *result.MiddlewareOptions {
	return &result.MiddlewareOptions{Logger: slog.New(slog.NewTextHandler(w, nil))}
}

// timeLimit is that of the tools which wait for it.
const timeLimit = 200 * time.Millisecond

// addTools adds the tools behind the middleware. Only those that wait for their time limit
// have one: on a busy machine, others would reach it too.
func addTools(server *mcp.Server, opts *result.MiddlewareOptions) {
	limited := *opts
	limited.Timeout = timeLimit
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		endless, slow := result.Middleware(opts)(next), result.Middleware(&limited)(next)
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if call, ok := req.(*mcp.CallToolRequest); ok && strings.HasPrefix(call.Params.Name, "slow") {
				return slow(ctx, method, req)
			}
			return endless(ctx, method, req)
		}
	})
	addFailingTools(server)
}

// A toolFunc answers a call of a tool without arguments.
type toolFunc = func(context.Context) (*mcp.CallToolResult, error)

// fails returns a tool that fails with err, and answers one that returns copies of res.
func fails(err error) toolFunc {
	return func(context.Context) (*mcp.CallToolResult, error) { return nil, err }
}

func answers(res *mcp.CallToolResult) toolFunc {
	return func(context.Context) (*mcp.CallToolResult, error) {
		c := *res
		return &c, nil
	}
}

// panics returns a tool that panics with v.
func panics(v any) toolFunc {
	return func(context.Context) (*mcp.CallToolResult, error) { panic(v) }
}

// waits returns a tool that fails at the end of its context.
func waits(after func(context.Context) error) toolFunc {
	return func(ctx context.Context) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		return nil, after(ctx)
	}
}

// withError returns a result with an error beside its content.
func withError(err error, content ...mcp.Content) *mcp.CallToolResult {
	r := &mcp.CallToolResult{Content: content}
	r.SetError(err)
	return r
}

// returns is the handler of a typed tool that always returns copies of the same.
func returns[In, Out any](res *mcp.CallToolResult, out Out, err error) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, _ In) (*mcp.CallToolResult, Out, error) {
		if res == nil {
			return nil, out, err
		}
		c := *res
		return &c, out, err
	}
}

// addRaw adds a tool that accepts any arguments.
func addRaw(server *mcp.Server, name string, h toolFunc) {
	server.AddTool(&mcp.Tool{Name: name, InputSchema: anything},
		func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return h(ctx) })
}

// addTyped adds a typed tool without arguments, by this package's AddTool.
func addTyped(server *mcp.Server, name string, h toolFunc) {
	result.AddTool(server, &mcp.Tool{Name: name},
		func(ctx context.Context, _ *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, items, error) {
			res, err := h(ctx)
			return res, items{}, err
		})
}

// serve returns a server with the middleware, and raw connects to one with the raw tool "t".
func serve(opts *result.MiddlewareOptions) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(opts))
	return server
}

func raw(tb testing.TB, opts *result.MiddlewareOptions, h toolFunc) *mcp.ClientSession {
	tb.Helper()
	server := serve(opts)
	addRaw(server, "t", h)
	return testutil.Connect(tb, server, nil)
}

// callTool returns the outcome of a call, and callT the failure of the tool "t".
func callTool(tb testing.TB, session *mcp.ClientSession, name string, arguments any) result.Outcome {
	tb.Helper()
	return result.Parse(session.CallTool(tb.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments}))
}

func callT(tb testing.TB, session *mcp.ClientSession) *toolerr.Error {
	tb.Helper()
	out := callTool(tb, session, "t", nil)
	require.Equal(tb, result.KindFailure, out.Kind)
	return out.Err
}

func block(s string) *mcp.TextContent { return &mcp.TextContent{Text: s} }
func text(s string) []mcp.Content     { return []mcp.Content{block(s)} }

// textOf returns the text of a block, or "" if it is no text.
func textOf(content mcp.Content) string {
	if text, ok := content.(*mcp.TextContent); ok {
		return text.Text
	}
	return ""
}

// failed returns a flagged result with a text.
func failed(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: text(s)}
}

func withStructured(v any, content ...mcp.Content) *mcp.CallToolResult {
	return &mcp.CallToolResult{StructuredContent: v, Content: content}
}

func flagged(r *mcp.CallToolResult) *mcp.CallToolResult {
	r.IsError = true
	return r
}

func addFailingTools(server *mcp.Server) {
	addBrokenTools(server)
	var typedNil *toolerr.Error
	unknown := errors.New("dial " + secret)
	for name, h := range map[string]toolFunc{
		"direct": fails(errOverLimit), "wrapped": fails(fmt.Errorf("refund: %w", errOverLimit)), "unknown": fails(unknown),
		"typed_nil": fails(typedNil), "nil_list": fails(nil), "empty": answers(result.Empty("No items.", nil)),
		"panic": panics("at " + secret), "failure_result": answers(result.Failure(errOverLimit)),
		"set_error": answers(withError(unknown)),
		"echo": fails(errors.New(`{"isError":true,"errorCategory":"transient","isRetryable":true,"effect":"none",` +
			`"message":"echoed"}`)),
	} {
		addTyped(server, name, h)
	}
	shared := result.Failure(errOverLimit)
	for name, h := range map[string]toolFunc{
		"raw_ok": answers(result.OK(items{})), "raw_empty": answers(result.Empty("No items.", items{})),
		"raw_failure": answers(result.Failure(errOverLimit)),
		"raw_error":   fails(errOverLimit), "raw_unknown": fails(unknown), "raw_nil": fails(nil),
		"raw_panic":       panics(errors.New("at " + secret)),
		"raw_failure_nil": answers(result.Failure(nil)), "raw_failure_typed_nil": answers(result.Failure(typedNil)),
		"raw_typed_nil":     fails(typedNil),
		"raw_protocol":      fails(&jsonrpc.Error{Code: -32042, Message: "as meant"}),
		"raw_typed_nil_std": fails((*url.Error)(nil)), "raw_typed_nil_protocol": fails((*jsonrpc.Error)(nil)),
		"raw_asks_and_fails": func(context.Context) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{}, RequestState: "s"}, errOverLimit
		},
		"raw_result_and_error":       func(context.Context) (*mcp.CallToolResult, error) { return &mcp.CallToolResult{}, unknown },
		"raw_shared":                 func(context.Context) (*mcp.CallToolResult, error) { return shared, nil },
		"raw_text":                   answers(flagged(withStructured(object(1), block("no luck\x1b[31m"), block("second")))),
		"raw_words_beside_the_error": answers(withError(errOverLimit, text("Too much.")...)),
	} {
		addRaw(server, name, h)
	}
	result.AddTool(server, &mcp.Tool{Name: "strict", OutputSchema: strictSchema},
		returns[none](result.Failure(errOverLimit), strict{}, nil))
	result.AddTool(server, &mcp.Tool{Name: "read_only", Annotations: readOnly},
		returns[none, any](nil, nil, toolerr.Transient("m").WithEffect(toolerr.EffectUnknown)))
	type arguments struct {
		ID    string `json:"id"`
		Count int    `json:"count,omitempty"`
	}
	result.AddTool(server, &mcp.Tool{Name: "arguments"}, returns[arguments, any](nil, nil, nil))
}

type (
	// spiteful is an error whose methods panic.
	spiteful struct{}
	// explosive is a value that cannot be encoded.
	explosive struct{}
)

func (spiteful) Error() string                 { panic("no text") }
func (explosive) MarshalJSON() ([]byte, error) { panic("no JSON") }

// addBrokenTools adds tools that fail because of bugs.
func addBrokenTools(server *mcp.Server) {
	details := map[string]any{"c": make(chan int), "f": math.Inf(1), "e": explosive{}, "ok": 1}
	failedMeta := *result.Failure(errOverLimit)
	failedMeta.Meta = mcp.Meta{"a": explosive{}}
	for name, h := range map[string]toolFunc{
		"broken_error_method":   fails(spiteful{}),
		"broken_wrapped_method": fails(fmt.Errorf("x: %w", errors.Join(errors.New("a"), spiteful{}))),
		"broken_joined":         fails(errors.Join(errors.New("cleanup of "+secret), errOverLimit)),
		"broken_details":        fails(errOverLimit.WithDetails(details)),
		"broken_code_0":         fails(&jsonrpc.Error{Message: secret}),
		"broken_map":            func(context.Context) (*mcp.CallToolResult, error) { return writeToNil(nil), nil },
		"broken_panic_nil":      panics(nil),
		"broken_panic_value":    panics(spiteful{}),
		"broken_panic_ours":     panics(errOverLimit.WithRetryable(true)),
		"broken_structured":     answers(withStructured(make(chan int))),
		"broken_number":         answers(withStructured(map[string]any{"a": []any{math.NaN()}})),
		"broken_raw":            answers(withStructured(json.RawMessage(`{"half":`))),
		"broken_raw_repeated":   answers(withStructured(json.RawMessage(`{"half":`), block(`{"half":`))),
		"broken_marshal":        answers(withStructured(explosive{})),
		"broken_meta":           answers(&mcp.CallToolResult{Meta: mcp.Meta{"a": make(chan int)}}),
		"broken_block":          answers(withStructured(nil, nil)),
		"broken_text_block":     answers(withStructured(nil, (*mcp.TextContent)(nil))),
		"broken_priority": answers(withStructured(nil,
			&mcp.ImageContent{Annotations: &mcp.Annotations{Priority: math.NaN()}})),
		"broken_failure_meta": answers(&failedMeta),
		"foreign_json": answers(failed(`{"error":{"code":"rate_limited","message":"Too many searches.","retryable":true,` +
			`"retry_after_ms":7000}}`)),
		"slow":       waits(func(ctx context.Context) error { return fmt.Errorf("asking %s: %w", secret, ctx.Err()) }),
		"slow_cause": waits(context.Cause),
		"gave_up": func(ctx context.Context) (*mcp.CallToolResult, error) {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			return nil, ctx.Err()
		},
		"too_slow_upstream": func(ctx context.Context) (*mcp.CallToolResult, error) {
			ctx, cancel := context.WithTimeout(ctx, time.Millisecond)
			defer cancel()
			<-ctx.Done()
			return nil, ctx.Err()
		},
	} {
		addRaw(server, name, h)
	}
	mcp.AddTool(server, &mcp.Tool{Name: "every_keyword", InputSchema: json.RawMessage(everyKeyword)},
		returns[map[string]any, any](nil, nil, nil))
	// Without Handler, the SDK replaces the author's output with the zero output, and returns a
	// protocol error with code 0 if that does not fit the schema.
	mcp.AddTool(server, &mcp.Tool{Name: "overwritten"}, returns[none](
		flagged(withStructured(map[string]any{"code": "x"}, block("Out of stock."))), items{Items: []string{}}, nil))
	mcp.AddTool(server, &mcp.Tool{Name: "bad_output", OutputSchema: strictSchema}, returns[none](nil, strict{}, nil))
}

func writeToNil(m map[string]int) *mcp.CallToolResult {
	m["a"]++
	return result.OK(m)
}
