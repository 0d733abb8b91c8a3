package idempotency_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
)

type noted struct {
	Text           string `json:"text"`
	IdempotencyKey string `json:"idempotency_key,omitempty"`
}

type noteReceipt struct {
	For string `json:"for"`
	Run int    `json:"run"`
}

// FuzzSession_Principals lets two principals call with the same key of arbitrary bytes. Each must
// get only its own answers, and a repeat must get the first answer.
func FuzzSession_Principals(f *testing.F) {
	f.Add("k", "a", "b")
	f.Add("", "a", "a")
	f.Add("ann\x00k", "\xff", "\n")
	f.Add("../ann", `{"a":1}`, "")
	n, runs, who := 0, 0, "ann"
	opts := &idempotency.Options{Principal: func(*mcp.CallToolRequest) string { return who }}
	session := testutil.Connect(f, keyed(nil, opts, func(_ context.Context, _ *mcp.CallToolRequest, in noted) (*mcp.CallToolResult, noteReceipt, error) {
		runs++
		return nil, noteReceipt{who + " " + in.Text, runs}, nil
	}), nil)
	f.Fuzz(func(t *testing.T, key, first, second string) {
		n++
		key = fmt.Sprint(key, n) // new in every run
		call := func(name, text string) (noteReceipt, result.Outcome) {
			who = name
			out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "charge", Arguments: noted{text, key}}))
			got, err := result.Decode[noteReceipt](out)
			require.Equal(t, out.Kind == result.KindData, err == nil)
			return got, out
		}
		a, out := call("ann", first)
		if out.Kind != result.KindData { // a rejected key
			require.Equal(t, "idempotency_key", out.Err.Field)
			return
		}
		b, _ := call("bob", first)
		assert.NotEqual(t, a.Run, b.Run, "the same key of another is another key")
		assert.Contains(t, b.For, "bob ")
		again, _ := call("ann", first)
		assert.Equal(t, a, again)
		rawFirst, _ := json.Marshal(first)
		if rawSecond, _ := json.Marshal(second); string(rawFirst) != string(rawSecond) {
			_, out = call("ann", second)
			require.Equal(t, result.KindFailure, out.Kind, "never a replay for other arguments")
			assert.NotContains(t, out.Text(), a.For+"\"")
		}
		assert.Equal(t, b.Run, runs)
	})
}
