package desk

import (
	"encoding/json"
	"expvar"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Tools and codes may come from other servers: they are bounded, and do not escape from their quotes.
func TestCounts(t *testing.T) {
	t.Parallel()
	counts := new(Counts)
	assert.Equal(t, "[]", counts.String())
	for i := range 1100 {
		counts.Add(t.Context(), result.FinishedCall{Tool: fmt.Sprintf("tool_%d", i), Kind: result.KindData})
		code := toolerr.Code(fmt.Sprintf("a\"} 1\nb\\\xff%d", i))
		counts.Add(t.Context(), result.FinishedCall{
			Tool: "failing", Kind: result.KindFailure, Err: toolerr.Business("m").WithCode(code),
		})
	}
	s := counts.Snapshot()
	assert.Equal(t, []CallCount{
		{Tool: "(other)", Kind: "data", Count: 600}, {Tool: "(other)", Kind: "failure", Count: 600},
	}, s[:2], "what is over 500 tools and 500 codes is counted as others")
	assert.Len(t, s, 1002)
	answer := httptest.NewRecorder()
	counts.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody))
	lines := strings.Split(strings.TrimSpace(answer.Body.String()), "\n")
	assert.Contains(t, lines, `toolerr_calls_total{gen_ai_tool_name="failing",toolerr_kind="failure",`+
		`toolerr_category="business",toolerr_code="a\"} 1\nb\\�0",toolerr_effect="none",toolerr_claim=""} 1`)
	assert.Equal(t, []string{"# HELP toolerr_calls_total Finished tool calls.", "# TYPE toolerr_calls_total counter"},
		lines[:2])
	assert.Equal(t, "text/plain; version=0.0.4; charset=utf-8", answer.Header().Get("Content-Type"))

	few := new(Counts)
	few.Add(t.Context(), result.FinishedCall{Tool: "empty", Kind: result.KindEmpty})
	var v expvar.Var = few
	var got []CallCount
	require.NoError(t, json.Unmarshal([]byte(v.String()), &got))
	assert.Equal(t, []CallCount{{Tool: "empty", Kind: "empty", Count: 1}}, got)
}
