package result_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func failed(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// reads returns category, code, retryability and effect of a failure as read by Parse.
func reads(e *toolerr.Error) string {
	if e == nil {
		return "no failure"
	}
	s := fmt.Sprintf("%s %s", e.Category, e.Code)
	if e.Retryable {
		s += " retryable"
	}
	if e.RetryAfter > 0 {
		s += " " + e.RetryAfter.String()
	}
	if e.Effect != "" {
		s += " " + string(e.Effect)
	}
	return s
}

func TestParse_OtherSpellings(t *testing.T) {
	t.Parallel()
	for payload, want := range map[string]string{
		`{"ok":false,"error":"rate_limited","message":"m","retry_after_seconds":30,"hint":"h"}`: "transient rate_limited retryable 30s unknown",
		`{"success":false,"error_code":"not_found","message":"m"}`:                              "validation not_found",
		`{"errorCode":"ACCESS_DENIED","message":"m"}`:                                           "permission ACCESS_DENIED",
		`{"error":{"type":"invalid_request_error","message":"m"}}`:                              "validation invalid_request_error",
		`{"error":{"reason":"quotaExceeded","message":"m"}}`:                                    "business quotaExceeded",
		`{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"m","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"30s"}]}}`: "transient RESOURCE_EXHAUSTED retryable 30s unknown",
		`{"status":503,"title":"Service Unavailable","detail":"m"}`:             "transient unavailable retryable unknown",
		`{"type":"https://example.com/out-of-credit","title":"m","status":403}`: "permission permission_denied",
		`{"code":"timeout","retryable":false,"message":"m"}`:                    "transient timeout unknown",
		`{"code":"conflict","is_retryable":true,"message":"m"}`:                 "business conflict retryable",
		`{"code":"zap","retriable":true,"message":"m"}`:                         "transient zap retryable",
		`{"code":"zap","recoverable":true,"retry_after":"2s","message":"m"}`:    "transient zap retryable 2s",
		`{"error":"overloaded","retry_after":5}`:                                "transient overloaded retryable 5s unknown",
		`{"error":"overloaded","retryAfterSeconds":0.5}`:                        "transient overloaded retryable 500ms unknown",
		`{"error":"overloaded","retry_after_ms":1500}`:                          "transient overloaded retryable 1.5s unknown",
		`{"error":"overloaded","retryAfterMs":1e308}`:                           "transient overloaded retryable 8760h0m0s unknown",
		`{"error":"overloaded","retry_after":-1}`:                               "transient overloaded retryable unknown",
		`{"error":"overloaded","retry_after":"NaN"}`:                            "transient overloaded retryable unknown",
		`{"error":"overloaded","retry_after":9223372036854775808}`:              "transient overloaded retryable 8760h0m0s unknown",
		`{"status":400,"code":"throttled","message":"bad request"}`:             "transient throttled retryable unknown",
		`{"status":429,"message":"You have exceeded your plan's usage limit."}`: "business limit_exceeded",
		`{"errors":[{"code":"FORBIDDEN","message":"m"}]}`:                       "permission FORBIDDEN",
		`{"error":true,"message":"Could not find user 7"}`:                      "validation not_found",
	} {
		out := result.Parse(failed(payload), nil)
		require.Equal(t, result.KindFailure, out.Kind, payload)
		assert.Equal(t, want, reads(out.Err), payload)
	}
}

func TestParse_OtherMembers(t *testing.T) {
	t.Parallel()
	for _, member := range []string{"hint", "suggestion", "guidance", "recovery", "recoveryHint", "help", "agentGuidance"} {
		out := result.Parse(failed(`{"error":"not_found","`+member+`":"do that"}`), nil)
		assert.Equal(t, "do that", out.Err.Hint, member)
	}
	out := result.Parse(failed(`{"error":{"code":"invalid","message":"m","data":{"recovery":{"hint":"do that"}}},"field":"f","suggestions":["a","b"],
		"options":[{"id":1}],"request_id":"r1","idempotency_token":"k1"}`), nil)
	assert.Equal(t, "do that", out.Err.Hint)
	assert.Equal(t, "f", out.Err.Field)
	assert.Equal(t, []string{"a", "b"}, out.Err.Suggestions)
	assert.Len(t, out.Err.Options, 1)
	assert.Equal(t, "r1", out.Err.CorrelationID)
	assert.Equal(t, "k1", out.Err.IdempotencyKey)

	out = result.Parse(failed(`{"ok":"partial","error":"rate_limited","processed":15,"total":50,"results":[1,2],"continue_from":16,"message":"m"}`), nil)
	require.Equal(t, result.KindPartial, out.Kind)
	assert.Equal(t, 15, out.Err.Partial.Processed)
	assert.Equal(t, 50, out.Err.Partial.Total)
	assert.Equal(t, json.Number("16"), out.Err.Partial.ContinueFrom)
	assert.JSONEq(t, `[1,2]`, string(out.Err.Partial.Results))
	assert.False(t, out.Err.Retryable)

	synctest.Test(t, func(t *testing.T) { // in which no time passes
		res := failed("m")
		res.Meta = mcp.Meta{"io.modelcontextprotocol/toolFailure": map[string]any{
			"class": "transient", "code": "overloaded", "retryable": true,
			"retryNotBefore": time.Now().Add(40 * time.Second).UTC().Format(time.RFC3339), "correlationId": "c1", "agentGuidance": "wait",
		}}
		out := result.Parse(res, nil)
		assert.Equal(t, 40*time.Second, out.Err.RetryAfter)
		assert.Equal(t, "c1", out.Err.CorrelationID)
		assert.Equal(t, "wait", out.Err.Hint)
		assert.Equal(t, "m", out.Err.Message)
	})

	wire := &jsonrpc.Error{Code: -32000, Message: "m", Data: json.RawMessage(`{"errorCategory":"business","isRetryable":false,"code":"over_limit","message":"Too much."}`)}
	out = result.Parse(nil, wire)
	assert.Equal(t, "business over_limit", reads(out.Err))
	require.ErrorIs(t, out.Err, wire)
}

func TestParse_BareTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Request failed with status code 429":                                          "transient rate_limited retryable unknown",
		"HTTP 503 Service Unavailable":                                                 "transient unavailable retryable unknown",
		"upstream: 502 Bad Gateway":                                                    "transient unavailable retryable unknown",
		"504 Gateway Timeout":                                                          "transient timeout retryable unknown",
		"Error: 404 Not Found":                                                         "validation not_found",
		"status: 401":                                                                  "permission unauthenticated",
		"rpc error: code = Unavailable desc = connection error":                        "transient unavailable retryable unknown",
		"rpc error: code = PermissionDenied desc = no":                                 "permission permission_denied",
		"rpc error: code = DeadlineExceeded desc = slow":                               "transient timeout retryable unknown",
		"connect ECONNREFUSED 127.0.0.1:5432":                                          "transient unavailable retryable unknown",
		"read ECONNRESET":                                                              "transient unavailable retryable unknown",
		"connect ETIMEDOUT 10.0.0.1:443":                                               "transient timeout retryable unknown",
		"EACCES: permission denied, open '/etc/shadow'":                                "permission permission_denied",
		"ENOENT: no such file or directory, open 'x'":                                  "validation not_found",
		"ERROR: could not serialize access (SQLSTATE 40001)":                           "transient unavailable retryable unknown",
		"duplicate key value violates unique constraint \"x\" (SQLSTATE 23505)":        "business already_exists",
		"Rate limit exceeded, try again in 42 s":                                       "transient rate_limited retryable 42s unknown",
		"Too many requests. Retry after 12m34s.":                                       "transient rate_limited retryable 12m34s unknown",
		"Rate limited. Please wait 2 minutes.":                                         "transient rate_limited retryable 2m0s unknown",
		"Rate limited, retry after 1.5 seconds":                                        "transient rate_limited retryable 1.5s unknown",
		"throttled, retry in 250ms":                                                    "transient rate_limited retryable 250ms unknown",
		"Validation error: name is required":                                           "validation invalid_argument",
		"1 validation error for get_weatherArguments\ncity\n  Field required":          "validation invalid_argument",
		"timeout must be a positive number":                                            "validation invalid_argument",
		"Invalid timeout value":                                                        "validation invalid_argument",
		"Cannot delete: the retry policy is in use, timed out runs are kept, conflict": "business failed_precondition",
		"You do not have permission to retry this job; it timed out":                   "permission permission_denied",
		"Unknown tool: get_wether":                                                     "validation invalid_argument",
		"Something went wrong":                                                         " ",
		"Operation failed":                                                             " ",
		"":                                                                             " ",
	} {
		assert.Equal(t, want, reads(result.Parse(failed(text), nil).Err), text)
	}
}
