package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"expvar"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// metrics returns the Prometheus lines, and their type.
func metrics(t *testing.T, counts *result.Counts) (lines []string, contentType string) {
	t.Helper()
	answer := httptest.NewRecorder()
	counts.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody))
	return strings.Split(strings.TrimSpace(answer.Body.String()), "\n"), answer.Header().Get("Content-Type")
}

// Tools and codes may come from other servers: they are bounded, and do not escape from their quotes.
func TestCounts_Bounded(t *testing.T) {
	t.Parallel()
	counts, opts := new(result.Counts), quiet()
	opts.Counts = counts
	var res *mcp.CallToolResult
	handle := result.Middleware(opts)(func(context.Context, string, mcp.Request) (mcp.Result, error) { return res, nil })
	call := func(tool string, r *mcp.CallToolResult) {
		res = r
		_, err := handle(t.Context(), "tools/call", &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: tool}})
		require.NoError(t, err)
	}
	for i := range 1100 {
		call(fmt.Sprintf("tool_%d", i), result.OK("x"))
		call("failing", result.Failure(toolerr.Business("m").WithCode(toolerr.Code(fmt.Sprintf("a\"} 1\nb\\\xff%d", i)))))
	}
	call("asking", wireResult(t, `{"resultType":"input_required","requestState":"s"}`))
	s := counts.Snapshot()
	lines, contentType := metrics(t, counts)
	assert.Contains(t, lines, `toolerr_calls_total{gen_ai_tool_name="(unknown)",toolerr_kind="failure",`+
		`toolerr_category="business",toolerr_code="a\"} 1\nb\\�0",toolerr_effect="none",toolerr_claim=""} 1`)
	assert.Equal(t, []string{"# HELP toolerr_calls_total Finished tool calls.", "# TYPE toolerr_calls_total counter"},
		lines[:2])
	assert.Equal(t, "text/plain; version=0.0.4; charset=utf-8", contentType)
	other := func(kind string, n int64) result.CallCount {
		return result.CallCount{Tool: "(other)", Kind: kind, Count: n}
	}
	assert.Equal(t, []result.CallCount{other("data", 600), other("failure", 600), other("input_required", 1)}, s[:3],
		"what is over 500 tools and 500 codes is counted as others")
	assert.Equal(t, "1003 counts", fmt.Sprint(len(s), " counts"))
}

func TestCounts(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	opts := logged(&log)
	opts.Counts = new(result.Counts)
	assert.Equal(t, "[]", opts.Counts.String())
	assert.Equal(t, "[]", (*result.Counts)(nil).String())
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	addTools(server, opts)
	session := testutil.Connect(t, server, nil)
	for _, name := range []string{
		"direct", "direct", "unknown", "empty", "raw_ok", "made_up", "made_up_too", "raw_protocol", "panic",
	} {
		callTool(t, session, name, nil)
	}
	want := []result.CallCount{
		{"(unknown)", "failure", toolerr.CategoryValidation, toolerr.CodeNotFound, toolerr.EffectNone, "", 2},
		{"direct", "failure", toolerr.CategoryBusiness, toolerr.CodeLimitExceeded, toolerr.EffectNone, "", 2},
		{"empty", "empty", "", "", "", "", 1},
		{"panic", "failure", toolerr.CategoryTransient, toolerr.CodeInternal, toolerr.EffectUnknown, "", 1},
		{"raw_ok", "data", "", "", "", "", 1},
		{"raw_protocol", "failure", toolerr.CategoryPermission, toolerr.CodePermissionDenied, toolerr.EffectNone, "", 1},
		{"unknown", "failure", toolerr.CategoryTransient, toolerr.CodeInternal, toolerr.EffectUnknown, "", 1},
	}
	assert.Equal(t, want, opts.Counts.Snapshot())
	var v expvar.Var = opts.Counts
	var got []result.CallCount
	require.NoError(t, json.Unmarshal([]byte(v.String()), &got))
	assert.Equal(t, want, got)
	assert.Equal(t, 7, strings.Count(log.String(), "tool call failed"), "one record for each failed call")
}
