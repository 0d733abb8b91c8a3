package result_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type (
	// ouroboros unwraps to itself.
	ouroboros struct{}
	// fickle returns another text on every call.
	fickle struct{ n *int }
)

func (ouroboros) Error() string   { return "round and round" }
func (e ouroboros) Unwrap() error { return e }

func (e fickle) Error() string { *e.n++; return fmt.Sprintf("query on 10.0.0.7 failed, take %d", *e.n) }

// Hostile errors and panics fail the call, but never end the server.
func TestMiddleware_HostileErrors(t *testing.T) {
	t.Parallel()
	endless := map[string]any{}
	endless["self"] = endless
	var end func() error
	session := failing(t, &result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler), Reveal: func(error) bool { return false }},
		func(context.Context) error { return end() })
	for name, e := range map[string]func() error{
		"unwraps to itself": func() error { return ouroboros{} },
		"fickle":            func() error { return fickle{new(int)} },
		"endless panic":     func() error { panic(endless) },
	} {
		end = e
		assert.Equal(t, "The tool failed unexpectedly.", callT(t, session).Message, name)
	}
}

// A rule or Reveal that panics is ignored. The error is logged.
func TestMiddleware_PanickingOptions(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	opts := logged(&log)
	opts.Reveal = func(error) bool { panic("a bug of Reveal") }
	session := failing(t, opts, func(context.Context) error { return context.DeadlineExceeded })
	e := callT(t, session)
	assert.Equal(t, "timeout unknown", string(e.Code)+" "+string(e.Effect))
	assert.Contains(t, log.String(), "a bug of Reveal")
	assert.Contains(t, log.String(), "context deadline exceeded")
}

// A tool list that blocks delays a failed call only briefly.
func TestMiddleware_BlockingToolList(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "t"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return nil, nil, errOverLimit
	})
	var lists atomic.Int64
	server.AddReceivingMiddleware(result.Middleware(logged(new(bytes.Buffer))), func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "tools/list" {
				lists.Add(1)
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return next(ctx, method, req)
		}
	})
	session := testutil.Connect(t, server, nil)
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
			assert.Equal(t, "Over the limit.", out.Err.Message)
		})
	}
	wg.Wait()
	assert.Less(t, lists.Load(), int64(10), "one waits for the list, for all")
}

// A tool that is not in the list is looked up once, not for every failed call.
func TestMiddleware_HiddenTool(t *testing.T) {
	t.Parallel()
	lists := 0
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, &mcp.ServerOptions{PageSize: 1})
	for i := range 150 {
		mcp.AddTool(server, &mcp.Tool{Name: fmt.Sprintf("t%d", i)}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
			return nil, nil, errOverLimit
		})
	}
	counts := new(result.Counts)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler), Counts: counts}), func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if list, ok := res.(*mcp.ListToolsResult); ok {
				lists++
				if list.Tools[0].Name == "t0" {
					list.Tools = nil
				}
			}
			return res, err
		}
	})
	session := testutil.Connect(t, server, nil)
	for range 5 {
		_ = result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t0"}))
		_ = result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t149"}))
	}
	assert.Equal(t, 150, lists, "one list, of as many pages as there are tools")
	assert.Equal(t, []result.FailureCount{
		{Tool: "(unknown)", Category: "business", Code: "limit_exceeded", Count: 5}, {Tool: "t149", Category: "business", Code: "limit_exceeded", Count: 5},
	}, counts.Snapshot().Failures)
}

type keyed struct {
	Key string `json:"idempotency_key,omitempty"`
}

// A failed security check fails the call and is logged. It is never read as data or as an
// empty result, whatever content is returned with its error.
func TestMiddleware_FailedSecurityCheck(t *testing.T) {
	t.Parallel()
	denied := toolerr.Permission("The signature is not valid.").WithCode(toolerr.CodePermissionDenied)
	var check func() error
	var beside *mcp.CallToolResult
	var log bytes.Buffer
	wire := new(testutil.Wire)
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(&log)))
	handler := func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, items, error) {
		err := check()
		return beside, items{Items: []string{"ORD-7"}}, err
	}
	result.AddTool(server, &mcp.Tool{Name: "typed"}, handler)
	mcp.AddTool(server, &mcp.Tool{Name: "bare"}, handler)
	idempotency.AddTool(server, &mcp.Tool{Name: "keyed"}, nil, func(ctx context.Context, req *mcp.CallToolRequest, _ keyed) (*mcp.CallToolResult, items, error) {
		return handler(ctx, req, none{})
	})
	server.AddTool(&mcp.Tool{Name: "raw", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return beside, check()
	})
	session := testutil.Connect(t, server, wire)
	for name, test := range map[string]struct {
		check func() error
		want  string
		logs  string
	}{
		"it says no":                  {func() error { return denied }, "permission permission_denied false", "level=WARN"},
		"it says no, wrapped":         {func() error { return fmt.Errorf("order: %w", denied) }, "permission permission_denied false", "level=WARN"},
		"it says no, and no rows":     {func() error { return errors.Join(sql.ErrNoRows, denied) }, "permission permission_denied false", "level=WARN"},
		"it cannot say":               {func() error { return errors.New("no key at 10.0.0.7") }, "transient internal false", "level=ERROR"},
		"it panics":                   {func() error { panic("no key at 10.0.0.7") }, "transient internal false", "level=ERROR"},
		"its error has a nil pointer": {func() error { return (*fs.PathError)(nil) }, "transient internal false", "level=ERROR"},
	} {
		for tool, arguments := range map[string]any{"typed": nil, "bare": nil, "raw": nil, "keyed": keyed{}} {
			for _, beside = range []*mcp.CallToolResult{nil, result.OK(items{Items: []string{"ORD-7"}}), result.Empty("No orders found.", nil)} {
				check = test.check
				log.Reset()
				out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments}))
				require.Equal(t, result.KindFailure, out.Kind, "%s, %s", name, tool)
				assert.Equal(t, test.want, fmt.Sprint(out.Err.Category, " ", out.Err.Code, " ", out.Err.Retryable), "%s, %s", name, tool)
				for _, never := range []string{"ORD-7", "No orders", "structuredContent", "10.0.0.7", "mcp-toolerr/kind"} {
					assert.NotContains(t, string(wire.Last()), never, "%s, %s", name, tool)
				}
				assert.Equal(t, 1, strings.Count(log.String(), "tool call failed"), "%s, %s", name, tool)
				assert.Contains(t, log.String(), test.logs, "%s, %s", name, tool)
			}
		}
	}
}

// Raw JSON is decoded only as far as necessary.
func TestMiddleware_RawJSON(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(new(bytes.Buffer))))
	for i, test := range rawJSON {
		server.AddTool(&mcp.Tool{Name: fmt.Sprintf("t%d", i), InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: test.text}}, StructuredContent: json.RawMessage(test.raw)}, nil
			})
	}
	session := testutil.Connect(t, server, nil)
	for i, test := range rawJSON {
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: fmt.Sprintf("t%d", i)})
		require.NoError(t, err, test.raw)
		assert.Equal(t, test.ok, !res.IsError, "%s beside %s", test.raw, test.text)
	}
}

var rawJSON = []struct {
	raw, text string
	ok        bool
}{
	{`{"a":1}`, `{"a":1}`, true},
	{`{"a":1}`, "other", true},
	{` {"a":1}` + "\n", "other", true},
	{`{}`, "{}", true},
	{`[1,2]`, "[1,2]", true},
	{`{'city': 'Hanoi'}`, `{'city': 'Hanoi'}`, false},
	{`['Hanoi']`, `['Hanoi']`, false},
	{`<html></html>`, `<html></html>`, false},
	{`{"a":1`, `{"a":1`, false},
	{`{"a":{"b":1}`, "other", false},
	{`{"a":"` + strings.Repeat("x", 20<<10) + `"}`, "other", true},
}
