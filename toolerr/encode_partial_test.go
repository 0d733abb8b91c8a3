package toolerr_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// What the envelope of a failure says must agree with itself, and be read again
// as it was written.
func TestEveryMemberIsWrittenAsItIsRead(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("m", 2000)
	crowded := &toolerr.Error{
		Retryable: true, RetryAfter: time.Second, Message: long, Hint: long, CustomerMessage: long, IdempotencyKey: long,
		Attempted: []toolerr.Attempt{{Tool: long}},
	}
	text := string(crowded.AppendJSON(nil))
	assert.Contains(t, text, `"isRetryable":false`, "nothing tells an outer loop any more that it was tried")
	assert.NotContains(t, text, "retryAfterMs", "and so there is nothing to wait for")

	e := &toolerr.Error{Message: "m", Hint: "h", Attempted: []toolerr.Attempt{{Elapsed: 1, Attempts: -1}, {Elapsed: math.MaxInt64}}}
	want := `{"isError":true,"errorCategory":"","isRetryable":false,"message":"m","hint":"h","attempted":[{"elapsedMs":1},{"elapsedMs":31536000000}]`
	assert.Equal(t, want+"}", string(e.AppendJSON(nil)))

	for cursor, part := range map[any]string{
		1.5: ``, 1e300: ``, json.Number("true"): ``, json.Number("1e99999"): ``, true: ``, "": ``, 16.0: `,"continueFrom":16`, json.Number("1.6e1"): `,"continueFrom":16`,
		json.Number("12345678901234567890"): `,"continueFrom":12345678901234567890`, -1: `,"continueFrom":-1`, "16": `,"continueFrom":"16"`,
	} {
		p := &toolerr.Partial{Processed: -1, Total: -1, ContinueFrom: cursor, Results: json.RawMessage("null")}
		text := string((&toolerr.Error{Message: "m", Hint: "h", Partial: p}).AppendJSON(nil))
		assert.Equal(t, `{"isError":true,"errorCategory":"","isRetryable":false,"message":"m","hint":"h","partial":{"processed":0`+part+"}}", text, "%v", cursor)
	}
}

// Of any type: the URLs of arguments lose what is secret.
func TestEncode_SecretsInAttempted(t *testing.T) {
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
