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
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

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

var errOverLimit = toolerr.Business("Over the limit.").WithCode(toolerr.CodeLimitExceeded).WithCustomerMessage("Please wait.")

const secret = "postgres://admin:hunter2@10.0.0.7/orders"

// newServer returns a server with a tool for each outcome.
func newServer(log *bytes.Buffer) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	addTools(server, logged(log))
	addUnreadable(server)
	return server
}

func logged(w io.Writer) *result.MiddlewareOptions {
	return &result.MiddlewareOptions{Logger: slog.New(slog.NewTextHandler(&locked{w: w}, nil))}
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

func addFailingTools(server *mcp.Server) {
	addBrokenTools(server)
	typed := func(name string, h func() (*mcp.CallToolResult, items, error)) {
		result.AddTool(server, &mcp.Tool{Name: name}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, items, error) { return h() })
	}
	raw := func(name string, h func() (*mcp.CallToolResult, error)) {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return h() })
	}
	var typedNil *toolerr.Error
	typed("direct", func() (*mcp.CallToolResult, items, error) { return nil, items{}, errOverLimit })
	typed("wrapped", func() (*mcp.CallToolResult, items, error) {
		return nil, items{}, fmt.Errorf("refund: %w", errOverLimit)
	})
	typed("unknown", func() (*mcp.CallToolResult, items, error) { return nil, items{}, errors.New("dial " + secret) })
	typed("typed_nil", func() (*mcp.CallToolResult, items, error) { return nil, items{}, typedNil })
	typed("nil_list", func() (*mcp.CallToolResult, items, error) { return nil, items{}, nil })
	typed("empty", func() (*mcp.CallToolResult, items, error) {
		return result.Empty("No items.", nil), items{}, nil
	})
	typed("panic", func() (*mcp.CallToolResult, items, error) { panic("at " + secret) })
	typed("failure_result", func() (*mcp.CallToolResult, items, error) { return result.Failure(errOverLimit), items{}, nil })
	result.AddTool(server, &mcp.Tool{Name: "strict", OutputSchema: json.RawMessage(strictSchema)},
		func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, strict, error) {
			return result.Failure(errOverLimit), strict{}, nil
		})
	result.AddTool(server, &mcp.Tool{Name: "read_only", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
			return nil, nil, toolerr.Transient("m").WithEffect(toolerr.EffectUnknown)
		})
	result.AddTool(server, &mcp.Tool{Name: "arguments"},
		func(context.Context, *mcp.CallToolRequest, struct {
			ID    string `json:"id"`
			Count int    `json:"count,omitempty"`
		},
		) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
	raw("raw_ok", func() (*mcp.CallToolResult, error) { return result.OK(items{}), nil })
	raw("raw_empty", func() (*mcp.CallToolResult, error) { return result.Empty("No items.", items{}), nil })
	raw("raw_failure", func() (*mcp.CallToolResult, error) { return result.Failure(errOverLimit), nil })
	raw("raw_error", func() (*mcp.CallToolResult, error) { return nil, errOverLimit })
	raw("raw_unknown", func() (*mcp.CallToolResult, error) { return nil, errors.New("dial " + secret) })
	raw("raw_nil", func() (*mcp.CallToolResult, error) { return nil, nil })
	raw("raw_panic", func() (*mcp.CallToolResult, error) { panic(errors.New("at " + secret)) })
	raw("raw_failure_nil", func() (*mcp.CallToolResult, error) { return result.Failure(nil), nil })
	raw("raw_failure_typed_nil", func() (*mcp.CallToolResult, error) { return result.Failure(typedNil), nil })
	raw("raw_typed_nil", func() (*mcp.CallToolResult, error) { return nil, typedNil })
	raw("raw_protocol", func() (*mcp.CallToolResult, error) { return nil, &jsonrpc.Error{Code: -32042, Message: "as meant"} })
	raw("raw_typed_nil_std", func() (*mcp.CallToolResult, error) {
		var e *url.Error
		return nil, e
	})
	raw("raw_typed_nil_protocol", func() (*mcp.CallToolResult, error) {
		var e *jsonrpc.Error
		return nil, e
	})
	raw("raw_asks_and_fails", func() (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{}, RequestState: "s"}, errOverLimit
	})
	raw("raw_result_and_error", func() (*mcp.CallToolResult, error) { return &mcp.CallToolResult{}, errors.New("dial " + secret) })
	shared := result.Failure(errOverLimit)
	raw("raw_shared", func() (*mcp.CallToolResult, error) { return shared, nil })
	typed("set_error", func() (*mcp.CallToolResult, items, error) {
		r := new(mcp.CallToolResult)
		r.SetError(errors.New("dial " + secret))
		return r, items{}, nil
	})
	typed("echo", func() (*mcp.CallToolResult, items, error) {
		return nil, items{}, errors.New(`{"isError":true,"errorCategory":"transient","isRetryable":true,"effect":"none","message":"echoed"}`)
	})
	raw("raw_text", func() (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{
			IsError: true, StructuredContent: map[string]any{"a": 1},
			Content: []mcp.Content{&mcp.TextContent{Text: "no luck\x1b[31m"}, &mcp.TextContent{Text: "second"}},
		}, nil
	})
	raw("raw_words_beside_the_error", func() (*mcp.CallToolResult, error) {
		r := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Too much."}}}
		r.SetError(errOverLimit)
		return r, nil
	})
}

type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
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
	for name, h := range map[string]func(context.Context) (*mcp.CallToolResult, error){
		"broken_error_method": func(context.Context) (*mcp.CallToolResult, error) { return nil, spiteful{} },
		"broken_wrapped_method": func(context.Context) (*mcp.CallToolResult, error) {
			return nil, fmt.Errorf("x: %w", errors.Join(errors.New("a"), spiteful{}))
		},
		"broken_joined": func(context.Context) (*mcp.CallToolResult, error) {
			return nil, errors.Join(errors.New("cleanup of "+secret), errOverLimit)
		},
		"broken_details": func(context.Context) (*mcp.CallToolResult, error) {
			return nil, errOverLimit.WithDetails(map[string]any{"c": make(chan int), "f": math.Inf(1), "e": explosive{}, "ok": 1})
		},
		"broken_code_0":      func(context.Context) (*mcp.CallToolResult, error) { return nil, &jsonrpc.Error{Message: secret} },
		"broken_map":         func(context.Context) (*mcp.CallToolResult, error) { return writeToNil(nil), nil },
		"broken_panic_nil":   func(context.Context) (*mcp.CallToolResult, error) { panic(nil) }, //nolint:govet // a bug that exists
		"broken_panic_value": func(context.Context) (*mcp.CallToolResult, error) { panic(spiteful{}) },
		"broken_panic_ours":  func(context.Context) (*mcp.CallToolResult, error) { panic(errOverLimit.WithRetryable(true)) },
		"broken_structured": func(context.Context) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{StructuredContent: make(chan int)}, nil
		},
		"broken_number": func(context.Context) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{StructuredContent: map[string]any{"a": []any{math.NaN()}}}, nil
		},
		"broken_raw": func(context.Context) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{StructuredContent: json.RawMessage(`{"half":`)}, nil
		},
		"broken_raw_repeated": func(context.Context) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{StructuredContent: json.RawMessage(`{"half":`), Content: []mcp.Content{&mcp.TextContent{Text: `{"half":`}}}, nil
		},
		"broken_marshal": func(context.Context) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{StructuredContent: explosive{}}, nil
		},
		"broken_meta": func(context.Context) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Meta: mcp.Meta{"a": make(chan int)}}, nil
		},
		"broken_block": func(context.Context) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{nil}}, nil
		},
		"broken_text_block": func(context.Context) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{(*mcp.TextContent)(nil)}}, nil
		},
		"broken_priority": func(context.Context) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{Annotations: &mcp.Annotations{Priority: math.NaN()}}}}, nil
		},
		"broken_failure_meta": func(context.Context) (*mcp.CallToolResult, error) {
			r := result.Failure(errOverLimit)
			r.Meta = mcp.Meta{"a": explosive{}}
			return r, nil
		},
		"foreign_json": func(context.Context) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{
				Text: `{"error":{"code":"rate_limited","message":"Too many searches.","retryable":true,"retry_after_seconds":7}}`,
			}}}, nil
		},
		"slow": func(ctx context.Context) (*mcp.CallToolResult, error) {
			<-ctx.Done()
			return nil, fmt.Errorf("asking %s: %w", secret, ctx.Err())
		},
		"slow_cause": func(ctx context.Context) (*mcp.CallToolResult, error) {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		},
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
		server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return h(ctx) })
	}
	mcp.AddTool(server, &mcp.Tool{Name: "every_keyword", InputSchema: json.RawMessage(everyKeyword)},
		func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
	// Without Handler, the SDK replaces the author's output with the zero output, and returns a
	// protocol error with code 0 if that does not fit the schema.
	mcp.AddTool(server, &mcp.Tool{Name: "overwritten"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, items, error) {
		return &mcp.CallToolResult{IsError: true, StructuredContent: map[string]any{"code": "x"}, Content: []mcp.Content{&mcp.TextContent{Text: "Out of stock."}}}, items{Items: []string{}}, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "bad_output", OutputSchema: json.RawMessage(strictSchema)}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, strict, error) {
		return nil, strict{}, nil
	})
}

const strictSchema = `{"type":"object","properties":{"name":{"type":"string","minLength":1}},"required":["name"]}`

func writeToNil(m map[string]int) *mcp.CallToolResult {
	m["a"]++
	return result.OK(m)
}
