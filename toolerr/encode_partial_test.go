package toolerr_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestAppendJSON_AllMembers checks members that depend on each other, and cursors.
func TestAppendJSON_AllMembers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("m", 2000)
	crowded := &toolerr.Error{
		Retryable: true, RetryAfter: time.Second, Message: long, Hint: long, CustomerMessage: long, IdempotencyKey: long,
		Attempted: []toolerr.Attempt{{Tool: long}},
	}
	text := string(crowded.AppendJSON(nil))
	assert.Contains(t, text, `"isRetryable":false`, "a failure with attempts")
	assert.NotContains(t, text, "retryAfterMs", "a failure with attempts")

	e := &toolerr.Error{Message: "m", Hint: "h", Attempted: []toolerr.Attempt{{Elapsed: 1, Attempts: -1}, {Elapsed: math.MaxInt64}}}
	want := `{"isError":true,"isRetryable":false,"message":"m","hint":"h","attempted":[{"elapsedMs":1},{"elapsedMs":31536000000}]`
	assert.Equal(t, want+"}", string(e.AppendJSON(nil)))

	for cursor, part := range map[any]string{
		1.5: ``, 1e300: ``, json.Number("true"): ``, json.Number("1e99999"): ``, true: ``, "": ``, 16.0: `,"continueFrom":16`, json.Number("1.6e1"): `,"continueFrom":16`,
		json.Number("12345678901234567890"): `,"continueFrom":12345678901234567890`, -1: `,"continueFrom":-1`, "16": `,"continueFrom":"16"`,
	} {
		p := &toolerr.Partial{Processed: -1, Total: -1, ContinueFrom: cursor, Results: json.RawMessage("null")}
		text := string((&toolerr.Error{Message: "m", Hint: "h", Partial: p}).AppendJSON(nil))
		assert.Equal(t, `{"isError":true,"isRetryable":false,"message":"m","hint":"h","partial":{"processed":0`+part+"}}", text, "%v", cursor)
	}
}

// TestAppendJSON_SecretsInAttempted checks that URLs in arguments of any type lose their
// secrets.
func TestAppendJSON_SecretsInAttempted(t *testing.T) {
	t.Parallel()
	const secret = "https://u:p4ss@h.example/y?token=t0ken"
	type nested struct{ Links []string }
	for name, value := range map[string]any{
		"text":    secret,
		"list":    []any{secret},
		"strings": []string{"a", secret},
		"map":     map[string]any{"a": []string{secret}},
		"struct":  nested{Links: []string{secret}},
		"pointer": &nested{Links: []string{secret}},
		"named":   map[string][]string{"a": {secret}},
	} {
		e := toolerr.Transient("m").WithAttempted(toolerr.Attempt{Tool: "t", Arguments: map[string]any{"a": value}})
		text := string(e.AppendJSON(nil))
		assert.Contains(t, text, "h.example/y", name)
		assert.NotContains(t, text, "p4ss", name)
		assert.NotContains(t, text, "t0ken", name)
	}
}

// TestAppendJSON_UnreadableRaw checks that an author's raw JSON cannot make an envelope
// unreadable to a decoder with float64 and a nesting limit.
func TestAppendJSON_UnreadableRaw(t *testing.T) {
	t.Parallel()
	nested := func(n int) json.RawMessage { return json.RawMessage(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	for _, raw := range []json.RawMessage{
		json.RawMessage("1e400"), json.RawMessage(`{"a":[-1e999999]}`), json.RawMessage(strings.Repeat("9", 400)), nested(991), nested(9_999), nested(100_000),
	} {
		for where, e := range map[string]*toolerr.Error{
			"partial":   {Partial: &toolerr.Partial{Results: raw, ContinueFrom: json.Number(raw)}},
			"details":   {Details: map[string]any{"a": raw, "b": map[string]any{"c": json.Number(raw)}}},
			"options":   {Options: []any{raw, json.Number(raw)}},
			"attempted": {Attempted: []toolerr.Attempt{{Tool: "t", Arguments: map[string]any{"a": raw, "b": json.Number(raw)}}}},
		} {
			text := e.AppendJSON(nil)
			var v map[string]any
			require.NoError(t, json.Unmarshal(text, &v), "%s %.20s", where, raw)
			assert.Less(t, bytes.Count(text, []byte("[")), 100, where)
		}
	}
	e := toolerr.Error{Partial: &toolerr.Partial{Results: nested(990)}}
	assert.Contains(t, string(e.AppendJSON(nil)), string(nested(990)))
}
