package retry_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// resume continues a call of a session with a policy.
func resume(ctx context.Context, p retry.Policy, s retry.Session, arguments any) (result.Outcome, retry.Decision) {
	return retry.Resume(ctx, func(ctx context.Context, params *mcp.CallToolParams) (result.Outcome, retry.Decision) {
		return retry.CallTool(ctx, p, s, params)
	}, tool("batch", arguments), "from")
}

// more returns the failure of a tool that has done some items, and goes on from a position.
func more(processed int, from any) *toolerr.Error {
	p := toolerr.Partial{Processed: processed, ContinueFrom: from, Results: json.RawMessage(`[1]`)}
	return toolerr.Transient("m").WithPartial(&p)
}

// TestResume_Failure checks that the results so far survive a failure.
func TestResume_Failure(t *testing.T) {
	t.Parallel()
	const read = retry.SafetyReadOnly
	no, slow := toolerr.Permission("No more."), more(1, "a").WithRetryAfter(time.Minute)
	from := func(n int) any { return map[string]any{"from": n} }
	for name, test := range map[string]struct {
		safety    retry.Safety
		arguments any
		answers   []any
		want      string // how it ends, after how many calls, and what is processed
	}{
		"after parts":   {0, nil, []any{more(1, 1), more(2, 2), no}, "partial reauthorize not_retryable applied 3 2 [1,1]"},
		"at once":       {0, nil, []any{no}, "failure reauthorize not_retryable none 1"},
		"not an object": {0, []int{1}, []any{more(1, 1)}, "partial propagate no_progress applied 1 1 [1]"},
		"the same":      {read, nil, []any{more(1, "a")}, "partial propagate no_progress none 2 2 [1,1]"},
		"zero":          {read, nil, []any{more(1, 0)}, "partial propagate no_progress none 1 1 [1]"},
		"zero, a text":  {read, nil, []any{more(1, "0")}, "partial propagate no_progress none 1 1 [1]"},
		"the argument":  {read, from(0), []any{more(1, 0)}, "partial propagate no_progress none 1 1 [1]"},
		"before it":     {read, from(3), []any{more(1, 0)}, "partial propagate no_progress none 1 1 [1]"},
		"a long wait":   {0, nil, []any{slow}, "partial propagate retry_after_too_long applied 1 1 [1]"},
	} {
		s := &script{answers: test.answers}
		out, d := resume(t.Context(), retry.Policy{Safety: test.safety}, s, test.arguments)
		got := testutil.Words(out.Kind, d.Action, d.Reason, cmp.Or(out.Err.Effect, "-"), len(s.calls))
		if p := out.Err.Partial; p != nil {
			got += testutil.Words("", p.Processed, string(p.Results))
		}
		assert.Equal(t, test.want, got, name)
	}
	s := &script{answers: []any{more(1, "a"), json.RawMessage(`[9007199254740993]`)}}
	call := func(ctx context.Context, p *mcp.CallToolParams) (result.Outcome, retry.Decision) {
		return retry.CallTool(ctx, retry.Policy{}, s, p)
	}
	assert.Equal(t, "[1,9007199254740993]", first(retry.Resume(t.Context(), call, nil, "from")).Text(), "nil params")
	over, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	_, d := retry.Resume(over, func(context.Context, *mcp.CallToolParams) (result.Outcome, retry.Decision) {
		return part(more(1, "a")), retry.Decision{Action: retry.ActionFixInput}
	}, nil, "from")
	assert.Equal(t, retry.ReasonPastDeadline, d.Reason)
}

// TestResume_Waits checks that the pauses between parts are kept, end with the context, are not
// started if they exceed the deadline, and are limited in total, with those between attempts.
func TestResume_Waits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const each = 30 * time.Second
		for limit, want := range map[time.Duration]struct {
			parts  int
			reason retry.Reason
			took   time.Duration
		}{
			29 * time.Second: {1, retry.ReasonPastDeadline, 0}, 30 * time.Second: {1, retry.ReasonPastDeadline, 0},
			45 * time.Second:    {2, retry.ReasonPastDeadline, each},
			time.Hour:           {21, retry.ReasonWaitTooLong, 10 * time.Minute},
			-each - time.Second: {2, retry.ReasonCanceled, each + time.Second},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			if limit < 0 {
				ctx, cancel = context.WithCancel(t.Context())
				time.AfterFunc(-limit, cancel)
			}
			parts, start := 0, time.Now()
			s := &fakeSession{answer: func(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
				parts++
				return fails(more(parts, parts).WithCode(toolerr.CodeRateLimited).WithRetryAfter(each))
			}}
			out, d := resume(ctx, retry.Policy{}, s, nil)
			if limit < 0 {
				d.Waited = want.took // the pause that was cut is not counted
			}
			const form = "%d parts, %s after %s, of them %s waits; %s, attempt %d of %s"
			assert.Equal(t, fmt.Sprintf(form, want.parts, want.reason, want.took, want.took, "propagate", 1, "batch"),
				fmt.Sprintf(form, parts, d.Reason, time.Since(start), d.Waited, d.Action, d.Attempt, d.Tool), "limit %s", limit)
			assert.Equal(t, result.KindPartial, out.Kind, limit)
			assert.Equal(t, want.parts, strings.Count(string(out.Err.Partial.Results), "1"), "items in the joined results")
			assert.NotNil(t, out.Err.Partial.ContinueFrom)
			cancel()
		}
		start := time.Now()
		waits := &script{answers: []any{more(1, "a").WithRetryAfter(10 * time.Second), []int{2}}}
		out, d := resume(t.Context(), retry.Policy{}, waits, nil)
		assert.Equal(t, "accept [1,2] 10s 10s", testutil.Words(d.Action, out.Text(), time.Since(start), d.Waited))

		start = time.Now()
		n, busy := 0, errRefused.WithRetryAfter(25*time.Second)
		s := &fakeSession{answer: func(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
			if n++; n%3 != 0 {
				return fails(busy)
			}
			return sent(more(n, n)), nil
		}}
		_, d = resume(t.Context(), retry.Policy{BaseDelay: -1}, s, nil)
		assert.Equal(t, retry.ReasonWaitTooLong, d.Reason)
		assert.Equal(t, 13*50*time.Second, time.Since(start), "the call during which the limit is reached")
		assert.Equal(t, time.Since(start), d.Waited)
	})
}

// A keyedBatch is a server with a keyed tool that pays three orders, one a call. It replays the
// answer to a key, and refuses a key with other arguments.
type keyedBatch struct {
	argument string // the name of the key
	effect   toolerr.Effect
	lose     int               // the number of the call whose answer is lost
	from     map[string]string // where the part of each key begins
	keys     []string          // of all calls
}

func (b *keyedBatch) CallTool(_ context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	arguments, _ := params.Arguments.(map[string]any)
	key, _ := arguments[b.argument].(string)
	from, at := fmt.Sprint(arguments["from"]), 0
	_, _ = fmt.Sscan(from, &at)
	b.keys = append(b.keys, key)
	switch {
	case cmp.Or(b.from[key], from) != from:
		return fails(toolerr.Business("Another call has this key.").WithCode(toolerr.CodeConflict))
	case len(b.keys) == b.lose:
		b.from[key] = from
		return nil, fmt.Errorf("lost: %w", mcp.ErrConnectionClosed)
	}
	if b.from[key] = from; at == 2 {
		return result.OK([]int{at}), nil
	}
	e := more(at+1, at+1)
	e.Partial.Results, e.Effect = json.RawMessage(fmt.Sprintf("[%d]", at)), b.effect
	return sent(e), nil
}

func newKeyedBatch(argument string, effect toolerr.Effect) *keyedBatch {
	return &keyedBatch{argument: argument, effect: effect, from: map[string]string{}}
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
			assert.Len(t, b.from, 3, "%s: keys", name)
			assert.NotContains(t, b.keys, "", name)
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
		assert.Len(t, b.from, 3, "keys, of which %d was lost", lose)
	}
}
