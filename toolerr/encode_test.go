package toolerr_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func full() *toolerr.Error {
	return &toolerr.Error{
		Category: toolerr.CategoryTransient, Retryable: true, Code: toolerr.CodeRateLimited, Message: `a <b> & "c"`,
		Hint: "wait", CustomerMessage: "One moment.",
		RetryAfter: 1500*time.Millisecond + 1, Field: "items[].sku", Suggestions: []string{"x", "y"},
		Options: []any{map[string]any{"path": "a"}, 7, nil},
		Effect:  toolerr.EffectNone, IdempotencyKey: "k1", Alternatives: []string{"other_tool"}, CorrelationID: "c1",
		Details: map[string]any{"z": 1.5, "a": []string{"p"}, "m": map[string]any{"t": true}},
		Attempted: []toolerr.Attempt{{
			Tool: "search", Arguments: map[string]any{"q": "go"}, Attempts: 3,
			Elapsed: 1234 * time.Millisecond, Category: "transient", Code: "timeout", Effect: "unknown", CorrelationID: "c2",
		}},
	}
}

// decode returns e as it is read from the wire.
func decode(t *testing.T, e *toolerr.Error) *toolerr.Error {
	t.Helper()
	var got toolerr.Error
	require.NoError(t, json.Unmarshal(e.AppendJSON(nil), &got))
	return &got
}

func TestMarshalJSON(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(full())
	require.NoError(t, err)
	assert.JSONEq(t, string(full().AppendJSON(nil)), string(text))
	assert.Equal(t, "x"+string(full().AppendJSON(nil)), string(full().AppendJSON([]byte("x"))))
	assert.Equal(t, "null", string((*toolerr.Error)(nil).AppendJSON(nil)))
}

// TestAppendJSON_MessageAndHint checks that there always is a message, and that a classified
// failure has a hint, another one for each code.
func TestAppendJSON_MessageAndHint(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]*toolerr.Error{
		"zero": {}, "literal": {Category: toolerr.CategoryBusiness},
		"hint of controls":    {Category: "quantum", Message: "m", Hint: "\u200b"},
		"message of controls": {Category: toolerr.CategoryBusiness, Message: "\x00\x1b[31m\u202e"},
		"unknown code":        {Message: "m", Code: "zap"},
	} {
		got := decode(t, e)
		assert.NotEmpty(t, got.Message, name)
		assert.Equal(t, e.Category != "", got.Hint != "", "%s: an unclassified failure has no default hint", name)
	}
	hints := map[string]bool{}
	for _, word := range constants(t)["Code"] {
		assert.Regexp(t, `^(Add|Bring|Call|Check|Correct|Do not|Read|Use) [a-z].*\.$`, hint.Code(word), "hint of %s", word)
		assert.NotEmpty(t, hint.Sentence(word), "message of %s", word)
		got := decode(t, &toolerr.Error{Code: toolerr.Code(word)}).Hint
		assert.False(t, hints[got], "duplicate hint of %s", word)
		hints[got] = true
	}
}

func TestAppendJSON_SizeLimit(t *testing.T) {
	t.Parallel()
	quotes := strings.Repeat(`"`, 2048)
	bigs := []string{quotes, quotes, quotes, quotes, quotes}
	worst := &toolerr.Error{
		Category: toolerr.Category(quotes), Retryable: true, Code: toolerr.Code(quotes), Message: quotes, Hint: quotes,
		CustomerMessage: quotes,
		RetryAfter:      math.MaxInt64, Field: quotes, Suggestions: bigs, Options: []any{bigs},
		Effect: toolerr.Effect(quotes), IdempotencyKey: quotes,
		Alternatives: bigs, CorrelationID: quotes, Details: map[string]any{quotes: bigs},
		Attempted: []toolerr.Attempt{{Tool: quotes}},
	}
	text := worst.AppendJSON(nil)
	assert.LessOrEqual(t, len(text), 8<<10)
	assert.True(t, json.Valid(text))
}

type (
	panics  struct{}
	fails   struct{}
	invalid struct{}
)

func (panics) MarshalJSON() ([]byte, error)  { panic("boom") }
func (fails) MarshalJSON() ([]byte, error)   { return nil, errors.New("no") }
func (invalid) MarshalJSON() ([]byte, error) { return []byte(`{"a":`), nil }

func TestAppendJSON_UnencodableDetails(t *testing.T) {
	t.Parallel()
	cycle, list, deep := map[string]any{}, []any{nil, nil}, any("x")
	cycle["a"], cycle["b"], list[0], list[1] = cycle, cycle, list, list
	for range 100 {
		deep = []any{deep}
	}
	for name, v := range map[string]any{
		"channel": make(chan int), "func": func() {}, "NaN": math.NaN(), "Inf": math.Inf(1), "complex": 1i, "panic": panics{},
		"error":        fails{},
		"invalid JSON": invalid{}, "not a number": json.Number("true"), "raw": json.RawMessage("{"), "cycle": cycle,
		"list cycle": list, "deep": deep,
	} {
		text := toolerr.Business("m").WithDetails(map[string]any{"bad": v, "good": 1}).WithOptions(v, "fine").AppendJSON(nil)
		require.True(t, json.Valid(text), name)
		assert.LessOrEqual(t, len(text), 8<<10, name)
	}
	typed := struct {
		A int `json:"a"`
	}{3}
	e := decode(t, toolerr.Business("m").
		WithDetails(map[string]any{"bad": make(chan int), "good": "yes", "typed": typed, "texts": []string{"a", "b"}}).
		WithOptions(func() {}, "fine"))
	assert.Equal(t, map[string]any{"good": "yes", "typed": map[string]any{"a": 3.0}, "texts": []any{"a", "b"}}, e.Details)
	assert.Equal(t, []any{nil, "fine"}, e.Options)
}

// TestAppendJSON_Members checks members and Go values that testdata/write.json does not have.
func TestAppendJSON_Members(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("m", 2000)
	crowded := &toolerr.Error{
		Retryable: true, RetryAfter: time.Second, Message: long, Hint: long, CustomerMessage: long, IdempotencyKey: long,
		Attempted: []toolerr.Attempt{{Tool: long}},
	}
	text := string(crowded.AppendJSON(nil))
	assert.Contains(t, text, `"isRetryable":false`, "a failure with attempts")
	assert.NotContains(t, text, "retryAfterMs", "a failure with attempts")

	const begin = `{"isError":true,"isRetryable":false,"message":"m","hint":"h",`
	e := &toolerr.Error{
		Message: "m", Hint: "h", Attempted: []toolerr.Attempt{{Elapsed: 1, Attempts: -1}, {Elapsed: math.MaxInt64}},
	}
	want := begin + `"attempted":[{"elapsedMs":1},{"elapsedMs":31536000000}]}`
	assert.Equal(t, want, string(e.AppendJSON(nil)))
	for cursor, part := range map[any]string{
		1.5: ``, 1e300: ``, json.Number("true"): ``, json.Number("0x1p4"): ``, json.Number("1e99999"): ``, true: ``, "": ``,
		16.0: `,"continueFrom":16`, json.Number("1.6e1"): `,"continueFrom":16`,
		json.Number("12345678901234567890"): `,"continueFrom":12345678901234567890`, -1: `,"continueFrom":-1`,
		"16": `,"continueFrom":"16"`,
	} {
		p := &toolerr.Partial{Processed: -1, Total: -1, ContinueFrom: cursor, Results: json.RawMessage("null")}
		text := string((&toolerr.Error{Message: "m", Hint: "h", Partial: p}).AppendJSON(nil))
		assert.Equal(t, begin+`"partial":{"processed":0`+part+"}}", text, "%v", cursor)
	}
	part := toolerr.Business("m").WithPartial(&toolerr.Partial{Processed: 1, Results: json.RawMessage("null")})
	assert.NotContains(t, string(part.AppendJSON(nil)), "Use the results", "results that are not sent")
}

// TestAppendJSON_Attempted checks that scalar arguments of any type are sent without secrets,
// and that no others are.
func TestAppendJSON_Attempted(t *testing.T) {
	t.Parallel()
	const link = "https://u:p4ss@h.example/y?token=t0ken"
	type named string
	type nested struct{ Links []string }
	for _, test := range []struct {
		name  string
		value any
		want  string
	}{
		{"a", link, `,"arguments":{"a":"https://u:[masked]@h.example/y?token=[masked]"}`},
		{"a", named(link), `,"arguments":{"a":"https://u:[masked]@h.example/y?token=[masked]"}`},
		{"pin", 1234, `,"arguments":{"pin":"[masked]"}`},
		{"n", uint8(7), `,"arguments":{"n":7}`},
		{"n", 2.50, `,"arguments":{"n":2.5}`},
		{"n", nil, `,"arguments":{"n":null}`},
		{"a", `{"password":"x"}`, `,"arguments":{"a":"{\"password\":\"[masked]\"}"}`},
		{"a", []string{"b", link}, ``},
		{"a", map[string]any{"a": []string{link}}, ``},
		{"a", nested{Links: []string{link}}, ``},
		{"a", &nested{Links: []string{link}}, ``},
		{"a", func() {}, ``},
	} {
		e := toolerr.Transient("m").WithHint("h").
			WithAttempted(toolerr.Attempt{Tool: "t", Arguments: map[string]any{test.name: test.value}})
		_, attempted, _ := strings.Cut(string(e.AppendJSON(nil)), `"attempted":[{"tool":"t"`)
		assert.Equal(t, test.want+"}]}", attempted)
	}
}

// TestAppendJSON_UnreadableRaw checks that an author's raw JSON cannot make an envelope
// unreadable to a decoder with float64 and a nesting limit.
func TestAppendJSON_UnreadableRaw(t *testing.T) {
	t.Parallel()
	nested := func(n int) json.RawMessage { return json.RawMessage(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	for _, raw := range []json.RawMessage{
		json.RawMessage("1e400"), json.RawMessage(`{"a":[-1e999999]}`), json.RawMessage(strings.Repeat("9", 400)),
		nested(991), nested(9_999), nested(100_000),
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
