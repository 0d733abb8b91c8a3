package foreign_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// kindOf describes the result of [foreign.Success].
func kindOf(sample string) string {
	e, empty := foreign.Success(text(sample))
	switch {
	case empty:
		return "empty"
	case e == nil:
		return "data"
	case e.Partial != nil:
		return fmt.Sprintf("partial %d of %d", e.Partial.Processed, e.Partial.Total)
	}
	return strings.TrimSpace("failure " + string(e.Category))
}

// Only a result that contains nothing but the report is a failure.
func TestSuccess_Forms(t *testing.T) {
	t.Parallel()
	for sample, want := range map[string]string{
		// Reports.
		`{"error":"Not Found","service":"crm","request_id":"r1"}`:                                               "failure validation",
		`{"error":{"code":-32000,"message":"quota exceeded"},"id":7,"jsonrpc":"2.0"}`:                           "failure business",
		`{"success":false,"error":"permission denied","output":"ls: /root\npermission denied"}`:                 "failure permission",
		`{"created":5,"failed":2,"errors":[{"row":6,"message":"invalid"},{"row":7,"message":"duplicate"}]}`:     "partial 5 of 7",
		`{"created":1700000000,"failed":2}`:                                                                     "data",
		`{"success":false,"message":"User 7 not found"}`:                                                        "failure validation",
		`{"status":"error","message":"Something odd"}`:                                                          "failure",
		`{"timestamp":"2026-01-01","status":404,"error":"Not Found","path":"/x"}`:                               "failure validation",
		`{"message":"Not Found","documentation_url":"https://docs","status":"404"}`:                             "failure validation",
		`{"type":"about:blank","title":"Forbidden","status":403,"detail":"no"}`:                                 "failure permission",
		`{"detail":"Authentication credentials were not provided."}`:                                            "failure permission",
		`{"errorMessage":"timed out","errorType":"TimeoutError"}`:                                               "failure transient",
		`{"data":null,"errors":[{"message":"no such field x","locations":[{"line":1}]}]}`:                       "failure validation",
		`{"isError":true,"errorCategory":"business","isRetryable":true,"code":"x","message":"m","hint":"pay!"}`: "failure business",
		// Data.
		`{"id":7,"name":"nightly","state":"failed","error":"disk full"}`:  "data",
		`{"error":"x","content":"the text of a file"}`:                    "data",
		`{"error":"warning","stdout":"1\n2\n3\n4\n5\n6\n7\n8\n9\n10"}`:    "data",
		`{"error":"x","rows":[[1,2]]}`:                                    "data",
		`{"error":"timeout","count":14}`:                                  "data",
		`{"success":false,"score":3,"answers":["a"]}`:                     "data",
		`{"success":false,"message":"Tests: the board is down"}`:          "data",
		`{"status":"failed","message":"Deployment denied by reviewer"}`:   "data",
		`{"status":404,"url":"https://x","body":"Not Found"}`:             "data",
		`{"error":"` + strings.Repeat("x", 70<<10) + `","rows":[1]}`:      "data",
		`{"items":[{"id":1,"error":null},{"id":2,"error":"late"}]}`:       "data",
		`{"results":[{"error":"not_found"},{"error":"not_found"}]}`:       "data",
		`{"next":"p2","truncated":true,"items":[1]}`:                      "data",
		`{"IsTruncated":true,"NextContinuationToken":"x","Contents":[1]}`: "data",
		`{"passed":["a"],"failed":["b"]}`:                                 "data",
		`{"tests":5,"succeeded":3,"failed":2}`:                            "data",
		"Uploaded 5 files: 3 succeeded, 2 failed":                         "data",
		`{"truncated":true,"items":[1,2]}`:                                "data",
		"No vulnerabilities found in 120 packages.":                       "data",
		`{"user_id":"U1","name":"Ann","orders":[]}`:                       "data",
		`{"results":[],"warnings":["the index is being rebuilt"]}`:        "data",
		// Parts.
		`{"created":[{"id":1}],"failed":[{"id":2,"error":"exists"}],"operation":"import"}`:   "partial 1 of 2",
		`{"data":[{"id":1},{"id":2}],"fetch_errors":[{"source":"b","message":"timed out"}]}`: "partial 2 of 3",
		`{"results":[{"id":1,"title":"a"},{"id":2,"error":"not found"}]}`:                    "partial 1 of 2",
		`{"status":"partial_success","results":{"a":{"status":"success"}}}`:                  "partial 0 of 0",
		`{"succeeded":3,"failed":2,"message":"done"}`:                                        "partial 3 of 5",
		// Empties.
		`{"data":{"statements":[{"rows":[],"count":0}],"source_id":"s"},"ok":true}`: "empty",
		`{"pages":[{"items":[]},{"items":[]}],"total":0}`:                           "empty",
		`[[]]`: "empty",
		`{"status":"success","message":"No rows found."}`: "empty",
		"暂无数据": "empty",
		"No open pull requests match the filter.":                     "empty",
		`{"total":0,"orders":[],"search_conditions":{"keyword":"x"}}`: "empty",
		`{"resultSizeEstimate":0,"messages":[]}`:                      "empty",
		`{"id":"u1","name":"Ann","labels":[],"open_count":0}`:         "data",
		`{"count":0,"errors":[]}`:                                     "data",
	} {
		assert.Equal(t, want, kindOf(sample), "%.200s", sample)
	}
}

// No member of an unflagged result may influence the agent.
func TestSuccess_UntrustedMembers(t *testing.T) {
	t.Parallel()
	for _, sample := range []string{
		`{"success":false,"error":"rate limited","isRetryable":true,"retry_after":5,"hint":"pay","customerMessage":"pay","options":["a"],"suggestions":["b"]}`,
		`{"isError":true,"errorCategory":"transient","isRetryable":true,"retryAfterMs":5,"message":"m","hint":"pay","customerMessage":"pay","options":["a"],"suggestions":["b"]}`,
		`{"error":"overloaded","retryable":true,"hint":"pay","effect":"none"}`,
		`{"succeeded":[1],"failed":[{"error":"x"}],"continueFrom":"x","hint":"pay"}`,
	} {
		e, _ := foreign.Success(text(sample))
		require.NotNil(t, e, sample)
		assert.False(t, e.Retryable, sample)
		assert.Zero(t, e.RetryAfter, sample)
		assert.Empty(t, e.Hint+e.CustomerMessage, sample)
		assert.Empty(t, e.Options, sample)
		assert.Empty(t, e.Suggestions, sample)
		assert.NotEqual(t, toolerr.EffectNone, e.Effect, sample)
		if e.Partial != nil {
			assert.Nil(t, e.Partial.ContinueFrom, sample)
		}
	}
}

// A report in a text may be an argument that is echoed: it may forbid a retry, but never
// allows one. Without a prefix, or in a known frame, it is the whole text.
func TestText_EmbeddedReport(t *testing.T) {
	t.Parallel()
	for sample, want := range map[string]string{
		`API error: {"error":{"type":"overloaded_error","message":"x"}}`:                        "transient false",
		`Error 529 - {"type":"overloaded_error"}`:                                               "transient true",
		`Request failed: {"code":"NOT_FOUND","message":"x"}`:                                    "validation false",
		`Error: {"message":"Insufficient credits","status":402}`:                                "business false",
		`Could not handle the input: {"error":{"type":"overloaded_error"}}`:                     "transient false",
		`Bad argument: {"error":"rate_limited"}`:                                                "validation false",
		`Failed to get the price: {"rt_cd":"1","msg_cd":"EGW00201","msg1":"초당 거래건수를 초과하였습니다."}`: "transient false",
		`Failed to send: {"message":"rate limit exceeded"}`:                                     "transient false",
		`API error: {"isRetryable":true,"message":"x"}`:                                         " false",
		`API error: {"code":"rate_limited","message":"Upgrade to a higher plan"}`:               "business false",
	} {
		e, _ := foreign.Failure(text(sample))
		assert.Equal(t, want, fmt.Sprint(e.Category, " ", e.Retryable), sample)
	}
}

// Memory is limited by the size of an envelope, not by that of the result.
func TestFailure_Memory(t *testing.T) { //nolint:paralleltest // it measures memory
	const size = 20 << 20
	for name, sample := range map[string]string{
		"a list":           `{"error":[` + strings.Repeat("1,", size/2) + `1]}`,
		"objects":          `{"message":"not found","items":[` + strings.Repeat(`{"a":1},`, size/8) + `{}]}`,
		"members":          `{` + strings.Repeat(`"a":1,`, size/6) + `"message":"not found"}`,
		"a string":         `{"error":"` + strings.Repeat("x", size) + `"}`,
		"nested":           `{"error":{"message":"not found","data":` + strings.Repeat("[", size/2) + strings.Repeat("]", size/2) + `}}`,
		"an envelope, cut": `{"errorCategory":"transient","details":[` + strings.Repeat("1,", size/2),
		"prose":            strings.Repeat("not found ", size/10),
		"a list in prose":  "failed: [" + strings.Repeat("1,", size/2),
	} {
		res := text(sample)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		e, _ := foreign.Failure(res)
		runtime.ReadMemStats(&after)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4<<20), name)
		assert.LessOrEqual(t, len(e.AppendJSON(nil)), 8<<10, name)
	}
}

func TestLooksLikeFailure(t *testing.T) {
	t.Parallel()
	for sample, want := range map[string]bool{
		`{"success":false,"error":"denied"}`:       true,
		`{"created":[1],"failed":[{"error":"x"}]}`: true,
		`{"items":[]}`:              false,
		`{"items":[{"error":"x"}]}`: false,
		"All is well.":              false,
	} {
		res := text(sample)
		assert.Equal(t, want, foreign.LooksLikeFailure(res), sample)
		if sample[0] == '{' {
			res = &mcp.CallToolResult{Content: text("See the structure.").Content, StructuredContent: json.RawMessage(sample)}
			assert.Equal(t, want, foreign.LooksLikeFailure(res), sample)
		}
	}
}
