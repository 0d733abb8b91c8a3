package foreign_test

import (
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

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
