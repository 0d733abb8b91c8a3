package toolerr_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// FuzzUnmarshalJSON compares what is read from a text with what is read from the same object as
// encoding/json writes it: each member once, sorted, and without escapes.
func FuzzUnmarshalJSON(f *testing.F) {
	f.Add(string(full().AppendJSON(nil)))
	for _, in := range []string{
		`{"message":"a","Message":"b","message":"c","MESSAGE":"d","\u006dessage":"e"}`, `{"isRetryable":true,"isRetryable":null,"code":"timeout"}`,
		`{"message":"\ud800 \ud83d\ude00 \udc00\ud800\u0041 \u0000\b\f\/","code":"a\ud800"}`, "{\"message\":\"\xff\xc3(\",\"code\":\"\xff\",\"\xff\":1}",
		`{"retryAfterMs":1.5e3,"partial":{"processed":1e1,"total":-0,"continueFrom":16.0,"results":[ 1 , "a b" ]}}`,
		`{"retryAfterMs":"2000","attempted":[{"elapsedMs":1e400,"attempts":1e400,"arguments":{"a":{"b":[1,{}]}}},7,null]}`,
		`{"details":{"a":1,"a":{},"b":-0,"c":0.10,"d":1e21,"e":0.0000001,"f":123456789012345678,"":null,"\u200b":1},"options":[null,[[]],-1.25]}`,
		`{"details":{"a":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}}`, ` { "effect" : "none" , "effect" : 7 } `,
		`{"a":01}`, `{"a":+1}`, `{"a":1.}`, `{"a":.5}`, `{"a":1e}`, `{"a":tru}`, `{,}`, `{"a":1,}`, `{"a" 1}`, `{} {}`, `[]`, `null`, "{\"a\":\"\t\"}", `{"a":"\x"}`, `{"a":"\u12g4"}`,
	} {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		var got, want toolerr.Error
		err := got.UnmarshalJSON([]byte(in))
		if strings.TrimSpace(in) == "null" {
			require.NoError(t, err)
			return
		}
		var object map[string]any
		d := json.NewDecoder(strings.NewReader(in))
		d.UseNumber()
		if !json.Valid([]byte(in)) || d.Decode(&object) != nil {
			require.Error(t, err, in)
			require.Equal(t, toolerr.Error{}, got, "value after an error")
			return
		}
		require.NoError(t, err, in)
		plain, err := json.Marshal(object)
		require.NoError(t, err)
		require.NoError(t, want.UnmarshalJSON(plain))
		if got.Partial != nil && want.Partial != nil {
			want.Partial.Results = got.Partial.Results // spelled as they were
		}
		if len(in) > 4<<10 { // a limit may be reached at another member
			got.Details, got.Options, got.Attempted, want.Details, want.Options, want.Attempted = nil, nil, nil, nil, nil, nil
		}
		require.Equal(t, want, got, in)
	})
}

// FuzzDecode checks that an envelope which was read and written is read and written as the same.
func FuzzDecode(f *testing.F) {
	f.Add(full().AppendJSON(nil))
	f.Add([]byte(`{"errorCategory":"business","isRetryable":true,"retryAfterMs":1e308,"partial":{"results":[{}]}}`))
	f.Add([]byte("{\"message\":\"\\u001b[31m\\ud800 \\u202e\",\"details\":{\"a\":[[[[]]]]}}"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var e, again toolerr.Error
		if e.UnmarshalJSON(in) != nil {
			return
		}
		once := e.AppendJSON(nil)
		require.True(t, json.Valid(once), "%s", once)
		if e.Partial == nil {
			require.LessOrEqual(t, len(once), 8<<10)
		}
		require.NoError(t, again.UnmarshalJSON(once))
		require.Equal(t, string(once), string(again.AppendJSON(nil)), "encoded twice")
		require.GreaterOrEqual(t, e.RetryAfter, time.Duration(0))
	})
}

// TestUnmarshalJSON_Memory decodes many small values, which take more memory than their
// text: they take less of it than with json.Unmarshal, and few of them are kept.
func TestUnmarshalJSON_Memory(t *testing.T) {
	list := strings.Repeat(`{},`, 300_000)
	for name, text := range map[string]string{
		"lists": `{"isRetryable":true,"message":"m","suggestions":["a",` + list + `"b"],"options":[` + list + `1],"details":{"a":[` + list +
			`1]},"alternatives":["b"],"attempted":[` + list + `{}]}`,
		"names":   `{"message":"m",` + strings.Repeat(`"details":{"a":[1,2]},"attempted":[{}],"partial":{"results":[1]},`, 20_000) + `"x":1}`,
		"unknown": `{"message":"m","x":{"a":[` + strings.Repeat(`{"a":["b"]},`, 100_000) + `1]},"partial":{}}`,
		"nested":  `{"message":"m","details":{"a":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}}`,
		"members": `{"message":"m","details":{"a":{` + strings.Repeat(`"abc":"b",`, 100_000) + `"c":1}}}`,
		"text":    `{"message":"m","details":{"a":"` + strings.Repeat("d", 1<<20) + `"}}`,
	} {
		raw := []byte(text)
		var e toolerr.Error
		require.NoError(t, e.UnmarshalJSON(raw), name)
		assert.Equal(t, "m", e.Message, name)
		switch name {
		case "text":
			assert.Len(t, e.Details["a"], 2048)
		case "lists":
			assert.Equal(t, []string{"a", "b"}, e.Suggestions)
			assert.Equal(t, [3]int{20, 20, 20}, [3]int{len(e.Options), len(e.Attempted), len(testutil.As[[]any](t, e.Details["a"]))})
		}
		limit := testing.AllocsPerRun(1, func() { _ = json.Unmarshal(raw, new(any)) })
		assert.Less(t, testing.AllocsPerRun(1, func() { _ = new(toolerr.Error).UnmarshalJSON(raw) }), 1.2*limit+50, name)
	}
	require.Error(t, new(toolerr.Error).UnmarshalJSON([]byte(`{"details":{"a":`+strings.Repeat("[", 1<<20)+`}}`)))
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
