package toolerr_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func full() *toolerr.Error {
	return &toolerr.Error{
		Category: toolerr.CategoryTransient, Retryable: true, Code: toolerr.CodeRateLimited,
		Message: `a <b> & "c"`, Hint: "wait", CustomerMessage: "One moment.",
		RetryAfter: 1500*time.Millisecond + 1, Field: "items[].sku", Suggestions: []string{"x", "y"},
		Options: []any{map[string]any{"path": "a"}, 7, nil}, Effect: toolerr.EffectNone, IdempotencyKey: "k1",
		Alternatives: []string{"other_tool"}, CorrelationID: "c1",
		Details:   map[string]any{"z": 1.5, "a": []string{"p"}, "m": map[string]any{"t": true}},
		Attempted: []toolerr.Attempt{{Tool: "search", Arguments: map[string]any{"q": "go"}, Attempts: 3, Elapsed: 1234 * time.Millisecond, Category: "transient", Code: "timeout", Effect: "unknown", CorrelationID: "c2"}},
	}
}

func TestAppendJSON_Wire(t *testing.T) {
	t.Parallel()
	want := `{"isError":true,"errorCategory":"transient","isRetryable":true,"code":"rate_limited",` +
		`"message":"a <b> & \"c\"","hint":"wait","customerMessage":"One moment.","retryAfterMs":1501,` +
		`"field":"items[].sku","suggestions":["x","y"],"options":[{"path":"a"},7,null],"effect":"none",` +
		`"idempotencyKey":"k1","alternatives":["other_tool"],"correlationId":"c1",` +
		`"details":{"a":["p"],"m":{"t":true},"z":1.5},` +
		`"attempted":[{"tool":"search","arguments":{"q":"go"},"attempts":3,"elapsedMs":1234,"errorCategory":"transient","code":"timeout","effect":"unknown","correlationId":"c2"}]`
	e := full()
	e.Attempted = nil
	want, attempted, _ := strings.Cut(want, `,"attempted"`)
	assert.Equal(t, want+"}", string(e.AppendJSON(nil)))

	want = strings.Replace(want, `"isRetryable":true`, `"isRetryable":false`, 1)
	attempted = `,"attempted"` + attempted
	assert.Equal(t, strings.Replace(want, `"retryAfterMs":1501,`, "", 1)+attempted+"}", string(full().AppendJSON(nil)))

	e = full().WithPartial(&toolerr.Partial{Processed: 15, Total: 50, ContinueFrom: 16, Results: json.RawMessage(` [ 1, "<" ] `)})
	want = strings.Replace(want, `"effect":"none"`, `"effect":"applied"`, 1) // items were processed
	assert.Equal(t, "x"+want+attempted+`,"partial":{"processed":15,"total":50,"continueFrom":16,"results":[1,"<"]}}`, string(e.AppendJSON([]byte("x"))))
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]*toolerr.Error{
		"full":     full(),
		"partial":  full().WithPartial(&toolerr.Partial{Processed: 15, Total: 50, ContinueFrom: "16", Results: json.RawMessage(`[{"id":9007199254740993}]`)}),
		"unknowns": (&toolerr.Error{Category: "quantum", Message: "m", Code: "flux_inverted", Effect: "undone"}),
		"big ints": toolerr.Business("m").WithDetails(map[string]any{"id": int64(9007199254740993), "half": 0.5, "e": 1e21}),
		"text":     toolerr.Validation("tab\tnewline\nquote\"back\\slash <>&\u2028 ünï 👨\u200d👩\u200d👧 می\u200cخواهم"),
		"zero":     {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wire := e.AppendJSON(nil)
			var got toolerr.Error
			require.NoError(t, json.Unmarshal(wire, &got))
			assert.Equal(t, string(wire), string(got.AppendJSON(nil)))
		})
	}
}

func TestAppendJSON_MessageAndHint(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]*toolerr.Error{
		"zero":                {},
		"literal":             {Category: toolerr.CategoryBusiness},
		"message of controls": {Category: toolerr.CategoryBusiness, Message: "\x00\x1b[31m\u202e"},
		"hint of controls":    {Category: "quantum", Message: "m", Hint: "\u200b"},
		"unknown code":        {Message: "m", Code: "zap"},
	} {
		got := decode(t, e)
		assert.NotEmpty(t, got.Message, name)
		assert.Equal(t, e.Category != "", got.Hint != "", "%s: an unclassified failure has no default hint", name)
	}
	hints := map[string]bool{}
	for _, word := range constants(t)["Code"] {
		code := toolerr.Code(word)
		assert.Regexp(t, `^(Add|Bring|Call|Check|Correct|Do not|Read|Use) [a-z].*\.$`, hint.Code(word), "hint of %s", code)
		assert.NotEmpty(t, hint.Sentence(word), "message of %s", code)
		got := decode(t, &toolerr.Error{Code: code}).Hint
		assert.False(t, hints[got], "duplicate hint of %s", code)
		hints[got] = true
	}
}

func decode(t *testing.T, e *toolerr.Error) *toolerr.Error {
	t.Helper()
	var got toolerr.Error
	require.NoError(t, json.Unmarshal(e.AppendJSON(nil), &got))
	return &got
}

func TestAppendJSON_RetryAfter(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		e    *toolerr.Error
		want string
	}{
		"rounded up":    {toolerr.Transient("m").WithRetryAfter(1), `"retryAfterMs":1`},
		"whole":         {toolerr.Transient("m").WithRetryAfter(2 * time.Second), `"retryAfterMs":2000`},
		"absurd":        {toolerr.Transient("m").WithRetryAfter(math.MaxInt64), `"retryAfterMs":31536000000`},
		"negative":      {toolerr.Transient("m").WithRetryAfter(-1), ``},
		"not retryable": {toolerr.Business("m").WithRetryAfter(time.Second), ``},
		"partial":       {toolerr.Business("m").WithRetryAfter(time.Second).WithPartial(&toolerr.Partial{}), `"retryAfterMs":1000`},
	} {
		text := string(test.e.AppendJSON(nil))
		if test.want == "" {
			assert.NotContains(t, text, "retryAfterMs", name)
		} else {
			assert.Contains(t, text, test.want, name)
		}
	}
}

func TestAppendJSON_SanitizedText(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ in, want string }{
		"newline and tab stay": {"a\nb\tc", "a\nb\tc"},
		"controls":             {"a\x00b\x07c\x7fd\u0085e\r\nf", "abcde\nf"},
		"colors":               {"\x1b[31;1mred\x1b[0m \u009b1mbold", "red bold"},
		"a link":               {"\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\a me", "click me"},
		"an unfinished title":  {"\x1b]0;all of this stays", "0;all of this stays"},
		"bidi controls":        {"user\u202egnp.exe\u2066x\u2069\u200f", "usergnp.exex"},
		"zero width":           {"pass\u200bword\ufeff\u2060\u00ad", "password"},
		"tags":                 {"hi\U000e0068\U000e0069", "hi"},
		"joiners":              {"👨\u200d👩 می\u200cخواهم", "👨\u200d👩 می\u200cخواهم"},
		"arabic number sign":   {"\u0600\u0661", "\u0600\u0661"},
		"invalid UTF-8":        {"a\xffb\xc3", "a\ufffdb\ufffd"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, decode(t, toolerr.Transient("m: "+test.in)).Message[len("m: "):])
			var got toolerr.Error // decoded like encoded
			raw, err := json.Marshal(map[string]string{"message": test.in})
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(raw, &got))
			assert.Equal(t, test.want, got.Message)
		})
	}
}

func TestAppendJSON_Limits(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 5000)
	e := decode(t, toolerr.Validation(long).WithHint(strings.Repeat("x", 2049)))
	assert.Len(t, e.Message, 2047) // 1022 two-byte letters and a three-byte ellipsis
	assert.True(t, utf8.ValidString(e.Message))
	assert.True(t, strings.HasSuffix(e.Message, "ä…"))
	assert.Len(t, e.Hint, 2048)
	assert.Equal(t, strings.Repeat("x", 2048), decode(t, toolerr.Validation("m").WithHint(strings.Repeat("x", 2048))).Hint, "just fits")

	list := make([]string, 100)
	options := make([]any, 100)
	for i := range list {
		list[i], options[i] = "s", i
	}
	e = decode(t, toolerr.Validation("m").WithSuggestions(list...).WithOptions(options...).WithAlternatives(list...).
		WithAttempted(make([]toolerr.Attempt, 100)...))
	assert.Len(t, e.Suggestions, 20)
	assert.Len(t, e.Options, 20)
	assert.Len(t, e.Alternatives, 20)
	assert.Len(t, e.Attempted, 20)
}

func TestAppendJSON_Identifiers(t *testing.T) {
	t.Parallel()
	for name, id := range map[string]string{"too long": strings.Repeat("k", 2049), "controls": "a\x00b", "invisible": "a\u200bb", "invalid": "a\xff"} {
		e := decode(t, toolerr.Business("m").WithCode(toolerr.Code(id)).WithField(id).WithIdempotencyKey(id).WithCorrelationID(id).
			WithPartial(&toolerr.Partial{ContinueFrom: id}))
		assert.Empty(t, string(e.Code)+e.Field+e.IdempotencyKey+e.CorrelationID, name)
		require.NotNil(t, e.Partial, name)
		assert.Nil(t, e.Partial.ContinueFrom, name)
	}
	e := decode(t, toolerr.Business("m").WithIdempotencyKey(strings.Repeat("k", 2048)))
	assert.Len(t, e.IdempotencyKey, 2048)
}

func TestAppendJSON_SizeLimit(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("z", 2040)
	quotes := strings.Repeat(`"`, 2048)
	bigs := []string{big, big, big, big, big}
	e := toolerr.Transient("m").WithDetails(map[string]any{"d": bigs}).
		WithAttempted(toolerr.Attempt{Tool: big, Arguments: map[string]any{"a": bigs}})
	assert.Empty(t, decode(t, e).Details, "dropped first")

	e = toolerr.Transient("m").WithDetails(map[string]any{"d": big}).WithAttempted(toolerr.Attempt{Tool: big}).
		WithOptions(big).WithSuggestions(big)
	got := decode(t, e)
	assert.Empty(t, got.Details)
	assert.NotEmpty(t, got.Attempted)
	got = decode(t, e.WithHint(big))
	assert.Empty(t, got.Attempted, "dropped second")
	assert.NotEmpty(t, got.Options)
	got = decode(t, e.WithHint(big).WithCustomerMessage(big))
	assert.Empty(t, got.Options, "dropped third")
	assert.NotEmpty(t, got.Suggestions)
	got = decode(t, e.WithHint(big).WithCustomerMessage(big).WithMessage(big))
	assert.Empty(t, got.Suggestions, "dropped fourth")
	assert.Equal(t, big, got.Message)

	worst := &toolerr.Error{
		Category: toolerr.Category(quotes), Retryable: true, Code: toolerr.Code(quotes), Message: quotes, Hint: quotes,
		CustomerMessage: quotes, RetryAfter: math.MaxInt64, Field: quotes, Suggestions: bigs, Options: []any{bigs},
		Effect: toolerr.Effect(quotes), IdempotencyKey: quotes, Alternatives: bigs, CorrelationID: quotes,
		Details: map[string]any{quotes: bigs}, Attempted: []toolerr.Attempt{{Tool: quotes}},
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
	cycle := map[string]any{}
	cycle["a"], cycle["b"] = cycle, cycle
	list := []any{nil, nil}
	list[0], list[1] = list, list
	deep := any("x")
	for range 100 {
		deep = []any{deep}
	}
	for name, v := range map[string]any{
		"channel": make(chan int), "func": func() {}, "NaN": math.NaN(), "Inf": math.Inf(1), "complex": 1i,
		"panic": panics{}, "error": fails{}, "invalid JSON": invalid{}, "not a number": json.Number("true"), "raw": json.RawMessage("{"),
		"cycle": cycle, "list cycle": list, "deep": deep,
	} {
		e := toolerr.Business("m").WithDetails(map[string]any{"bad": v, "good": 1}).WithOptions(v, "fine")
		text := e.AppendJSON(nil)
		require.True(t, json.Valid(text), name)
		assert.LessOrEqual(t, len(text), 8<<10, name)
	}
	e := decode(t, toolerr.Business("m").WithDetails(map[string]any{"bad": make(chan int), "good": "yes", "typed": struct {
		A int `json:"a"`
	}{3}}).WithOptions(func() {}, "fine"))
	assert.Equal(t, map[string]any{"good": "yes", "typed": map[string]any{"a": 3.0}}, e.Details)
	assert.Equal(t, []any{nil, "fine"}, e.Options)
}

func TestMarshalJSON(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(full())
	require.NoError(t, err)
	assert.JSONEq(t, string(full().AppendJSON(nil)), string(text))
	var none *toolerr.Error
	assert.Equal(t, "null", string(none.AppendJSON(nil)))
}
