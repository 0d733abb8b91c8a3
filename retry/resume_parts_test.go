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

// TestResume_Effects checks that the effect of a chain is the worst of its parts.
func TestResume_Effects(t *testing.T) {
	t.Parallel()
	of := func(e toolerr.Effect, processed int) *toolerr.Error {
		p := &toolerr.Partial{Processed: processed, Total: 200, ContinueFrom: processed + 1, Results: json.RawMessage(`[1]`)}
		return &toolerr.Error{Category: toolerr.CategoryTransient, Message: "More.", Effect: e, Partial: p}
	}
	rank := map[toolerr.Effect]int{"none": 0, "": 1, "unknown": 2, "applied": 3}
	for name, first := range map[string]struct {
		e      *toolerr.Error
		safety retry.Safety
		effect toolerr.Effect
	}{
		"applied":              {of("applied", 100), retry.SafetyUnknown, "applied"},
		"processed":            {of("", 100), retry.SafetyUnknown, "applied"},
		"processed, keyed":     {of("", 100), retry.SafetyKeyed, "applied"},
		"nothing processed":    {of("none", 0), retry.SafetyUnknown, "none"},
		"not stated":           {of("", 0), retry.SafetyUnknown, ""},
		"read-only":            {of("", 100), retry.SafetyReadOnly, "none"},
		"read-only and stated": {of("none", 100), retry.SafetyReadOnly, "none"},
	} {
		for last, e := range map[string]*toolerr.Error{
			"refused": toolerr.Business("No."), "denied": toolerr.Permission("No.").WithEffect("none"), "lost": errLost.WithRetryable(false),
			"stated": toolerr.Business("No.").WithEffect("applied"), "busy": errRefused,
		} {
			out, _ := resume(t.Context(), retry.Policy{Safety: first.safety, MaxAttempts: 1}, &script{answers: []any{first.e, e}}, nil)
			want := e.Effect
			if rank[first.effect] > rank[want] {
				want = first.effect
			}
			if first.safety == retry.SafetyReadOnly {
				want = "none"
			}
			require.NotNil(t, out.Err.Partial, "%s, then %s", name, last)
			assert.Equal(t, want, out.Err.Effect, "%s, then %s: %s", name, last, out.Text())
			assert.False(t, out.Err.Retryable)
		}
	}
}

// TestResume_AllSoFar checks that a part that repeats all earlier ones replaces them,
// however it is written. A part that only looks similar is added.
func TestResume_AllSoFar(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		parts []string
		done  []int // processed, for each part
		want  string
	}{
		"lists":             {[]string{`[1]`, `[1,2]`, `[1,2,3]`}, []int{1, 2, 3}, `[1,2,3]`},
		"objects":           {[]string{`{"orders":[1],"next":2}`, `{"orders":[1,2],"next":3}`, `{"orders":[1,2,3]}`}, []int{1, 2, 3}, `{"orders":[1,2,3]}`},
		"after a count":     {[]string{`{"n":9,"orders":[{"a":[1]}]}`, `{"n":10,"orders":[{"a":[1]},{"a":["]"]}]}`}, []int{1, 2}, `{"n":10,"orders":[{"a":[1]},{"a":["]"]}]}`},
		"spaces":            {[]string{`[1, 2]`, `[1,2, 3]`}, []int{2, 3}, `[1,2,3]`},
		"several at once":   {[]string{`[1,2]`, `[1,2,3,4,5]`, `[1,2,3,4,5,6]`}, []int{2, 5, 6}, `[1,2,3,4,5,6]`},
		"parts alone":       {[]string{`[1]`, `[2]`, `[3]`}, []int{1, 2, 3}, `[1,2,3]`},
		"of each call":      {[]string{`[1]`, `[2]`, `[3,4]`}, []int{1, 1, 2}, `[1,2,3,4]`},
		"identical parts":   {[]string{`[1]`, `[1]`, `[1]`}, []int{1, 2, 3}, `[1,1,1]`},
		"alone, then all":   {[]string{`[1]`, `[2]`, `[1,2,3]`}, []int{1, 2, 3}, `[1,2,3]`},
		"after parts alone": {[]string{`[1]`, `[2]`, `[2,3]`}, []int{1, 2, 3}, `[1,2,2,3]`},
		"begins alike":      {[]string{`[1]`, `[1,2]`}, []int{1, 3}, `[1,1,2]`},
		"in a string":       {[]string{`{"orders":[1]}`, `{"text":"[1,","orders":[2,3]}`}, []int{1, 3}, `{"orders":[1,2,3],"text":"[1,"}`},
		"in another list":   {[]string{`[1]`, `[[1,2],3]`}, []int{1, 3}, `[1,[1,2],3]`},
		"in an object":      {[]string{`{"orders":[1]}`, `{"of":{"orders":[1,2]},"orders":[2]}`}, []int{1, 2}, `{"of":{"orders":[1,2]},"orders":[1,2]}`},
		"longer numbers":    {[]string{`[1]`, `[12,3]`}, []int{1, 3}, `[1,12,3]`},
		"two lists":         {[]string{`{"a":[1],"b":[5]}`, `{"a":[1,2],"b":[6]}`}, []int{1, 2}, `{"a":[1,1,2],"b":[5,6]}`},
		"malformed":         {[]string{`[1]`, `[2`}, []int{1, 2}, `[1]`},
		"empty first":       {[]string{`[]`, `[[]]`}, []int{1, 2}, `[[]]`},
		"a list after one":  {[]string{`{"orders":[1],"next":2}`, `[2]`}, []int{1, 2}, `[1,2]`},
		"a value":           {[]string{`[1]`, `"x"`, `{"a":1}`}, []int{1, 2, 3}, `[1,"x",{"a":1}]`},
		"values":            {[]string{`"x"`, `7`}, []int{1, 2}, `["x",7]`},
		"no list":           {[]string{`{"a":1}`, `{"a":2}`}, []int{1, 2}, `[{"a":1},{"a":2}]`},
	} {
		n := 0
		call := func(context.Context, *mcp.CallToolParams) (result.Outcome, retry.Decision) {
			p := &toolerr.Partial{Processed: test.done[n], Results: json.RawMessage(test.parts[n])}
			if n++; n < len(test.parts) {
				p.ContinueFrom = n
			}
			return result.Parse(nil, toolerr.Transient("More.").WithPartial(p)), retry.Decision{Action: retry.ActionFixInput}
		}
		out, _ := retry.Resume(t.Context(), call, tool("orders"), "continue_from")
		require.NotNil(t, out.Err, name)
		assert.Equal(t, len(test.parts), n, name)
		assert.JSONEq(t, test.want, string(out.Err.Partial.Results), name)
	}
}
