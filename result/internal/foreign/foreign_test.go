package foreign_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
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

func TestText_Phrases(t *testing.T) {
	t.Parallel()
	for sample, want := range testutil.Rows(t, "testdata/texts.txt") {
		e, _ := foreign.Failure(text(sample))
		assert.Equal(t, want, string(e.Code), sample)
	}
}

// TestFailure_Refusals checks the refusals of arguments that SDKs write, as a result and as a
// protocol error. Prose says nothing about the effect, and a server does not read it.
func TestFailure_Refusals(t *testing.T) {
	t.Parallel()
	for sample, want := range testutil.Rows(t, "../refusal/testdata/refusals.txt") {
		e, _ := foreign.Failure(text(sample))
		assert.Equal(t, want, strings.TrimSpace(fmt.Sprint(e.Code, " ", e.Field)), sample)
		assert.Equal(t, "validation "+sample, fmt.Sprint(e.Category, e.Effect, " ", e.Message))
		e = foreign.ProtocolError(&jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: sample})
		assert.Equal(t, want, strings.TrimSpace(fmt.Sprint(e.Code, " ", e.Field)), sample)
		e, _ = foreign.Written(text(sample))
		assert.Empty(t, e.Field+string(e.Category))
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

// The envelope's own members take precedence over other spellings.
func TestFailure_OtherSpellings(t *testing.T) {
	t.Parallel()
	for sample, want := range map[string]toolerr.Error{
		`{"isError":true,"errorCategory":"transient","message":"m","retriable":true,"retry_after_seconds":7}`:                               {Category: "transient", Retryable: true, Message: "m", RetryAfter: 7 * time.Second},
		`{"errorCategory":"transient","isRetryable":true,"message":"m","retryAfter":7}`:                                                     {Category: "transient", Retryable: true, Message: "m", RetryAfter: 7 * time.Second},
		`{"errorCategory":"transient","isRetryable":false,"message":"m","retryable":true}`:                                                  {Category: "transient", Message: "m"},
		`{"errorCategory":"transient","code":"timeout","message":"m","retryable":false}`:                                                    {Category: "transient", Code: "timeout", Message: "m", Effect: "unknown"},
		`{"errorCategory":"transient","code":"timeout","message":"m","retryable":true}`:                                                     {Category: "transient", Code: "timeout", Message: "m", Retryable: true},
		`{"errorCategory":"transient","message":"m","retryAfterMs":5,"retry_after":7}`:                                                      {Category: "transient", Message: "m", RetryAfter: 5 * time.Millisecond},
		`{"errorCategory":"business","msg":"m","suggestion":"s","userMessage":"u","error_code":"sold_out","request_id":"r"}`:                {Category: "business", Message: "m", Hint: "s", CustomerMessage: "u", Code: "sold_out", CorrelationID: "r"},
		`{"errorCategory":"transient","message":"m","details":{"retryable":true}}`:                                                          {Category: "transient", Message: "m", Details: map[string]any{"retryable": true}},
		`{"isError":true,"errorCategory":"transient","isRetryable":true,"message":"m","partial":{"processed":1},"retriable":true}`:          {Category: "transient", Message: "m", Partial: &toolerr.Partial{Processed: 1}},
		`{"isError":true,"errorCategory":"validation","isRetryable":false,"message":"the \"retriable\" argument","details":{"recovery":1}}`: {Category: "validation", Message: `the "retriable" argument`, Details: map[string]any{"recovery": 1.0}},
	} {
		e, envelope := foreign.Failure(text(sample))
		require.True(t, envelope, sample)
		assert.Equal(t, &want, e, sample)
	}
}

// The TypeScript SDK's request timeout is a timeout, as an error and as text. Its other
// failure with this code is not.
func TestProtocolError_RequestTimeout(t *testing.T) {
	t.Parallel()
	for _, message := range []string{"Request timeout", "Request timed out", "MCP error -32001: Request timed out"} {
		e := foreign.ProtocolError(&jsonrpc.Error{Code: -32001, Message: message, Data: []byte(`{"timeout":60000}`)})
		assert.Equal(t, toolerr.CodeTimeout, e.Code, message)
		assert.Equal(t, toolerr.EffectUnknown, e.Effect, message)
	}
	e, _ := foreign.Failure(text("MCP error -32001: Request timeout"))
	assert.Equal(t, toolerr.CodeTimeout, e.Code)
	assert.Equal(t, toolerr.EffectUnknown, e.Effect)
	assert.NotEqual(t, toolerr.CodeTimeout, foreign.ProtocolError(&jsonrpc.Error{Code: -32001, Message: "Session not found"}).Code)
	lacks := foreign.ProtocolError(&jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "Missing required client capability: elicitation"})
	assert.Equal(t, "transient internal none", fmt.Sprint(lacks.Category, " ", lacks.Code, " ", lacks.Effect), "no arguments help")
}

func TestRest(t *testing.T) {
	t.Parallel()
	envelope := map[string]any{"errorCategory": "transient", "isRetryable": true, "message": "m", "code": "busy", "retryAfterMs": 7000.0}
	for sample, want := range map[string]map[string]any{
		`{"error":"m","code":"busy","category":"TRANSIENT","retryable":true,"success":false}`: {},
		`{"error":{"message":"m","reason":"busy","at":"x"}}`:                                  {"at": "x"},
		`{"error":{"message":"m","at":"x"},"at":"y"}`:                                         {"error": map[string]any{"at": "x"}, "at": "y"},
		`{"detail":"more","title":"m","status":"error","effect":"none"}`:                      {"detail": "more"},
		`{"retry_after":7,"retryAfterMs":7000,"retry_after_ms":"7000"}`:                       {},
		`{"retry_after":"later","retryDelay":8}`:                                              {"retry_after": "later"},
		`{"errors":[{"message":"m"}],"data":{"code":"busy"},"list":[],"none":null}`:           {},
		`{"errors":["m","n"],"data":{"id":"x"},"ok":true}`:                                    {"errors": []any{"m", "n"}, "data": map[string]any{"id": "x"}, "ok": true},
		`{"anything":"m","else":"n"}`:                                                         {"else": "n"},
		`{"hint":"Ask."}`:                                                                     {"hint": "Ask."},
	} {
		report, ok := foreign.Object("Error: " + sample)
		require.True(t, ok, sample)
		rest := foreign.Rest(report, envelope)
		delete(rest, "retryDelay") // a number
		assert.Equal(t, want, rest, sample)
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

// data returns JSON of about so many KiB whose members have names and texts as reports of
// failures have, but which is data.
func data(kib int) string {
	const user = `{"email":"ann@example.com","available":true,"details":"Failed once, ok since.","balance":120.5,"tags":["a","b"]}`
	return `{"ok":true,"details":"an error, and a failure","users":[` + strings.Repeat(user+",", kib<<10/len(user)) + user + `]}`
}

// Whether a success is data is seen without decoding it: the allocations do not depend on its size.
func TestSuccess_Allocations(t *testing.T) { //nolint:paralleltest // it counts allocations
	for _, kib := range []int{4, 60} {
		res := text(data(kib))
		e, empty := foreign.Success(res)
		require.True(t, e == nil && !empty)
		allocs.AtMost(t, 8, func() { _, _ = foreign.Success(res); _ = foreign.Mistaken(res) }, "both")
	}
}
