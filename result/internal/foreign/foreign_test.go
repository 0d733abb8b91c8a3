package foreign_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

type panicking struct{}

func (panicking) Error() string { panic("a bug") }

func TestCallError_Panics(t *testing.T) {
	t.Parallel()
	e, _, lost := foreign.CallError(panicking{})
	assert.False(t, lost)
	assert.Equal(t, toolerr.CodeInternal, e.Code)
}

// A flag without a category promises nothing, however long the text is.
func TestFailure_LongFlag(t *testing.T) {
	t.Parallel()
	e, _ := foreign.Failure(text(`{"isError":true,"isRetryable":true,"message":"m","pad":"` + strings.Repeat("a", 65<<10) +
		`"}`))
	assert.False(t, e.Retryable)
}

// Memory is limited by the size of an envelope, not by that of the result.
func TestFailure_Memory(t *testing.T) { //nolint:paralleltest // it measures memory
	const size = 20 << 20
	_, _ = foreign.Failure(text("failed: not found")) // reads the tables
	for name, sample := range map[string]string{
		"a list":   `{"error":[` + strings.Repeat("1,", size/2) + `1]}`,
		"objects":  `{"message":"not found","items":[` + strings.Repeat(`{"a":1},`, size/8) + `{}]}`,
		"members":  `{` + strings.Repeat(`"a":1,`, size/6) + `"message":"not found"}`,
		"a string": `{"error":"` + strings.Repeat("x", size) + `"}`,
		"nested": `{"error":{"message":"not found","data":` +
			strings.Repeat("[", size/2) + strings.Repeat("]", size/2) + `}}`,
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
	const user = `{"email":"ann@example.com","available":true,"details":"Failed once, ok since.","balance":120.5,` +
		`"tags":["a","b"]}`
	return `{"ok":true,"details":"an error, and a failure","users":[` +
		strings.Repeat(user+",", kib<<10/len(user)) + user + `]}`
}

// Whether a success is data is seen without decoding it: the allocations do not depend on its size.
func TestSuccess_Allocations(t *testing.T) { //nolint:paralleltest // it counts allocations
	for _, kib := range []int{4, 60} {
		res, encoded := text(data(kib)), text(data(kib))
		encoded.StructuredContent = json.RawMessage(data(kib))
		e, empty := foreign.Success(res)
		require.True(t, e == nil && !empty)
		allocs.AtMost(t, 8, func() { _, _ = foreign.Success(res); _, _ = foreign.Success(encoded) }, "both")
	}
}
