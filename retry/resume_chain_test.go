package retry_test

import (
	"context"
	"encoding/json"
	"fmt"
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
		answer = result.Failure(e)
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
	for name, test := range map[string]struct {
		p    retry.Policy
		name string
		key  any
	}{
		"the caller's key":                 {retry.Policy{Safety: retry.SafetyKeyed}, "idempotency_key", "refund-7"},
		"the caller's key, unknown safety": {retry.Policy{}, "idempotency_key", "refund-7"},
		"another name":                     {retry.Policy{Safety: retry.SafetyKeyed, KeyArgument: "request_id"}, "request_id", "refund-7"},
		"a new key":                        {retry.Policy{Safety: retry.SafetyKeyed}, "idempotency_key", nil},
		"a new key of another name":        {retry.Policy{Safety: retry.SafetyKeyed, KeyArgument: "request_id"}, "request_id", nil},
		"a guard":                          {retry.Policy{Safety: retry.SafetyKeyed, Guard: new(retry.Guard)}, "idempotency_key", "refund-7"},
		"a guard, a new key":               {retry.Policy{Safety: retry.SafetyKeyed, Guard: new(retry.Guard)}, "idempotency_key", nil},
	} {
		for _, effect := range []toolerr.Effect{"", toolerr.EffectApplied} {
			b := newKeyedBatch(test.name, effect)
			arguments := map[string]any{"total": 3}
			if test.key != nil {
				arguments[test.name] = test.key
			}
			chain := func() (result.Outcome, retry.Decision) {
				return retry.Resume(t.Context(), func(ctx context.Context, p *mcp.CallToolParams) (result.Outcome, retry.Decision) {
					return retry.CallTool(ctx, test.p, b, p)
				}, &mcp.CallToolParams{Name: "pay", Arguments: arguments}, "from")
			}
			for range 2 {
				out, d := chain()
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
		}
	}
}

// TestResume_KeyOfAPart checks the rule, which does not change: a repeat may come from a later
// version.
func TestResume_KeyOfAPart(t *testing.T) {
	t.Parallel()
	b := newKeyedBatch("idempotency_key", "")
	_, _ = retry.Resume(t.Context(), func(ctx context.Context, p *mcp.CallToolParams) (result.Outcome, retry.Decision) {
		return retry.CallTool(ctx, retry.Policy{}, b, p)
	}, &mcp.CallToolParams{Name: "pay", Arguments: map[string]any{"idempotency_key": "refund-7"}}, "from")
	assert.Equal(t, []string{"refund-7", "a21325e7-b9e4-44b5-2370-e73c19498ee4", "92b85131-4863-ddc7-273c-cfc42ee3dd63"}, b.keys)
}

// TestResume_LostPart checks that a chain that ends with a lost answer has the key of the first
// part, and that a repeat with it does nothing twice.
func TestResume_LostPart(t *testing.T) {
	t.Parallel()
	for lose := 1; lose <= 3; lose++ {
		b := newKeyedBatch("idempotency_key", "")
		b.lose = lose
		arguments := map[string]any{}
		chain := func() (result.Outcome, retry.Decision) {
			return retry.Resume(t.Context(), func(ctx context.Context, p *mcp.CallToolParams) (result.Outcome, retry.Decision) {
				return retry.CallTool(ctx, retry.Policy{Safety: retry.SafetyKeyed}, b, p)
			}, &mcp.CallToolParams{Name: "pay", Arguments: arguments}, "from")
		}
		out, d := chain()
		require.Equal(t, retry.ActionVerify, d.Action, lose)
		assert.Equal(t, b.keys[0], out.Err.IdempotencyKey, lose)
		arguments["idempotency_key"] = out.Err.IdempotencyKey
		out, d = chain()
		assert.Equal(t, "accept [0,1,2]", d.Action.String()+" "+out.Text(), lose)
		assert.Equal(t, 3, b.worked, lose)
	}
}

// TestResume_Effects checks that the effect of a chain is the worst of its parts.
func TestResume_Effects(t *testing.T) {
	t.Parallel()
	part := func(e toolerr.Effect, processed int) *toolerr.Error {
		return &toolerr.Error{Category: toolerr.CategoryTransient, Message: "More.", Effect: e, Partial: &toolerr.Partial{
			Processed: processed, Total: 200, ContinueFrom: processed + 1, Results: json.RawMessage(`[1]`),
		}}
	}
	firsts := map[string]struct {
		e      *toolerr.Error
		safety retry.Safety
		effect toolerr.Effect
	}{
		"applied":              {part("applied", 100), retry.SafetyUnknown, "applied"},
		"processed":            {part("", 100), retry.SafetyUnknown, "applied"},
		"processed, keyed":     {part("", 100), retry.SafetyKeyed, "applied"},
		"nothing processed":    {part("none", 0), retry.SafetyUnknown, "none"},
		"not stated":           {part("", 0), retry.SafetyUnknown, ""},
		"read-only":            {part("", 100), retry.SafetyReadOnly, "none"},
		"read-only and stated": {part("none", 100), retry.SafetyReadOnly, "none"},
	}
	lasts := map[string]*toolerr.Error{
		"refused": toolerr.Business("No."), "denied": toolerr.Permission("No.").WithEffect("none"), "lost": errLost.WithRetryable(false), "stated": toolerr.Business("No.").WithEffect("applied"),
		"a part": part("none", 150).WithMessage("No."), "busy": errRefused,
	}
	rank := map[toolerr.Effect]int{"none": 0, "": 1, "unknown": 2, "applied": 3}
	for name, first := range firsts {
		for last, e := range lasts {
			s := &script{answers: []any{first.e, e}}
			calls := 0
			out, _ := retry.Resume(t.Context(), func(ctx context.Context, p *mcp.CallToolParams) (result.Outcome, retry.Decision) {
				if calls++; calls == 3 {
					return result.Outcome{}, retry.Decision{}
				}
				return retry.CallTool(ctx, retry.Policy{Safety: first.safety, MaxAttempts: 1}, s, p)
			}, &mcp.CallToolParams{Name: "pay"}, "from")
			want := e.Effect
			if rank[first.effect] > rank[want] {
				want = first.effect
			}
			if first.safety == retry.SafetyReadOnly {
				want = "none"
			}
			if calls == 3 { // the last part is continued
				continue
			}
			require.NotNil(t, out.Err.Partial, "%s, then %s", name, last)
			assert.Equal(t, want, out.Err.Effect, "%s, then %s: %s", name, last, out.Text())
			assert.False(t, out.Err.Retryable)
		}
	}
}
