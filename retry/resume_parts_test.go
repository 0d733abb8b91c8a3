package retry_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A keyedBatch is a server with a keyed tool that pays three orders, one a call. It replays the
// answer to a key, and refuses a key with other arguments.
type keyedBatch struct {
	argument string // the name of the key
	effect   toolerr.Effect
	lose     int // the number of the call whose answer is lost
	calls    int
	worked   int
	answers  map[string]*mcp.CallToolResult
	from     map[string]string
	keys     []string
}

func (b *keyedBatch) CallTool(_ context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	b.calls++
	arguments, _ := params.Arguments.(map[string]any)
	key, _ := arguments[b.argument].(string)
	from := fmt.Sprint(arguments["from"])
	b.keys = append(b.keys, key)
	switch answer := b.answers[key]; {
	case answer != nil && b.from[key] != from:
		return result.Failure(toolerr.Business("Another call has this key.").WithCode(toolerr.CodeConflict)), nil
	case answer != nil:
		return answer, nil
	}
	at := 0
	_, _ = fmt.Sscan(from, &at)
	b.worked++
	answer := result.OK([]int{at})
	if at < 2 {
		e := &toolerr.Error{Category: toolerr.CategoryTransient, Message: "More.", Effect: b.effect, Partial: &toolerr.Partial{
			Processed: at + 1, Total: 3, ContinueFrom: at + 1, Results: json.RawMessage(fmt.Sprintf("[%d]", at)),
		}}
		answer = sent(e)
	}
	if key != "" {
		b.answers[key], b.from[key] = answer, from
	}
	if b.calls == b.lose {
		return nil, fmt.Errorf("lost: %w", mcp.ErrConnectionClosed)
	}
	return answer, nil
}

func newKeyedBatch(argument string, effect toolerr.Effect) *keyedBatch {
	return &keyedBatch{argument: argument, effect: effect, answers: map[string]*mcp.CallToolResult{}, from: map[string]string{}}
}

// TestResume_Keys checks that each part has a key of its own, also if the caller gave the
// first one, and that a repeat of the whole chain gets the same answers.
func TestResume_Keys(t *testing.T) {
	t.Parallel()
	keyed := func(name string, g *retry.Guard) retry.Policy {
		return retry.Policy{Safety: retry.SafetyKeyed, KeyArgument: name, Guard: g}
	}
	for name, test := range map[string]struct {
		p   retry.Policy
		key any
	}{
		"the caller's key":                 {keyed("", nil), "refund-7"},
		"the caller's key, unknown safety": {retry.Policy{}, "refund-7"},
		"another name":                     {keyed("request_id", nil), "refund-7"},
		"a new key":                        {keyed("", nil), nil},
		"a new key of another name":        {keyed("request_id", nil), nil},
		"a guard":                          {keyed("", new(retry.Guard)), "refund-7"},
		"a guard, a new key":               {keyed("", new(retry.Guard)), nil},
	} {
		for _, effect := range []toolerr.Effect{"", toolerr.EffectApplied} {
			b := newKeyedBatch(cmp.Or(test.p.KeyArgument, "idempotency_key"), effect)
			arguments := map[string]any{"total": 3}
			if test.key != nil {
				arguments[b.argument] = test.key
			}
			for range 2 {
				out, d := resume(t.Context(), test.p, b, arguments)
				assert.Equal(t, "accept [0,1,2]", d.Action.String()+" "+out.Text(), name)
				if test.key == nil {
					break // the second chain is another call
				}
			}
			assert.Equal(t, 3, b.worked, name)
			distinct := map[string]bool{}
			for _, key := range b.keys {
				assert.NotEmpty(t, key, name)
				distinct[key] = true
			}
			assert.Len(t, distinct, 3, name)
			assert.NotContains(t, arguments, "from", "the caller's arguments")
			if name == "the caller's key" { // the rule does not change: a repeat may come from a later version
				rule := []string{"refund-7", "a21325e7-b9e4-44b5-2370-e73c19498ee4", "92b85131-4863-ddc7-273c-cfc42ee3dd63"}
				assert.Equal(t, slices.Concat(rule, rule), b.keys)
			}
		}
	}
}

// TestResume_LostPart checks that a chain that ends with a lost answer has the key of the first
// part, and that a repeat with it does nothing twice.
func TestResume_LostPart(t *testing.T) {
	t.Parallel()
	for lose := 1; lose <= 3; lose++ {
		b := newKeyedBatch("idempotency_key", "")
		b.lose = lose
		arguments := map[string]any{}
		out, d := resume(t.Context(), retry.Policy{Safety: retry.SafetyKeyed}, b, arguments)
		require.Equal(t, retry.ActionVerify, d.Action, lose)
		assert.Equal(t, b.keys[0], out.Err.IdempotencyKey, lose)
		arguments["idempotency_key"] = out.Err.IdempotencyKey
		out, d = resume(t.Context(), retry.Policy{Safety: retry.SafetyKeyed}, b, arguments)
		assert.Equal(t, "accept [0,1,2]", d.Action.String()+" "+out.Text(), lose)
		assert.Equal(t, 3, b.worked, lose)
	}
}
