package toolerr_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// FuzzDecode compares what is read from a text with what is read from the same object as encoding/json
// writes it: each member once, sorted, and without escapes. What was read and written is read and written
// as the same.
func FuzzDecode(f *testing.F) {
	f.Add(string(full().AppendJSON(nil)))
	for _, in := range []string{
		`{"message":"a","Message":"b","message":"c","MESSAGE":"d","\u006dessage":"e"}`,
		`{"isRetryable":true,"isRetryable":null,"code":"timeout"}`,
		`{"message":"\ud800 \ud83d\ude00 \udc00\ud800\u0041 \u0000\b\f\/","code":"a\ud800"}`,
		"{\"message\":\"\xff\xc3(\",\"code\":\"\xff\",\"\xff\":1}",
		`{"retryAfterMs":1.5e3,"partial":{"processed":1e1,"total":-0,"continueFrom":16.0,"results":[ 1 , "a b" ]}}`,
		`{"retryAfterMs":"2000","attempted":[{"elapsedMs":1e400,"attempts":1e400,"arguments":{"a":{"b":[1,{}]}}},7,null]}`,
		`{"details":{"a":1,"a":{},"b":-0,"c":0.10,"d":1e21,"e":0.0000001,"f":123456789012345678,"":null,"\u200b":1},"options":[null,[[]],-1.25]}`,
		`{"details":{"a":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}}`,
		` { "effect" : "none" , "effect" : 7 } `,
		`{"a":01}`, `{"a":+1}`, `{"a":1.}`, `{"a":.5}`, `{"a":1e}`, `{"a":tru}`, `{,}`, `{"a":1,}`, `{"a" 1}`, `{} {}`, `[]`,
		`{"errorCategory":"business","isRetryable":true,"retryAfterMs":1e308,"partial":{"results":[{}]}}`,
		"{\"message\":\"\\u001b[31m\\ud800 \\u202e\",\"details\":{\"a\":[[[[]]]]}}",
		`null`, "{\"a\":\"\t\"}", `{"a":"\x"}`, `{"a":"\u12g4"}`,
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
		once, again := got.AppendJSON(nil), new(toolerr.Error)
		require.True(t, json.Valid(once), "%s", once)
		require.True(t, got.Partial != nil || len(once) <= 8<<10, "%s", once)
		require.NoError(t, again.UnmarshalJSON(once))
		require.Equal(t, string(once), string(again.AppendJSON(nil)), "encoded twice")
		require.GreaterOrEqual(t, got.RetryAfter, time.Duration(0))
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
