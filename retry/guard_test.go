package retry_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func newCounter() *script {
	return &script{answers: []any{"done"}, tools: map[string]any{
		"read":    result.Failure(errPath),
		"find":    result.Failure(errPath),
		"denied":  result.Failure(toolerr.Permission("No access to infra/.")),
		"limit":   result.Failure(toolerr.LimitExceeded("Over the limit.", "Please wait.")),
		"bug":     result.Failure(toolerr.Internal(nil)),
		"lost":    result.Failure(errLost.WithRetryable(false)),
		"gone":    context.DeadlineExceeded,
		"applied": result.Failure(toolerr.Transient("Booked; the receipt is lost.").WithRetryable(false).WithEffect(toolerr.EffectApplied)),
		"soon":    result.Failure(toolerr.FailedPrecondition("There is no plan yet.", "make_plan")),
		"search":  result.Empty("Nothing found.", nil),
		"down":    result.Failure(errRefused.WithAttempted(toolerr.Attempt{Attempts: 3})),
	}}
}

func TestGuard_Repeats(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		sent   int
		action retry.Action
		hint   string
	}{
		"read":    {1, retry.ActionFixInput, "Call again with other arguments"},
		"denied":  {2, retry.ActionReauthorize, "A repeat does not grant access."},
		"limit":   {1, retry.ActionEscalate, "Do not retry or split it"},
		"bug":     {2, retry.ActionPropagate, "Go on without it"},
		"lost":    {1, retry.ActionVerify, "check whether it took effect: look it up"},
		"applied": {1, retry.ActionPropagate, "what was done and what was not"},
		"search":  {2, retry.ActionAccept, ""}, // the same answer
		"down":    {9, retry.ActionPropagate, ""},
		"ok":      {9, retry.ActionAccept, ""},
	} {
		s, p := newCounter(), retry.Policy{Guard: new(retry.Guard)}
		if name == "bug" {
			p.Safety = retry.SafetyReadOnly // otherwise it may have taken effect
		}
		var hints []string
		for range 9 {
			out, d := retry.CallTool(t.Context(), p, s, tool(name, map[string]any{"path": "sesion.ts"}))
			assert.Equal(t, d.Reason == retry.ReasonRepeatedCall, d.Attempt == 0)
			if d.Reason != retry.ReasonRepeatedCall || out.Err == nil {
				continue
			}
			assert.Equal(t, want.action, d.Action, name)
			assert.False(t, out.Err.Retryable)
			assert.Contains(t, out.Err.Message, "was not sent again", name)
			hints = append(hints, out.Err.Hint)
			if name == "read" {
				assert.Equal(t, "path [session.ts]", out.Err.Field+" "+fmt.Sprint(out.Err.Suggestions))
				assert.Contains(t, out.Err.Message, "There is no such file.")
			}
		}
		assert.Len(t, s.calls, want.sent, name)
		if want.hint == "" {
			assert.Empty(t, hints, name)
			continue
		}
		assert.Contains(t, hints[0], want.hint, name)
		assert.Contains(t, hints[1], "This call was stopped before, and is not sent as it is. ", name)
		assert.Equal(t, name == "lost", hints[2] == hints[1], name)
		assert.Equal(t, name != "lost", strings.HasPrefix(hints[2], "Stop."), name)
		assert.Equal(t, hints[2], hints[len(hints)-1], name)
	}
}

// TestGuard_SameArguments checks which calls are the same.
func TestGuard_SameArguments(t *testing.T) {
	t.Parallel()
	with := func(n, rest string) string { return `{"path":"a","n":` + n + `,"o":{"x":[1,2],"y":null}` + rest + `}` }
	first := with("40", "")
	for sent, spellings := range map[int][]string{
		1: {
			first, `{"o":{"y":null,"x":[1,2]},"n":40.0,"path":"a"}`, ` {"path" : "a", "n": 4e1, "o": {"x": [1.0, 2], "y": null}}`, with("40", `,"idempotency_key":"k"`),
		},
		2: {
			`{"path":"a","n":40,"o":{"x":[2,1],"y":null}}`, `{"path":"a","n":40,"o":{"x":[1,2]}}`, `{"path":"A","n":40,"o":{"x":[1,2],"y":null}}`,
			`{"path":"a","n":40,"o":{"x":[1,2],"y":null,"idempotency_key":"k"}}`, "[" + first + "]", with(`"40"`, ""), with("40.5", ""), with("1e999999999", ""),
			with("9007199254740993", ""), with("9007199254740992", ""), with("123456789012345678901234567890", ""), with("123456789012345678901234567891", ""),
		},
	} {
		for _, arguments := range spellings {
			s, p := newCounter(), retry.Policy{Guard: new(retry.Guard)}
			for _, raw := range []string{first, arguments} {
				_, _ = retry.CallTool(t.Context(), p, s, tool("read", json.RawMessage(raw)))
			}
			assert.Len(t, s.calls, sent, arguments)
		}
	}
	s, p := newCounter(), retry.Policy{Guard: new(retry.Guard)}
	for _, arguments := range []any{nil, map[string]any{}, json.RawMessage("{}"), struct{}{}} {
		_, _ = retry.CallTool(t.Context(), p, s, tool("read", arguments))
	}
	assert.Len(t, s.calls, 1, "empty arguments")
	for _, arguments := range []any{make(chan int), func() {}, json.RawMessage(`{"eth":1.000000000000000001}`), json.RawMessage(`{"eth":1.000000000000000002}`)} {
		_, d := retry.CallTool(t.Context(), p, s, tool("read", arguments))
		assert.NotEqual(t, retry.ReasonRepeatedCall, d.Reason, "invalid JSON, or precise numbers")
	}
	// A person's other answer, and a key that the failure's hint asks for.
	pay := fake(func(p *mcp.CallToolParams) (*mcp.CallToolResult, error) {
		if answer, ok := p.InputResponses["otp"].(*mcp.ElicitResult); ok && answer.Content["code"] == "right" {
			return result.OK("paid"), nil
		}
		return fails(toolerr.Validation("Wrong code."))
	})
	for _, code := range []string{"wrong", "right"} {
		params := tool("pay")
		params.InputResponses = mcp.InputResponseMap{"otp": &mcp.ElicitResult{Action: "accept", Content: map[string]any{"code": code}}}
		_, d := retry.CallTool(t.Context(), p, pay, params)
		assert.NotEqual(t, retry.ReasonRepeatedCall, d.Reason, code)
	}
	book := &script{answers: []any{result.Failure(errLost.WithIdempotencyKey("K")), "done"}}
	_, _ = retry.CallTool(t.Context(), p, book, tool("book", map[string]any{"a": 1}))
	_, d := retry.CallTool(t.Context(), p, book, tool("book", map[string]any{"a": 1, "idempotency_key": "K"}))
	assert.NotEqual(t, retry.ReasonRepeatedCall, d.Reason, "key passed back")
}

// TestGuard_Forgets checks which calls allow a call again. A call with ! is stopped, and one with ? is read-only.
func TestGuard_Forgets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p, s := retry.Policy{}, newCounter()
		calls := func(sequence string) {
			for name := range strings.FieldsSeq(sequence) {
				p.Safety = map[bool]retry.Safety{true: retry.SafetyReadOnly, false: retry.SafetyUnknown}[name[0] == '?']
				_, d := retry.CallTool(t.Context(), p, s, tool(strings.Trim(name, "?!"), order))
				assert.Equal(t, strings.HasSuffix(name, "!"), d.Reason == retry.ReasonRepeatedCall, "%s of %s", name, sequence)
			}
		}
		for _, sequence := range []string{
			"soon soon! ?make_plan soon",          // an answer may meet the precondition
			"search search search! create search", // a write may change what is found
			"read gone read",                      // so may a call with an unknown effect
			"gone read gone! ?find gone gone!",    // only a read-only answer says whether it took effect
			"applied applied! note applied!",      // nothing undoes what took effect
			"?read ?read! ?look_up ?read! write ?read ?read!",
		} {
			p.Guard = new(retry.Guard)
			calls(sequence)
		}
		time.Sleep(10 * time.Minute) // in a synctest bubble
		calls("?read!")
		time.Sleep(time.Second) // in a synctest bubble
		calls("?read")
	})
}

// TestGuard_LongAnswers checks that a remembered failure is not larger than an envelope, that an
// empty answer is bounded and stays empty, and how much a guard holds of large answers.
func TestGuard_LongAnswers(t *testing.T) { //nolint:paralleltest // measures memory
	twice := func(p retry.Policy, answer any) (out result.Outcome) {
		s := &script{answers: []any{answer}}
		for range 3 {
			out, _ = retry.CallTool(t.Context(), p, s, tool("read"))
		}
		assert.Less(t, len(s.calls), 3)
		return out
	}
	long := strings.Repeat("x", 2000)
	e := errPath.WithMessage(long + long).WithHint(long).WithEffect("undone") // an unknown effect
	for range 30 {
		e.Suggestions = append(e.Suggestions, long[:300])
		e.Options = append(e.Options, map[string]any{"path": long[:300]})
	}
	out := twice(guarded(), fmt.Errorf("%w", e))
	assert.Contains(t, out.Err.Message, "was not sent again")
	assert.Contains(t, out.Err.Message, long)
	assert.Equal(t, "path unknown", out.Err.Field+" "+string(out.Err.Effect))
	assert.Less(t, len(out.Err.Message)+len(out.Err.Hint)+300*(len(out.Err.Suggestions)+len(out.Err.Options)), 9<<10)

	long = strings.Repeat("ä", 1<<20)
	out = twice(guarded(), result.Empty(long, map[string]any{"query": long, "found": []any{}}))
	assert.Equal(t, result.KindEmpty, out.Kind)
	assert.LessOrEqual(t, len(out.Text()), 4<<10)
	assert.Nil(t, out.Result.StructuredContent)

	p, before := guarded(), allocs.Heap()
	s := fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) {
		return textFailure(strings.Repeat("x", 1<<20)), nil
	})
	for n := range 50 {
		_, _ = retry.CallTool(t.Context(), p, s, tool("read", n))
	}
	assert.Less(t, allocs.Heap()-before, 5<<20)
	runtime.KeepAlive(p)
}

// TestGuard_Size checks how many failures, and how many calls that may have taken effect, are
// remembered, for how long, and that the first never displace the second.
func TestGuard_Size(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		keys := map[any]bool{}
		s := fake(func(p *mcp.CallToolParams) (*mcp.CallToolResult, error) {
			switch arguments, _ := p.Arguments.(map[string]any); p.Name {
			case "read":
				return fails(errPath)
			case "pay":
				keys[arguments["idempotency_key"]] = true
			}
			return fails(errLost)
		})
		p := guarded()
		sent := func(name string, n int) bool {
			_, d := retry.CallTool(t.Context(), p, s, tool(name, map[string]any{"n": n}))
			return d.Reason != retry.ReasonRepeatedCall
		}
		keyed := p
		keyed.Safety, keyed.BaseDelay = retry.SafetyKeyed, -1
		pay := func() { _, _ = retry.CallTool(t.Context(), keyed, s, tool("pay", order)) }
		assert.True(t, sent("refund", 0))
		pay()
		for n := range 1001 {
			require.True(t, sent("read", n))
		}
		assert.False(t, sent("read", 1), "newest of a thousand")
		assert.False(t, sent("read", 1000))
		assert.True(t, sent("read", 0), "oldest")
		assert.True(t, sent("read", 1), "now the oldest")
		assert.False(t, sent("read", 3))
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				for n := range 50 {
					_ = sent("read", n)
				}
			})
		}
		wg.Wait()
		pay()
		assert.Len(t, keys, 1)
		assert.False(t, sent("refund", 0))

		time.Sleep(24 * time.Hour) // in a synctest bubble
		assert.False(t, sent("refund", 0))
		time.Sleep(time.Second) // in a synctest bubble
		assert.True(t, sent("refund", 0))
		for n := range 5000 {
			_ = sent("refund", n+1)
		}
		assert.False(t, sent("refund", 1))
		assert.True(t, sent("refund", 0), "first of 5,001")
	})
}

// released reports whether a lookup, at the bank or a shop, releases a refund whose reply was lost.
func released(t *testing.T, refund, look, answer any, shop ...retry.Session) bool {
	t.Helper()
	bank := &script{answers: []any{result.Failure(errLost)}, tools: map[string]any{"find": answer}}
	p := guarded()
	_, _ = retry.CallTool(t.Context(), p, bank, tool("refund", refund))
	reading := p
	reading.Safety = retry.SafetyReadOnly
	_, _ = retry.CallTool(t.Context(), reading, append(shop, bank)[0], tool("find", look))
	_, d := retry.CallTool(t.Context(), p, bank, tool("refund", refund))
	assert.Equal(t, retry.ActionVerify, d.Action)
	return d.Reason != retry.ReasonRepeatedCall
}

// TestGuard_SharedValues checks which shared values make a lookup.
func TestGuard_SharedValues(t *testing.T) {
	t.Parallel()
	for value, want := range map[any]bool{
		"ORD-7": true, "C-42": true, "48291": true, "Ann Smith": true, "ann@example.com": true, "src/main.go": true, "fix-docs": true,
		"Zoë Müller": true, "C-7": false, "EUR": false, "duplicate": false, "requested_by_customer": false, "en-US": false, "2026-07-31": false,
		"2026-07-31T10:00:00Z": false, "10:30": false, "40": false, "129.99": false, "true": false, "": false, "    ": false,
		48291: true, -48291: true, 40: false, 4711: false, 100000: false, 129.99: false, true: false, nil: false,
	} {
		for name, look := range map[string]any{
			"alone": map[string]any{"q": value}, "inside": map[string]any{"filter": map[string]any{"ids": []any{"x", value}}},
		} {
			assert.Equal(t, want, released(t, map[string]any{"a": value, "b": "something-else"}, look, "found"), "%v, %s", value, name)
		}
	}
	assert.True(t, released(t, map[string]any{"id": 48291}, map[string]any{"id": "48291"}, "found"), "number in a string")
	assert.True(t, released(t, map[string]any{"id": 48291.0}, map[string]any{"id": " 48291 "}, "found"))
	assert.False(t, released(t, map[string]any{"idempotency_key": "k-123456"}, map[string]any{"idempotency_key": "k-123456"}, "found"), "idempotency key")
	assert.False(t, released(t, nil, nil, "found"))
	many := map[string]any{}
	for n := range 1000 {
		many[strconv.Itoa(n)] = "ORD-" + strconv.Itoa(n)
	}
	assert.False(t, released(t, map[string]any{"id": "ORD-1000"}, many, "found"))
}

// TestGuard_LookupOutcomes checks which outcomes are a lookup.
func TestGuard_LookupOutcomes(t *testing.T) {
	t.Parallel()
	for want, answers := range map[bool][]any{
		true: {"found", result.Empty("No refund.", nil), errPath},
		false: {
			toolerr.Validation("There is no refund of ORD-7."), toolerr.Business("It is in dispute."), toolerr.Transient("m").WithPartial(&toolerr.Partial{Processed: 1}),
			toolerr.InvalidArgument("id", "x", "a number"), toolerr.FailedPrecondition("m", "log_in"), toolerr.Permission("m"), errRefused, toolerr.Internal(nil), io.EOF,
			textFailure("not understood"),
		},
	} {
		for _, answer := range answers {
			assert.Equal(t, want, released(t, order, order, answer), "%v", answer)
		}
	}
	assert.False(t, released(t, order, order, "found", &script{answers: []any{"found"}}), "another server")
}

// TestGuard_KeyRefused checks that a held call with a key is not made without the key.
func TestGuard_KeyRefused(t *testing.T) {
	t.Parallel()
	s := &script{answers: []any{errLost}}
	p := guarded()
	p.MaxAttempts, p.Safety = -1, retry.SafetyKeyed
	_, _ = retry.CallTool(t.Context(), p, s, tool("pay", order))
	p.Safety = retry.SafetyUnknown // a changed tool
	for range 2 {
		out, d := retry.CallTool(t.Context(), p, s, tool("pay", order))
		assert.Equal(t, "verify unknown 1", fmt.Sprint(d.Action, " ", out.Err.Effect, " ", len(s.calls)))
	}
	p.Safety = retry.SafetyKeyed
	_, _ = retry.CallTool(t.Context(), p, s, tool("pay", order))
	assert.Len(t, s.calls, 2)
	assert.Equal(t, s.calls[0].Arguments, s.calls[1].Arguments)
}
