package foreign_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

func TestFailure_Bounds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 10<<10)
	many := make([]any, 1000)
	for i := range many {
		many[i] = long
	}
	report := map[string]any{
		"code": "not_found", "message": "m", "hint": long, "customerMessage": long, "field": long, "correlationId": long,
		"idempotencyKey": long, "effect": long, "suggestions": many, "options": []any{map[string]any{"id": long}},
		"partial": map[string]any{"processed": 1.0, "continueFrom": long},
	}
	for _, member := range []string{"recovery", "userMessage", "param"} { // other spellings have the same limits
		report[member] = long
	}
	res := &mcp.CallToolResult{StructuredContent: report, Content: text("It failed.").Content}
	e, envelope := foreign.Failure(res)
	assert.False(t, envelope)
	assert.Len(t, e.Suggestions, 20)
	for _, s := range append(e.Suggestions, e.Hint, e.CustomerMessage) {
		assert.NotEmpty(t, s)
		assert.LessOrEqual(t, len(s), 2<<10)
	}
	assert.Empty(t, e.Field+e.CorrelationID+e.IdempotencyKey, "identifiers that are too long")
	assert.Nil(t, e.Options, "options that are too large")
	assert.Equal(t, toolerr.EffectUnknown, e.Effect)
	assert.Equal(t, &toolerr.Partial{Processed: 1}, e.Partial)
	assert.Equal(t, long, report["hint"], "the server's report")

	report["options"] = many[:25]
	many[24] = "short"
	e, _ = foreign.Failure(res)
	assert.Nil(t, e.Options)
	for i := range many {
		many[i] = "short\x00"
	}
	e, _ = foreign.Failure(res)
	assert.Equal(t, 20, strings.Count(strings.Join(e.Suggestions, " "), "short"))
	require.Len(t, e.Options, 20)
	assert.Equal(t, "short", e.Options[0])
	assert.Equal(t, "short\x00", many[0])
}

func TestFailure_EncodedAgain(t *testing.T) {
	t.Parallel()
	for sample, want := range map[string]bool{
		`{"isError":true,"errorCategory":"","isRetryable":false,"message":"m","details":{"a":"b"}}`: true,
		`{ "message": "m", "errorCategory": "", "details": {"a": "b"} }`:                            true,
		`{"message":"m","details":{"errorCategory":"transient"}}`:                                   false,
	} {
		e, envelope := foreign.Failure(text(sample))
		assert.Equal(t, want, envelope, sample)
		assert.Equal(t, "m", e.Message, sample)
		assert.Equal(t, want, e.Details["a"] == "b", sample)
	}
}

// The message of an envelope without category is read like a stranger's text. It never
// decides about a retry or the effect.
func TestFailure_Unclassified(t *testing.T) {
	t.Parallel()
	for sample, want := range map[string]string{
		`{"isError":true,"isRetryable":false,"message":"owner is required","correlationId":"7"}`: "validation missing_argument false  7",
		`{"isError":true,"isRetryable":false,"message":"Too many requests","correlationId":"7"}`: "transient rate_limited false  7",
		`{"isError":true,"isRetryable":true,"message":"odd","effect":"none"}`:                    "transient  true none ",
		`{"isError":true,"isRetryable":false,"message":"odd","effect":"unknown"}`:                "  false unknown ",
	} {
		e, envelope := foreign.Failure(text(sample))
		assert.True(t, envelope, sample)
		assert.Equal(t, want, fmt.Sprint(e.Category, " ", e.Code, " ", e.Retryable, " ", e.Effect, " ", e.CorrelationID), sample)
	}
}

// A server reads the members that its author wrote, and no prose.
func TestWritten(t *testing.T) {
	t.Parallel()
	for sample, want := range map[string]string{
		"order not found":                                                  "  order not found",
		`failed: {"code":"not_found"}`:                                     `  failed: {"code":"not_found"}`,
		`{"error":"not_found","message":"No order."}`:                      "validation not_found No order.",
		`{"message":"order not found"}`:                                    "  order not found",
		`{"isError":true,"isRetryable":false,"message":"order not found"}`: "  order not found",
	} {
		e, _ := foreign.Written(text(sample))
		assert.Equal(t, want, fmt.Sprint(e.Category, " ", e.Code, " ", e.Message), sample)
	}
	res := text("It failed.")
	res.StructuredContent = map[string]any{"code": "not_found", "message": "m"}
	e, _ := foreign.Written(res)
	assert.Equal(t, toolerr.CodeNotFound, e.Code)
	assert.Equal(t, "It failed.", e.Message)
}

// codeOf returns the code of a failure that is only a text.
func codeOf(sample string) toolerr.Code {
	e, _ := foreign.Failure(text(sample))
	return e.Code
}

func TestText_Phrases(t *testing.T) {
	t.Parallel()
	for sample, want := range map[string]toolerr.Code{
		"Input validation error: x":                   toolerr.CodeInvalidArgument,
		"'city' is a required property":               toolerr.CodeMissingArgument,
		"Quota exceeded for reads per minute":         toolerr.CodeRateLimited,
		"insufficient funds":                          toolerr.CodeLimitExceeded,
		"slow down":                                   toolerr.CodeRateLimited,
		"Bad credentials":                             toolerr.CodeUnauthenticated,
		"missing repo scope":                          toolerr.CodeInsufficientScope,
		"it does not exist or you do not have access": toolerr.CodeNotFound,
		"EACCES: no":                                  toolerr.CodePermissionDenied,
		"list index out of range":                     "",
		"the date must be in the future":              toolerr.CodeInvalidArgument,
		"too many clients already":                    toolerr.CodeUnavailable,
		"E11000 for key":                              toolerr.CodeAlreadyExists,
		"it is still in use":                          toolerr.CodeFailedPrecondition,
		"The read timed out":                          toolerr.CodeTimeout,
		"socket hang up":                              toolerr.CodeUnavailable,
		"connection refused":                          toolerr.CodeUnavailable,
		"Please try again later":                      toolerr.CodeUnavailable,
		"ENOENT: x":                                   toolerr.CodeNotFound,
		"An error occurred (Throttling) when calling the X operation": toolerr.CodeRateLimited,
		"An error occurred (InternalError) when calling X":            toolerr.CodeUnavailable,
		"(Forbidden) no":                                toolerr.CodePermissionDenied,
		"Error from server (AlreadyExists): x":          toolerr.CodeAlreadyExists,
		"Slack API error occurred: channel_not_found":   toolerr.CodeNotFound,
		"answered {'ok': False, 'error': 'not_authed'}": toolerr.CodeUnauthenticated,
		"googleapi: Error 403: no more, quotaExceeded":  toolerr.CodeLimitExceeded,
		"rpc error: code = NotFound desc = x":           toolerr.CodeNotFound,
		"409 CONFLICT. x":                               toolerr.CodeConflict,
	} {
		assert.Equal(t, want, codeOf(sample), sample)
	}
}

type panicking struct{}

func (panicking) Error() string { panic("a bug") }

func TestCallError_Panics(t *testing.T) {
	t.Parallel()
	e, lost := foreign.CallError(panicking{})
	assert.False(t, lost)
	assert.Equal(t, toolerr.CodeInternal, e.Code)
}

func TestSuccess(t *testing.T) {
	t.Parallel()
	for sample, want := range map[string]string{
		`{"items":[]}`:                       "empty",
		`[]`:                                 "empty",
		"No orders found.":                   "empty",
		"Found 3 orders.":                    "data",
		`{"items":[1]}`:                      "data",
		`{"success":false,"error":"denied"}`: "failure",
		`{"succeeded":[1],"failed":[2]}`:     "partial",
		"Batch: success 3, failed 2":         "data",
	} {
		e, empty := foreign.Success(text(sample))
		got := "data"
		switch {
		case empty:
			got = "empty"
		case e != nil && e.Partial != nil:
			got = "partial"
		case e != nil:
			got = "failure"
		}
		assert.Equal(t, want, got, sample)
		assert.False(t, e != nil && empty, sample)
	}
	res := text("x")
	require.NoError(t, json.Unmarshal([]byte(`{"items":[]}`), &res.StructuredContent))
	_, empty := foreign.Success(res)
	assert.True(t, empty)
	res = text("No matches found")
	res.StructuredContent = map[string]any{"content": "No matches found"}
	_, empty = foreign.Success(res)
	assert.True(t, empty, "the same text once more")
}
