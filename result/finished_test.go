package result_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// hooked connects to a server with the tool t, handled by h, whose OnCall records the calls.
func hooked(opts *result.MiddlewareOptions, h mcp.ToolHandler) *mcp.Server {
	opts.Logger = slog.New(slog.DiscardHandler)
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(opts))
	server.AddTool(&mcp.Tool{Name: "t", InputSchema: map[string]any{"type": "object"}}, h)
	return server
}

func TestMiddlewareOptions_OnCall(t *testing.T) {
	t.Parallel()
	type call struct {
		Tool     string
		Kind     result.Kind
		Category toolerr.Category
		Code     toolerr.Code
	}
	for name, test := range map[string]struct {
		tool string
		h    mcp.ToolHandler
		want call
	}{
		"data": {"t", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return result.OK("x"), nil }, call{"t", result.KindData, "", ""}},
		"empty": {"t", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return result.Empty("No x.", nil), nil
		}, call{"t", result.KindEmpty, "", ""}},
		"failure": {
			"t", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, errors.New("x") },
			call{"t", result.KindFailure, toolerr.CategoryTransient, toolerr.CodeInternal},
		},
		"partial": {
			"t", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return nil, toolerr.Transient("x").WithCode(toolerr.CodeUnavailable).WithPartial(&toolerr.Partial{Processed: 1, Total: 2})
			},
			call{"t", result.KindPartial, toolerr.CategoryTransient, toolerr.CodeUnavailable},
		},
		"panic": {
			"t", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic("x") },
			call{"t", result.KindFailure, toolerr.CategoryTransient, toolerr.CodeInternal},
		},
		"protocol error": {
			"t", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return nil, &jsonrpc.Error{Code: -32099, Message: "x"}
			},
			call{"t", result.KindFailure, toolerr.CategoryTransient, toolerr.CodeInternal},
		},
		"no such tool": {"made_up", nil, call{"(unknown)", result.KindFailure, toolerr.CategoryValidation, toolerr.CodeNotFound}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []call
			server := hooked(&result.MiddlewareOptions{OnCall: func(_ context.Context, c result.FinishedCall) {
				one := call{Tool: c.Tool, Kind: c.Kind}
				if c.Err != nil {
					one.Category, one.Code = c.Err.Category, c.Err.Code
				}
				got = append(got, one)
				panic("a hook must not cost the answer")
			}}, test.h)
			_ = result.Parse(testutil.Connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: test.tool}))
			assert.Equal(t, []call{test.want}, got)
		})
	}
}

// Durations, measured on a fake clock, are counted in the right buckets.
func TestCounts_Durations(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		took := time.Duration(0)
		opts := &result.MiddlewareOptions{Counts: new(result.Counts)}
		server := hooked(opts, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			<-time.After(took)
			return result.OK("x"), nil
		})
		serverSide, clientSide := mcp.NewInMemoryTransports()
		ss, err := server.Connect(t.Context(), serverSide, nil)
		require.NoError(t, err)
		session, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, nil).Connect(t.Context(), clientSide, nil)
		require.NoError(t, err)
		for _, took = range []time.Duration{time.Millisecond, 10 * time.Millisecond, 11 * time.Millisecond, time.Second, time.Hour} {
			_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})
			require.NoError(t, err)
		}
		require.NoError(t, session.Close())
		require.NoError(t, ss.Wait())
		assert.Equal(t, []result.ToolCount{{Tool: "t", Calls: 5, Seconds: 3601.022, Durations: []result.DurationCount{
			{UpToSeconds: 0.01, Count: 2}, {UpToSeconds: 0.02, Count: 1}, {UpToSeconds: 1, Count: 1}, {Count: 1},
		}}}, opts.Counts.Snapshot().Tools)

		answer := httptest.NewRecorder()
		opts.Counts.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody))
		text := answer.Body.String()
		for _, line := range []string{
			`mcp_server_operation_duration_seconds_bucket{mcp_method_name="tools/call",gen_ai_tool_name="t",le="0.01"} 2`,
			`mcp_server_operation_duration_seconds_bucket{mcp_method_name="tools/call",gen_ai_tool_name="t",le="0.5"} 3`,
			`mcp_server_operation_duration_seconds_bucket{mcp_method_name="tools/call",gen_ai_tool_name="t",le="300"} 4`,
			`mcp_server_operation_duration_seconds_bucket{mcp_method_name="tools/call",gen_ai_tool_name="t",le="+Inf"} 5`,
			`mcp_server_operation_duration_seconds_sum{mcp_method_name="tools/call",gen_ai_tool_name="t"} 3601.022`,
			`mcp_server_operation_duration_seconds_count{mcp_method_name="tools/call",gen_ai_tool_name="t"} 5`,
		} {
			assert.Contains(t, strings.Split(text, "\n"), line)
		}
	})
}

// A code cannot escape from its quotes.
func TestCounts_PrometheusLabels(t *testing.T) {
	t.Parallel()
	opts := &result.MiddlewareOptions{Counts: new(result.Counts)}
	server := hooked(opts, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, toolerr.Business("m").WithCode("a\"} 1\nb\\")
	})
	_ = result.Parse(testutil.Connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
	answer := httptest.NewRecorder()
	opts.Counts.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody))
	lines := strings.Split(strings.TrimSpace(answer.Body.String()), "\n")
	assert.Equal(t, `toolerr_failures_total{gen_ai_tool_name="t",toolerr_category="business",toolerr_code="a\"} 1\nb\\"} 1`, slices.Max(lines))
	assert.Equal(t, "text/plain; version=0.0.4; charset=utf-8", answer.Header().Get("Content-Type"))
}

// Other middleware may answer calls of tools that are not listed. Their counts are bounded too.
func TestCounts_BoundedTools(t *testing.T) {
	t.Parallel()
	counts := new(result.Counts)
	handle := result.Middleware(&result.MiddlewareOptions{Counts: counts})(func(context.Context, string, mcp.Request) (mcp.Result, error) {
		return result.OK("x"), nil
	})
	for i := range 1100 {
		_, err := handle(t.Context(), "tools/call", &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: fmt.Sprintf("tool_%d", i)}})
		require.NoError(t, err)
	}
	s := counts.Snapshot()
	require.Len(t, s.Tools, 1001)
	assert.Equal(t, "(other)", s.Tools[0].Tool)
	assert.Equal(t, int64(100), s.Tools[0].Calls)
}

// The failure of a finished call is the one that is sent, with the members of the author's JSON.
func TestFinishedCall_Sent(t *testing.T) {
	t.Parallel()
	var finished *toolerr.Error
	server := hooked(&result.MiddlewareOptions{OnCall: func(_ context.Context, c result.FinishedCall) { finished = c.Err }},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			text := `{"code":"out_of_stock","message":"` + strings.Repeat("long ", 100) + `","warehouse":"B7"}`
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
		})
	out := result.Parse(testutil.Connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
	assert.Equal(t, map[string]any{"warehouse": "B7"}, finished.Details)
	assert.Equal(t, out.Err.Message, finished.Message)
	assert.Equal(t, out.Text(), string(finished.AppendJSON(nil)))
}
