package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// serverPaths returns the paths of a server: whole calls in memory, and parts of calls.
func serverPaths() []path {
	return slices.Concat(shownPaths(), successPaths(), logPaths(), failurePaths())
}

// jsonLogger encodes its records and discards them.
var jsonLogger = slog.New(slog.NewJSONHandler(io.Discard, nil))

// logged logs a failure, as a handler without the library would.
func logged(ctx context.Context, tool string, start time.Time, err error) {
	jsonLogger.LogAttrs(ctx, slog.LevelWarn, "tool call failed", slog.String("mcp.method.name", "tools/call"),
		slog.String("gen_ai.tool.name", tool),
		slog.String("error.type", "tool_error"), slog.Duration("duration", time.Since(start)), slog.Any("error", err))
}

// shownPaths returns paths with failures whose text is sent to the client.
func shownPaths() (all []path) {
	for _, size := range []int{300, 1 << 10, 16 << 10} {
		err := errors.New(strings.Repeat("ledger write for the batch of the third shift did not go through, and the worker "+
			"that held it has no more to say; ", 200)[:size])
		isError := func(context.Context, *mcp.CallToolRequest, refund) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}, nil, nil
		}
		returned := func(context.Context, *mcp.CallToolRequest, refund) (*mcp.CallToolResult, any, error) {
			return nil, nil, err
		}
		for _, of := range []struct {
			name   string
			reveal func(error) bool
			handle mcp.ToolHandlerFor[refund, any]
		}{{"IsError", nil, isError}, {"RevealAll", result.RevealAll, returned}} {
			byHand := func(ctx context.Context, req *mcp.CallToolRequest, in refund) (*mcp.CallToolResult, any, error) {
				start := time.Now()
				res, out, failed := of.handle(ctx, req, in)
				logged(ctx, req.Params.Name, start, err)
				return res, out, failed
			}
			all = append(all, path{
				name:  fmt.Sprintf("server: shown failure, %s, %s", of.name, bytesOf(size)),
				floor: wholeCall(nil, func(s *mcp.Server, t *mcp.Tool) { mcp.AddTool(s, t, byHand) }, order),
				ours: wholeCall(&result.MiddlewareOptions{Logger: jsonLogger, Reveal: of.reveal},
					func(s *mcp.Server, t *mcp.Tool) { result.AddTool(s, t, of.handle) }, order),
			})
		}
	}
	return all
}

// successPaths returns paths with successes whose JSON has members that failure reports have too.
func successPaths() (all []path) {
	const row = `{"id":"CUS-%d","name":"Ada Example","email":"ada%[1]d@example.com","available":true,"ok":true,` +
		`"details":{"tags":["a","b"],"notes":[]}}`
	for _, size := range []int{4 << 10, 16 << 10, 60 << 10} {
		var rows []string
		for n := 0; n < size-100; n += len(rows[len(rows)-1]) + 1 {
			rows = append(rows, fmt.Sprintf(row, len(rows)))
		}
		list := "[" + strings.Join(rows, ",") + "]"
		for _, s := range []struct{ member, text string }{
			{"email", `{"customers":` + list + `,"warnings":[]}`},
			{"available", `{"status":"ok","available":` + list + `}`},
			{"details", `{"status":"ok","details":` + list + `}`},
			{"ok", `{"ok":true,"email":"ada@example.com","details":{"rows":` + list + `}}`},
		} {
			answer := func() *mcp.CallToolResult {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s.text}}}
			}
			add := func(server *mcp.Server, t *mcp.Tool) {
				t.InputSchema = json.RawMessage(`{"type":"object"}`)
				server.AddTool(t, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return answer(), nil })
			}
			raw := []byte(s.text)
			valid := func() error {
				if !json.Valid(raw) {
					return errors.New("the answer is no JSON")
				}
				return nil
			}
			name := fmt.Sprintf("server: success with %q, %s", s.member, bytesOf(size))
			all = append(all,
				path{
					name: name + ", call", floor: wholeCall(nil, add, order),
					ours: wholeCall(&result.MiddlewareOptions{Logger: jsonLogger}, add, order),
				},
				path{
					name: name + ", handler", floor: valid, ours: handlerCall(true, answer, order),
					bare: handlerCall(false, answer, order),
				},
				path{name: name + ", Parse", floor: valid, ours: func() error {
					if kind := result.Parse(answer(), nil).Kind; kind != result.KindData {
						return fmt.Errorf("read as %v", kind)
					}
					return nil
				}},
			)
		}
	}
	return all
}

// logPaths returns paths that log failures: masked by the middleware, or unmasked by hand.
func logPaths() (all []path) {
	long := strings.Repeat("dial tcp 10.0.0.7:5432: connect: connection refused while writing order ORD-7714 (attempt 3 "+
		"of 5); ", 20)
	large := `{"order":"` + long[:1<<10] + `","a":"` + long[1:1<<10] + `","b":"` + long[2:1<<10] + `","c":"` +
		long[3:1<<10] + `","d":"` + long[4:1<<10] + `"}`
	for _, size := range []int{60, 1 << 10} {
		err := fmt.Errorf("save: %w", errors.New(long[:size-len("save: ")]))
		failed := failedResult(err)
		byHand := func() error {
			start := time.Now()
			jsonLogger.LogAttrs(context.Background(), slog.LevelError, "tool call failed",
				slog.String("mcp.method.name", "tools/call"),
				slog.String("gen_ai.tool.name", "refund"), slog.String("error.type", "tool_error"),
				slog.Duration("duration", time.Since(start)),
				slog.Attr{Key: "error", Value: slog.GroupValue(slog.String("category", "transient"),
					slog.String("code", "internal"), slog.Bool("retryable", false),
					slog.String("message", "The tool failed unexpectedly."), slog.String("effect", "unknown"),
					slog.String("correlation_id", "123456789012345678"),
					slog.String("cause", err.Error()))})
			return nil
		}
		for _, with := range []struct{ name, arguments string }{{"no arguments", `{}`}, {"five arguments", large}} {
			all = append(all, path{
				name:  fmt.Sprintf("server: log, cause of %s, %s", bytesOf(size), with.name),
				floor: byHand,
				ours:  handlerCall(true, failed, with.arguments),
				bare:  handlerOf(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}, failed, with.arguments),
			})
		}
	}
	return all
}

// failurePaths returns paths with failures: one with little to read, the others with much.
func failurePaths() []path {
	authored := toolerr.Business("The refund is over the limit of 500 EUR.").WithCode(toolerr.CodeLimitExceeded).
		WithHint("Hand over to a person.").WithCustomerMessage("A colleague will look at it.")
	var grown error
	for i := range 4096 {
		grown = errors.Join(grown, fmt.Errorf("item %d was not saved", i))
	}
	var parsed []error
	for range 16 {
		parsed = append(parsed, json.Unmarshal([]byte(`{"a":,}`), new(any)))
	}
	joined := errors.Join(parsed...)
	large := `{"order":"` + strings.Repeat("x", 4<<20) + `"}`
	handle := func(_ context.Context, _ *mcp.CallToolRequest, _ refund) (*mcp.CallToolResult, any, error) {
		return nil, nil, authored
	}
	byHand := func(ctx context.Context, req *mcp.CallToolRequest, in refund) (*mcp.CallToolResult, any, error) {
		start := time.Now()
		res, out, err := handle(ctx, req, in)
		logged(ctx, req.Params.Name, start, err)
		return res, out, err
	}
	wide := func(add func(*mcp.Server, *mcp.Tool, mcp.ToolHandlerFor[map[string]any, any])) func(*mcp.Server, *mcp.Tool) {
		return func(s *mcp.Server, t *mcp.Tool) {
			var properties []string
			for i := range 80 {
				properties = append(properties, fmt.Sprintf(`"property%d":{"type":"string","description":"The property number `+
					`%[1]d of the order."}`, i))
			}
			t.InputSchema = json.RawMessage(`{"type":"object","properties":{` + strings.Join(properties, ",") +
				`},"required":["property7"],"additionalProperties":false}`)
			add(s, t, func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
				return nil, nil, nil
			})
		}
	}
	const refused = `{"property7":7,"property9":"x"}`
	return []path{
		{
			name:  "server: authored failure, call",
			floor: wholeCall(nil, func(s *mcp.Server, t *mcp.Tool) { mcp.AddTool(s, t, byHand) }, order),
			ours: wholeCall(&result.MiddlewareOptions{Logger: jsonLogger},
				func(s *mcp.Server, t *mcp.Tool) { result.AddTool(s, t, handle) }, order),
		},
		{
			name: "server: grown join of 4096, own part",
			floor: func() error {
				if grown.Error() == "" {
					return errors.New("no text")
				}
				return nil
			},
			ours: handlerCall(true, failedResult(grown), order),
			bare: handlerCall(false, failedResult(grown), order),
		},
		{
			name:  "server: 16 syntax errors, arguments of 4 MB, handler",
			floor: handlerCall(false, failedResult(joined), large),
			ours:  handlerCall(true, failedResult(joined), large),
		},
		{
			name:  "server: refused arguments, 80 properties, call",
			floor: wholeCall(nil, wide(mcp.AddTool[map[string]any, any]), refused),
			ours:  wholeCall(&result.MiddlewareOptions{Logger: jsonLogger}, wide(result.AddTool[map[string]any, any]), refused),
		},
	}
}

// A refund is the input of the tools.
type refund struct {
	Order string `json:"order"`
}

const order = `{"order":"ORD-7714"}`

// wholeCall returns a function that calls a tool over an in-memory session. If opts is nil, the
// server has no middleware. The first call opens the session.
func wholeCall(opts *result.MiddlewareOptions, add func(*mcp.Server, *mcp.Tool), arguments string) func() error {
	ctx := context.Background()
	session := sync.OnceValues(func() (*mcp.ClientSession, error) {
		server := mcp.NewServer(&mcp.Implementation{Name: "paths", Version: "1"}, nil)
		if opts != nil {
			server.AddReceivingMiddleware(result.Middleware(opts))
		}
		add(server, &mcp.Tool{Name: "refund", Description: "Refunds an order."})
		near, far := mcp.NewInMemoryTransports()
		if _, err := server.Connect(ctx, far, nil); err != nil {
			return nil, err
		}
		return mcp.NewClient(&mcp.Implementation{Name: "paths", Version: "1"}, nil).Connect(ctx, near, nil)
	})
	return func() error {
		s, err := session()
		if err != nil {
			return err
		}
		_, err = s.CallTool(ctx, &mcp.CallToolParams{Name: "refund", Arguments: json.RawMessage(arguments)})
		return err
	}
}

// failedResult returns a function that returns the SDK's result for an error.
func failedResult(err error) func() *mcp.CallToolResult {
	return func() *mcp.CallToolResult {
		r := new(mcp.CallToolResult)
		r.SetError(err)
		return r
	}
}

// handlerCall returns a function that calls a handler directly, with or without the middleware.
func handlerCall(with bool, answer func() *mcp.CallToolResult, arguments string) func() error {
	if !with {
		return handlerOf(nil, answer, arguments)
	}
	return handlerOf(&result.MiddlewareOptions{Logger: jsonLogger}, answer, arguments)
}

// handlerOf is handlerCall with these options for the middleware; nil means no middleware.
func handlerOf(opts *result.MiddlewareOptions, answer func() *mcp.CallToolResult, arguments string) func() error {
	list := &mcp.ListToolsResult{Tools: []*mcp.Tool{{
		Name:        "refund",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"order":{"type":"string"}}}`),
	}}}
	req := &mcp.CallToolRequest{
		Session: new(mcp.ServerSession),
		Params:  &mcp.CallToolParamsRaw{Name: "refund", Arguments: json.RawMessage(arguments)},
	}
	handle := mcp.MethodHandler(func(_ context.Context, method string, _ mcp.Request) (mcp.Result, error) {
		if method == "tools/list" {
			return list, nil
		}
		return answer(), nil
	})
	if opts != nil {
		handle = result.Middleware(opts)(handle)
	}
	return func() error {
		_, err := handle(context.Background(), "tools/call", req)
		return err
	}
}

// bytesOf formats a size as B or KB.
func bytesOf(n int) string {
	if n < 1<<10 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%d KB", n>>10)
}
