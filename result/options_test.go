package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"expvar"
	"fmt"
	"io/fs"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// failing connects to a server with one tool, "t", that returns the error of h.
func failing(t *testing.T, opts *result.MiddlewareOptions, h func(context.Context) error) *mcp.ClientSession {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(opts))
	result.AddTool(server, &mcp.Tool{Name: "t"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, items, error) {
		return nil, items{}, h(ctx)
	})
	return testutil.Connect(t, server, nil)
}

func callT(t *testing.T, session *mcp.ClientSession) *toolerr.Error {
	t.Helper()
	out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
	require.Equal(t, result.KindFailure, out.Kind)
	return out.Err
}

// sentT returns the failure of the tool "t" as it is sent: Parse also reads its message.
func sentT(t *testing.T, session *mcp.ClientSession) *toolerr.Error {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})
	require.NoError(t, err)
	require.NotEmpty(t, res.Content)
	text, ok := res.Content[0].(*mcp.TextContent)
	require.True(t, ok)
	e := new(toolerr.Error)
	require.NoError(t, e.UnmarshalJSON([]byte(text.Text)))
	return e
}

var errSoldOut = errors.New("all 3 seats are sold out")

func TestMiddlewareOptions_Reveal(t *testing.T) {
	t.Parallel()
	var err error
	session := failing(t, &result.MiddlewareOptions{
		Logger: slog.New(slog.DiscardHandler),
		Reveal: func(err error) bool { return errors.Is(err, errSoldOut) },
	}, func(context.Context) error { return err })
	for _, test := range []struct {
		err     error
		message string
		code    toolerr.Code
	}{
		{errSoldOut, "all 3 seats are sold out", ""},
		{fmt.Errorf("booking: %w", errSoldOut), "booking: all 3 seats are sold out", ""},
		{errors.Join(fs.ErrNotExist, errSoldOut), "file does not exist\nall 3 seats are sold out", toolerr.CodeNotFound},
		{errors.New(secret), "The tool failed unexpectedly.", toolerr.CodeInternal},
		{toolerr.Wrap(errSoldOut, "No seats."), "No seats.", toolerr.CodeInternal}, // the author's own words stay
	} {
		err = test.err
		e := sentT(t, session)
		assert.Equal(t, test.message, e.Message)
		assert.Equal(t, test.code, e.Code)
		assert.False(t, e.Retryable, "its text says nothing of a repeat")
	}
}

func TestMiddlewareOptions_Rules(t *testing.T) {
	t.Parallel()
	var err error
	soldOut := toolerr.Business("The flight is sold out.").WithCode("sold_out")
	session := failing(t, &result.MiddlewareOptions{
		Logger: slog.New(slog.DiscardHandler),
		Reveal: func(error) bool { return true },
		Rules: []toolerr.Rule{
			func(err error) (*toolerr.Error, bool) { return soldOut, errors.Is(err, errSoldOut) },
			func(err error) (*toolerr.Error, bool) { return nil, errors.Is(err, fs.ErrClosed) },
			func(err error) (*toolerr.Error, bool) {
				if errors.Is(err, fs.ErrInvalid) {
					panic("a rule with a bug")
				}
				return nil, false
			},
		},
	}, func(context.Context) error { return err })
	for _, test := range []struct {
		err     error
		message string
		code    toolerr.Code
	}{
		{errSoldOut, "The flight is sold out.", "sold_out"},
		{fmt.Errorf("booking: %w", errSoldOut), "The flight is sold out.", "sold_out"},
		{fs.ErrClosed, "The tool reported a failure without an error.", toolerr.CodeInternal},
		{fs.ErrInvalid, "The input is malformed or not allowed.", toolerr.CodeInvalidArgument}, // as if there were no such rule
		{errors.New("anything else"), "anything else", ""},
	} {
		err = test.err
		e := callT(t, session)
		assert.Equal(t, test.message, e.Message)
		assert.Equal(t, test.code, e.Code)
	}
}

// The options apply to results of Failure too.
func TestMiddlewareOptions_FailedResults(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{
		Logger: slog.New(slog.DiscardHandler),
		Rules: []toolerr.Rule{func(err error) (*toolerr.Error, bool) {
			return toolerr.Business("Sold out."), errors.Is(err, errSoldOut)
		}},
	}))
	result.AddTool(server, &mcp.Tool{Name: "t"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, items, error) {
		res := result.Failure(errSoldOut)
		res.Meta = mcp.Meta{"seats": 0}
		return res, items{}, nil
	})
	out := result.Parse(testutil.Connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
	assert.Equal(t, "Sold out.", out.Err.Message)
	assert.Contains(t, out.Result.Meta, "seats")
}

func TestMiddlewareOptions_Timeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var h func(context.Context) error
		session := failing(t, &result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler), Timeout: 30 * time.Millisecond},
			func(ctx context.Context) error { return h(ctx) })
		own := toolerr.Transient("The report is still being made.").WithCode("not_ready")
		for name, test := range map[string]struct {
			h       func(context.Context) error
			message string
		}{
			"heeds it":                 {func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, "The tool did not finish within its time limit of 30ms."},
			"takes it for cancelled":   {func(ctx context.Context) error { <-ctx.Done(); return context.Canceled }, "The tool did not finish within its time limit of 30ms."},
			"has words of its own":     {func(ctx context.Context) error { <-ctx.Done(); return own }, "The report is still being made."},
			"fails earlier":            {func(context.Context) error { return context.DeadlineExceeded }, "No answer came in time."},
			"fails of something later": {func(ctx context.Context) error { <-ctx.Done(); return errSoldOut }, "The tool failed unexpectedly."},
		} {
			h = test.h
			assert.Equal(t, test.message, callT(t, session).Message, name)
		}
		// One that ignores its context is waited for.
		h = func(context.Context) error { <-time.After(60 * time.Millisecond); return nil }
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
		require.NoError(t, out.AsError())
	})
}

func TestCounts(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	opts := logged(&log)
	opts.Counts = new(result.Counts)
	assert.JSONEq(t, `{"calls":0,"failed":0,"tools":[],"failures":[]}`, opts.Counts.String())
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	addTools(server, opts)
	session := testutil.Connect(t, server, nil)
	for _, name := range []string{"direct", "direct", "unknown", "empty", "raw_ok", "made_up", "made_up_too", "raw_protocol", "panic"} {
		_ = result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: name}))
	}
	want := result.CountsSnapshot{Calls: 9, Failed: 7, Failures: []result.FailureCount{
		{Tool: "(unknown)", Category: toolerr.CategoryValidation, Code: toolerr.CodeNotFound, Count: 2},
		{Tool: "direct", Category: toolerr.CategoryBusiness, Code: toolerr.CodeLimitExceeded, Count: 2},
		{Tool: "panic", Category: toolerr.CategoryTransient, Code: toolerr.CodeInternal, Count: 1},
		{Tool: "raw_protocol", Category: toolerr.CategoryPermission, Code: toolerr.CodePermissionDenied, Count: 1},
		{Tool: "unknown", Category: toolerr.CategoryTransient, Code: toolerr.CodeInternal, Count: 1},
	}}
	for _, name := range []string{"(unknown)", "direct", "empty", "panic", "raw_ok", "raw_protocol", "unknown"} {
		want.Tools = append(want.Tools, result.ToolCount{Tool: name, Calls: 1, Failed: 1})
	}
	want.Tools[0].Calls, want.Tools[0].Failed = 2, 2
	want.Tools[1].Calls, want.Tools[1].Failed = 2, 2
	want.Tools[2].Failed, want.Tools[4].Failed = 0, 0
	timeless := func(s result.CountsSnapshot) result.CountsSnapshot {
		for i, tool := range s.Tools {
			assert.Positive(t, tool.Seconds)
			var calls int64
			for _, d := range tool.Durations {
				calls += d.Count
			}
			assert.Equal(t, tool.Calls, calls)
			s.Tools[i].Seconds, s.Tools[i].Durations = 0, nil
		}
		return s
	}
	assert.Equal(t, want, timeless(opts.Counts.Snapshot()))
	var v expvar.Var = opts.Counts
	var got result.CountsSnapshot
	require.NoError(t, json.Unmarshal([]byte(v.String()), &got))
	assert.Equal(t, want, timeless(got))
	assert.Contains(t, v.String(), `{"tool":"panic","errorCategory":"transient","code":"internal","count":1}`)
	assert.Equal(t, int64(7), int64(bytes.Count(log.Bytes(), []byte("tool call failed"))), "one record for each failed call")
	var none *result.Counts
	assert.JSONEq(t, `{"calls":0,"failed":0,"tools":[],"failures":[]}`, none.String())
}

// The number of counted codes is bounded, because codes may come from other servers.
func TestCounts_Bounded(t *testing.T) {
	t.Parallel()
	counts, n := new(result.Counts), 0
	session := failing(t, &result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler), Counts: counts}, func(context.Context) error {
		n++
		return toolerr.Business("m").WithCode(toolerr.Code(fmt.Sprintf("code_%d", n)))
	})
	for range 1100 {
		_ = callT(t, session)
	}
	s := counts.Snapshot()
	assert.Equal(t, int64(1100), s.Failed)
	assert.Len(t, s.Failures, 1001)
	assert.Equal(t, result.FailureCount{Tool: "(other)", Count: 100}, s.Failures[0])
}

// The log record of each kind of failure.
func TestMiddleware_LogRecords(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	addTools(server, &result.MiddlewareOptions{Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	session := testutil.Connect(t, server, nil)
	type record struct {
		Level  string `json:"level"`
		Method string `json:"mcp.method.name"`
		Tool   string `json:"gen_ai.tool.name"`
		Type   string `json:"error.type"`
		Took   int64  `json:"duration"`
		Advice string `json:"advice"`
		Stack  string `json:"stack"`
		Error  struct {
			Category      string `json:"category"`
			Code          string `json:"code"`
			Cause         string `json:"cause"`
			Retryable     *bool  `json:"retryable"`
			CorrelationID string `json:"correlation_id"`
		} `json:"error"`
	}
	read := func(tool string) record {
		log.Reset()
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool}))
		var r record
		require.NoError(t, json.Unmarshal(log.Bytes(), &r), "%s: %s", tool, log.String())
		assert.Equal(t, "tools/call", r.Method)
		assert.Equal(t, tool, r.Tool)
		assert.Positive(t, r.Took, tool)
		assert.NotNil(t, r.Error.Retryable, tool)
		assert.Equal(t, out.Err.CorrelationID, r.Error.CorrelationID, tool)
		assert.Equal(t, string(out.Err.Category)+string(out.Err.Code), r.Error.Category+r.Error.Code, tool)
		return r
	}
	r := read("direct")
	assert.Equal(t, "WARN tool_error", r.Level+" "+r.Type)
	assert.Empty(t, r.Advice, "classified by its author")
	r = read("unknown")
	assert.Equal(t, "ERROR tool_error", r.Level+" "+r.Type)
	assert.Equal(t, "dial postgres://admin:[masked]@10.0.0.7/orders", r.Error.Cause)
	assert.Contains(t, r.Advice, "toolerr.Business, Validation, Permission or Transient")
	assert.Contains(t, read("raw_text").Advice, "return an error made with toolerr.")
	assert.Contains(t, read("bad_output").Advice, "result.AddTool")
	r = read("panic")
	assert.Contains(t, r.Stack, "tools_test.go")
	assert.Empty(t, r.Advice)
	r = read("broken_marshal")
	assert.Contains(t, r.Error.Cause, "panic: no JSON")
	assert.Contains(t, r.Stack, "MarshalJSON")
	assert.Equal(t, "WARN -32602", func() string { r := read("no_such_tool"); return r.Level + " " + r.Type }())
	assert.Equal(t, "-32042", read("raw_protocol").Type)
}

// Categories are logged and counted separately, so that each can have its own alert.
func TestMiddleware_CategoriesLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	var err error
	counts := new(result.Counts)
	session := failing(t, &result.MiddlewareOptions{Logger: slog.New(slog.NewJSONHandler(&log, nil)), Counts: counts}, func(context.Context) error { return err })
	want := map[toolerr.Category]int64{
		toolerr.CategoryTransient: 4, toolerr.CategoryValidation: 3, toolerr.CategoryBusiness: 2, toolerr.CategoryPermission: 1,
	}
	for category, n := range want {
		err = &toolerr.Error{Category: category, Message: "m"}
		for range n {
			_ = callT(t, session)
		}
	}
	logged, counted := map[toolerr.Category]int64{}, map[toolerr.Category]int64{}
	for line := range bytes.Lines(log.Bytes()) {
		var r struct {
			Error struct {
				Category toolerr.Category `json:"category"`
			} `json:"error"`
		}
		require.NoError(t, json.Unmarshal(line, &r))
		logged[r.Error.Category]++
	}
	for _, f := range counts.Snapshot().Failures {
		counted[f.Category] += f.Count
	}
	assert.Equal(t, want, logged)
	assert.Equal(t, want, counted)
}

// If a logger panics, the call is still answered.
func TestMiddleware_PanickingLogger(t *testing.T) {
	t.Parallel()
	session := failing(t, &result.MiddlewareOptions{Logger: slog.New(panicky{slog.DiscardHandler})}, func(context.Context) error { return errOverLimit })
	assert.Equal(t, toolerr.CodeLimitExceeded, callT(t, session).Code)
}

type panicky struct{ slog.Handler }

func (panicky) Enabled(context.Context, slog.Level) bool { panic("no log") }
