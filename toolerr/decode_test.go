package toolerr_test

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestUnmarshalJSON_Retryable(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		in        string
		retryable bool
		effect    toolerr.Effect
	}{
		"explicit":                     {`{"errorCategory":"transient","isRetryable":true}`, true, ""},
		"explicit on any category":     {`{"errorCategory":"permission","isRetryable":true}`, true, ""},
		"explicit false":               {`{"code":"timeout","isRetryable":false}`, false, ""},
		"absent":                       {`{"errorCategory":"transient"}`, false, ""},
		"absent, known transient code": {`{"errorCategory":"transient","code":"rate_limited"}`, true, toolerr.EffectUnknown},
		"absent, effect given":         {`{"code":"unavailable","effect":"none"}`, true, toolerr.EffectNone},
		"absent, other code":           {`{"errorCategory":"transient","code":"internal"}`, false, ""},
		"unknown category":             {`{"errorCategory":"quantum"}`, false, ""},
		"not a bool":                   {`{"isRetryable":"true"}`, false, ""},
		"partial":                      {`{"isRetryable":true,"partial":{"processed":1}}`, false, ""},
		"partial, transient code":      {`{"code":"timeout","partial":{"processed":1}}`, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var e toolerr.Error
			require.NoError(t, json.Unmarshal([]byte(test.in), &e))
			assert.Equal(t, test.retryable, e.Retryable)
			assert.Equal(t, test.effect, e.Effect)
		})
	}
}

func TestUnmarshalJSON_Delays(t *testing.T) {
	t.Parallel()
	year := 365 * 24 * time.Hour
	for in, want := range map[string]time.Duration{
		`2000`: 2 * time.Second, `0.1`: time.Millisecond, `1.5e3`: 1500 * time.Millisecond, `"2000"`: 2 * time.Second,
		`-1`: 0, `0`: 0, `"NaN"`: 0, `"soon"`: 0, `null`: 0, `{}`: 0, `true`: 0, `-1e400`: 0, `1e-400`: 0,
		`1e308`: year, `1e400`: year, `9223372036854775808`: year, `9223372036854775807`: year,
	} {
		var e toolerr.Error
		require.NoError(t, json.Unmarshal([]byte(`{"isRetryable":true,"message":"m","retryAfterMs":`+in+`}`), &e), in)
		assert.Equal(t, want, e.RetryAfter, in)
		assert.Equal(t, "m", e.Message, in)
	}
}

func TestUnmarshalJSON_WrongTypes(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]string{"array": `[1]`, "string": `"x"`, "number": `3`, "cut": `{"message":"m`, "empty": ``} {
		var e toolerr.Error
		require.Error(t, e.UnmarshalJSON([]byte(in)), name)
	}
	e := toolerr.Error{Message: "stays"}
	require.NoError(t, e.UnmarshalJSON([]byte(`null`)))
	assert.Equal(t, "stays", e.Message)

	in := `{"message":7,"code":[],"hint":"h","suggestions":["a",5,"b"],"options":"no","details":[1],"attempted":{},
		"partial":{"processed":-3,"total":"many","continueFrom":{"x":1},"results":null},"future":{"a":1},"isError":false}`
	require.NoError(t, json.Unmarshal([]byte(in), &e))
	assert.Empty(t, e.Message)
	assert.Equal(t, "h", e.Hint, "a member of the right type")
	assert.Equal(t, []string{"a", "b"}, e.Suggestions)
	assert.Nil(t, e.Options)
	assert.Nil(t, e.Details)
	assert.Nil(t, e.Attempted)
	assert.Equal(t, &toolerr.Partial{}, e.Partial)
}

func TestUnmarshalJSON_Bounds(t *testing.T) {
	t.Parallel()
	nested := strings.Repeat("[", 1<<20)
	var e toolerr.Error
	require.Error(t, json.Unmarshal([]byte(`{"details":{"a":`+nested+`}}`), &e))
	in, err := json.Marshal(map[string]any{
		"message": strings.Repeat("m", 1<<20), "details": map[string]any{"a": strings.Repeat("d", 1<<20)},
		"suggestions": strings.Split(strings.Repeat("s ", 1<<16), " "), "partial": map[string]any{"continueFrom": int64(9007199254740993)},
	})
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(in, &e))
	assert.Len(t, e.Message, 2048)
	assert.Len(t, e.Details["a"], 2048)
	assert.Len(t, e.Suggestions, 20)
	assert.Equal(t, json.Number("9007199254740993"), e.Partial.ContinueFrom)
}

func FuzzDecode(f *testing.F) {
	f.Add(full().AppendJSON(nil))
	f.Add([]byte(`{"errorCategory":"business","isRetryable":true,"retryAfterMs":1e308,"partial":{"results":[{}]}}`))
	f.Add([]byte("{\"message\":\"\\u001b[31m\\ud800 \\u202e\",\"details\":{\"a\":[[[[]]]]}}"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var e toolerr.Error
		if e.UnmarshalJSON(in) != nil {
			return
		}
		once := e.AppendJSON(nil)
		require.True(t, json.Valid(once), "%s", once)
		if e.Partial == nil {
			require.LessOrEqual(t, len(once), 8<<10)
		}
		var again toolerr.Error
		require.NoError(t, again.UnmarshalJSON(once))
		twice := again.AppendJSON(nil)
		require.Equal(t, string(once), string(twice), "encoded twice")
		require.GreaterOrEqual(t, e.RetryAfter, time.Duration(0))
	})
}

func TestUnmarshalJSON_Names(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		in   string
		want toolerr.Error
	}{
		"other case": {`{"isRetryable":false,"IsRetryable":true,"Message":"m","MESSAGE":"n"}`, toolerr.Error{}},
		"other case, later": {
			`{"isError":true,"isRetryable":false,"message":"m","details":{"a":1},"Details":{"a":2},"PARTIAL":{}}`,
			toolerr.Error{Message: "m", Details: map[string]any{"a": 1.0}},
		},
		"nested": {
			`{"attempted":[{"Tool":"t","tool":"u"}],"partial":{"Processed":3,"TOTAL":4}}`,
			toolerr.Error{Attempted: []toolerr.Attempt{{Tool: "u"}}, Partial: &toolerr.Partial{}},
		},
		"twice":                {`{"message":"m","code":"a","message":"n","code":"b"}`, toolerr.Error{Message: "n", Code: "b"}},
		"twice, wrong type":    {`{"message":"m","message":7}`, toolerr.Error{}},
		"twice, retryable":     {`{"isRetryable":true,"isRetryable":false,"code":"timeout"}`, toolerr.Error{Code: "timeout"}},
		"twice, attempted":     {`{"attempted":[{"tool":"t","code":"c"}],"attempted":[{"attempts":2}]}`, toolerr.Error{Attempted: []toolerr.Attempt{{Attempts: 2}}}},
		"a flag as a string":   {`{"isRetryable":"false","code":"timeout"}`, toolerr.Error{Code: "timeout"}},
		"more than 2 billion":  {`{"partial":{"processed":3000000000,"total":1e300}}`, toolerr.Error{Partial: &toolerr.Partial{Processed: fittingInt(3_000_000_000), Total: fittingInt(1 << 53)}}},
		"a fraction as cursor": {`{"partial":{"continueFrom":1.5}}`, toolerr.Error{Partial: &toolerr.Partial{}}},
		"a float as cursor":    {`{"partial":{"continueFrom":16.0}}`, toolerr.Error{Partial: &toolerr.Partial{ContinueFrom: json.Number("16")}}},
	} {
		var e toolerr.Error
		require.NoError(t, json.Unmarshal([]byte(test.in), &e), name)
		assert.Equal(t, test.want, e, name)
	}
}

// TestUnmarshalJSON_Memory decodes many small values, which take more memory than their
// text. The number of allocations must not grow with the text.
func TestUnmarshalJSON_Memory(t *testing.T) {
	list := strings.Repeat(`{},`, 300_000)
	for name, text := range map[string]string{
		"lists": `{"isRetryable":true,"message":"m","suggestions":["a",` + list + `"b"],"options":[` + list + `1],"details":{"a":[` + list +
			`1]},"alternatives":["b"],"attempted":[` + list + `{}]}`,
		"names":   `{"message":"m",` + strings.Repeat(`"details":{"a":[1,2]},"attempted":[{}],"partial":{"results":[1]},`, 20_000) + `"x":1}`,
		"unknown": `{"message":"m","x":{"a":[` + strings.Repeat(`{"a":["b"]},`, 100_000) + `1]},"partial":{}}`,
		"nested":  `{"message":"m","details":{"a":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}}`,
		"members": `{"message":"m","details":{"a":{` + strings.Repeat(`"abc":"b",`, 100_000) + `"c":1}}}`,
	} {
		raw := []byte(text)
		var e toolerr.Error
		require.NoError(t, e.UnmarshalJSON(raw), name)
		assert.Equal(t, "m", e.Message, name)
		if name == "lists" {
			assert.Equal(t, []string{"a", "b"}, e.Suggestions)
			assert.Len(t, e.Options, 20)
			assert.Len(t, e.Attempted, 20)
			assert.Len(t, e.Details["a"], 20)
		}
		assert.Less(t, testing.AllocsPerRun(1, func() { _ = new(toolerr.Error).UnmarshalJSON(raw) }), 5e3, name)
	}
}

// TestUnmarshalJSON_Allocations expects one allocation for each stored value, and three more
// for a text with escapes.
func TestUnmarshalJSON_Allocations(t *testing.T) {
	limits := map[string]int{"short": 1, "quote": 5, "full": 9, "attempted": 15, "partial": 7}
	for _, s := range samples() {
		raw := s.e.AppendJSON(nil)
		assert.LessOrEqual(t, allocs.Fewest(func() { _ = new(toolerr.Error).UnmarshalJSON(raw) }), limits[s.name], s.name)
	}
	assert.Len(t, limits, len(samples()))
}

// TestUnmarshalJSON_LargeText checks that decoded strings do not keep the input in memory.
func TestUnmarshalJSON_LargeText(t *testing.T) {
	const texts, size = 20, 1 << 20
	kept := make([]toolerr.Error, texts)
	before := allocs.Heap()
	for i := range kept {
		raw := []byte(`{"message":"m","code":"c","suggestions":["a"],"details":{"a":["b",1e400]},"x":"` + strings.Repeat("x", size) + `"}`)
		require.NoError(t, kept[i].UnmarshalJSON(raw))
	}
	assert.Less(t, allocs.Heap()-before, texts*size/4)
	runtime.KeepAlive(kept)
}

// TestUnmarshalJSON_TooManyParts checks that details keep the parts within the limit.
func TestUnmarshalJSON_TooManyParts(t *testing.T) {
	t.Parallel()
	list := func(item string) string { return "[" + strings.Repeat(item+",", 19) + item + "]" }
	var e toolerr.Error
	require.NoError(t, e.UnmarshalJSON([]byte(`{"message":"m","details":{"a":1,"b":`+list(list(list("true")))+`,"c":2}}`)))
	assert.InDelta(t, 1, e.Details["a"], 0)
	require.Len(t, e.Details["b"], 20)
	assert.NotContains(t, e.Details, "c")
}

func TestUnmarshalJSON_TooLargeDetails(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, `,"k%d":%d`, i, i)
	}
	raw := []byte(`{"message":"m","details":{` + text.String()[1:] + `}}`)
	var e, again toolerr.Error
	require.NoError(t, e.UnmarshalJSON(raw))
	require.NoError(t, again.UnmarshalJSON(raw))
	assert.Equal(t, e, again)
}

// fittingInt returns n, or 0 if an int cannot hold it.
func fittingInt(n int64) int {
	if n > math.MaxInt {
		return 0
	}
	return int(n)
}
