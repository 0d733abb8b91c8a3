package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/seeded"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An erratic error returns another text on every call, or only on the first.
type erratic struct {
	asked *int
	texts func(n int) string
	err   error
}

func (e erratic) Error() string { *e.asked++; return e.texts(*e.asked) }
func (e erratic) Unwrap() error { return e.err }

// The text of a cause is never sent, however often it changes, and whatever wraps the error or
// is between the handler and the middleware.
func TestMiddleware_ErraticCauses(t *testing.T) { //nolint:gocognit // one loop for each dimension
	t.Parallel()
	r := seeded.Rand()
	var fail error
	var make func(error) *mcp.CallToolResult
	var between func(*mcp.CallToolResult)
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(new(bytes.Buffer))), func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if called, ok := res.(*mcp.CallToolResult); ok && called != nil && between != nil {
				between(called)
			}
			return res, err
		}
	})
	typed := func(context.Context, *mcp.CallToolRequest, keyed) (*mcp.CallToolResult, any, error) {
		return nil, nil, fail
	}
	mcp.AddTool(server, &mcp.Tool{Name: "bare"}, typed)
	result.AddTool(server, &mcp.Tool{Name: "typed"}, typed)
	idempotency.AddTool(server, &mcp.Tool{Name: "keyed"}, nil, typed)
	raw := func(f func() (*mcp.CallToolResult, error)) mcp.ToolHandler {
		return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return f() }
	}
	server.AddTool(&mcp.Tool{Name: "raw", InputSchema: anything}, raw(func() (*mcp.CallToolResult, error) { return nil, fail }))
	server.AddTool(&mcp.Tool{Name: "failure", InputSchema: anything}, raw(func() (*mcp.CallToolResult, error) { return result.Failure(fail), nil }))
	server.AddTool(&mcp.Tool{Name: "set", InputSchema: anything}, raw(func() (*mcp.CallToolResult, error) { return make(fail), nil }))
	server.AddTool(&mcp.Tool{Name: "panic", InputSchema: anything}, raw(func() (*mcp.CallToolResult, error) { panic(fail) }))
	session := testutil.Connect(t, server, nil)
	set := func(err error) *mcp.CallToolResult { res := new(mcp.CallToolResult); res.SetError(err); return res }
	makes := map[string]func(error) *mcp.CallToolResult{
		"set": set,
		"after words": func(err error) *mcp.CallToolResult {
			res := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "The order is closed."}}}
			res.SetError(err)
			return res
		},
	}
	betweens := map[string]func(*mcp.CallToolResult){
		"nothing": nil,
		"note before": func(res *mcp.CallToolResult) {
			res.Content = append([]mcp.Content{&mcp.TextContent{Text: "a note"}}, res.Content...)
		},
		"note behind": func(res *mcp.CallToolResult) { res.Content = append(res.Content, &mcp.TextContent{Text: "a note"}) },
		"meta": func(res *mcp.CallToolResult) {
			for _, block := range res.Content {
				if text, ok := block.(*mcp.TextContent); ok {
					text.Meta = mcp.Meta{"seen": true}
				}
			}
		},
		"annotated": func(res *mcp.CallToolResult) {
			for _, block := range res.Content {
				if text, ok := block.(*mcp.TextContent); ok {
					text.Annotations = &mcp.Annotations{Priority: 1}
				}
			}
		},
	}
	planted, survived := 0, map[string]int{}
	for mode, texts := range map[string]func(mark string) func(int) string{
		"counts": func(mark string) func(int) string {
			return func(n int) string { return fmt.Sprint(mark, " asked ", n, " times") }
		},
		"once": func(mark string) func(int) string {
			return func(n int) string { return []string{mark, "not again"}[min(n-1, 1)] }
		},
		"later": func(mark string) func(int) string {
			return func(n int) string { return []string{"not found", mark}[min(n-1, 1)] }
		},
		"constant": func(mark string) func(int) string { return func(int) string { return mark + " not found" } },
		"sdk": func(mark string) func(int) string {
			return func(n int) string { return []string{`validating "arguments": ` + mark, mark}[n%2] }
		},
		"envelope": func(mark string) func(int) string {
			return func(n int) string {
				return fmt.Sprintf(`{"isError":true,"errorCategory":"business","isRetryable":false,"message":"%s %d"}`, mark, n)
			}
		},
	} {
		for wrapped, wrap := range map[string]func(error) error{
			"plain":   func(err error) error { return errors.New(err.Error()) },
			"itself":  func(err error) error { return err },
			"pointer": func(err error) error { e, _ := err.(erratic); return &e }, //nolint:errorlint // the very type
			"errorf":  func(err error) error { return fmt.Errorf("save: %w", err) },
			"join":    func(err error) error { return errors.Join(errors.New("one"), err) },
			"cause":   func(err error) error { return toolerr.Business("It is closed.").WithCause(err) },
			"around":  func(err error) error { return toolerr.Wrap(err, "It is closed.") },
		} {
			for placed, m := range makes {
				for how, b := range betweens {
					for _, tool := range []string{"bare", "typed", "keyed", "raw", "failure", "set", "panic"} {
						if tool != "set" && placed != "set" {
							continue
						}
						mark := coined(r, 16)
						fail, make, between = wrap(erratic{asked: new(int), texts: texts(mark)}), m, b
						res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"idempotency_key": mark[:1] + coined(r, 20)}})
						require.NoError(t, err)
						wire, err := json.Marshal(res)
						require.NoError(t, err)
						if planted++; strings.Contains(string(wire), mark) {
							name := strings.Join([]string{mode, wrapped, placed, how, tool}, ", ")
							if survived[mode+" "+wrapped+" "+how+" "+tool]++; len(survived) < 40 {
								t.Errorf("%s: %s", name, wire)
							}
						}
					}
				}
			}
		}
	}
	t.Logf("planted %d, survived %d: %v", planted, len(survived), survived)
}
