package retry_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/attempt"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestCallTool_Retries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{answers: []any{errRefused, errRefused.WithRetryAfter(2 * time.Second), "done"}}
		var decisions []retry.Decision
		policy := retry.Policy{OnDecision: func(_ result.Outcome, d retry.Decision) { decisions = append(decisions, d) }}
		with := func() *mcp.CallToolParams {
			return &mcp.CallToolParams{Name: "t", Arguments: map[string]any{"a": 1}, Meta: mcp.Meta{"k": "v"}}
		}
		params := with()
		out, d := retry.CallTool(t.Context(), policy, s, params)
		assert.Equal(t, "accept 3 done v", testutil.Words(d.Action, d.Attempt, out.Text(), s.calls[2].Meta["k"]))
		require.Len(t, decisions, 3)
		assert.Equal(t, decisions[0].Delay+decisions[1].Delay, d.Waited)
		assert.Equal(t, s.at[1].Sub(s.at[0]), decisions[0].Delay)
		assert.GreaterOrEqual(t, s.at[2].Sub(s.at[1]), 2*time.Second)
		assert.Equal(t, with(), params, "the caller's params")
	})
	var none *mcp.ClientSession
	assert.NotPanics(t, func() { retry.CallTool(t.Context(), retry.Policy{}, none, tool("x")) })
}

func TestCallTool_Attempted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		arguments := map[string]any{"q": "go", "api_key": "s3cret", "nested": []any{map[string]any{"Pass-Word": "s3cret"}}}
		out, d := retry.CallTool(t.Context(), retry.Policy{}, &script{answers: []any{errRefused}}, tool("search", arguments))
		assert.Equal(t, "propagate no_attempts_left", testutil.Words(d.Action, d.Reason))
		assert.Equal(t, []toolerr.Attempt{{
			Tool: "search", Arguments: map[string]any{"q": "go", "api_key": "[masked]"},
			Attempts: 3, Elapsed: d.Waited, Category: "transient", Code: "unavailable", Effect: "none",
		}}, out.Err.Attempted)
		assert.NotContains(t, out.Text(), "s3cret")
		_, d = retry.CallTool(t.Context(), retry.Policy{}, &script{answers: []any{out.Err}}, tool("subagent"))
		assert.Equal(t, "1 already_retried", testutil.Words(d.Attempt, d.Reason), "calls in the inner layer")
		out, _ = retry.CallTool(t.Context(), retry.Policy{}, &script{answers: []any{toolerr.Validation("m")}}, tool("t"))
		assert.Empty(t, out.Err.Attempted, "a failure that the caller fixes")
	})
}

// TestCallTool_HandedUp records final failures. None suggests the repeat that was made; a wait is only in
// details. The effect is none only if that of every attempt is.
func TestCallTool_HandedUp(t *testing.T) {
	t.Parallel()
	retryable := toolerr.Transient("busy").WithCode(toolerr.CodeUnavailable)
	applied := retryable.WithEffect("applied")
	applied.Retryable = true
	errs := map[string]error{
		"refused": errRefused, "lost": errLost, "not stated": retryable, "applied": applied, "EOF": io.EOF,
		"deadline": context.DeadlineExceeded,
		"not sent": fmt.Errorf("dial: %w", errRefused.WithRetryable(false)), // an error of the session, no result
	}
	testutil.Recorded(t, "testdata/handed_up.txt", func(sample string) string {
		safety, rest, _ := strings.Cut(sample, ": ")
		p, s := retry.Policy{BaseDelay: -1, ThrottledDelay: -1}, new(script)
		require.NoError(t, p.Safety.UnmarshalText([]byte(safety)), sample)
		for answer := range strings.SplitSeq(rest, "; ") {
			err, ok := errs[answer]
			if !ok {
				e := new(toolerr.Error)
				require.NoError(t, json.Unmarshal([]byte(answer), e), sample)
				err = e
			}
			s.answers = append(s.answers, err)
		}
		out, d := retry.CallTool(t.Context(), p, s, tool("t"))
		assert.False(t, out.Err.Retryable, sample)
		assert.Len(t, s.calls, d.Attempt, sample)
		text := randoms.ReplaceAllString(out.Text(), "")
		assert.NotRegexp(t, `retry the same call|,"retryAfterMs"`, text, sample)
		require.NotEmpty(t, out.Err.Attempted, sample)

		// A coordinator that calls the subagent does not repeat the call either.
		outer := &script{answers: []any{out.Err}}
		_, again := retry.CallTool(t.Context(), p, outer, tool("subagent"))
		assert.Len(t, outer.calls, 1, sample)
		assert.NotEqual(t, retry.ActionRetry, again.Action, sample)
		assert.True(t, d.Action != retry.ActionVerify || again.Action == d.Action, sample)
		if e, ok := s.answers[0].(*toolerr.Error); ok {
			_, err := doing(t.Context(), p, e)
			isLeft := d.Reason == retry.ReasonRetryAfterTooLong && d.Attempt == 1 // to the layer above Do
			assert.Equal(t, isLeft, toolerr.IsRetryable(err), sample)
		}
		return testutil.Words(d.Action, d.Reason, d.Attempt, text)
	})
	// The failure of a caller's own fault is his to fix, whatever the first attempt did not say.
	s := &script{answers: []any{retryable, toolerr.Validation("No such order.")}}
	out, d := retry.CallTool(t.Context(), quick, s, tool("pay"))
	assert.Equal(t, "fix_input 2 ", testutil.Words(d.Action, d.Attempt, out.Err.Effect))
}

func TestCallTool_IdempotencyKeys(t *testing.T) {
	t.Parallel()
	keyed := retry.Policy{Safety: retry.SafetyKeyed, BaseDelay: -1}
	keysOf := func(s *script, name string) (keys []any) {
		for _, call := range s.calls {
			var args map[string]any
			require.NoError(t, json.Unmarshal([]byte(testutil.JSON(call.Arguments)), &args))
			keys = append(keys, args[name])
		}
		return keys
	}
	type typed struct {
		Big int64  `json:"big"`
		Key string `json:"idempotency_key,omitempty"`
	}
	made := map[any]bool{}
	for name, arguments := range map[string]any{
		"none": nil, "map": map[string]any{"a": 1}, "nil map": map[string]any(nil), "struct": typed{Big: 9007199254740993},
		"raw": json.RawMessage(`{"big":9007199254740993}`),
	} {
		s := &script{answers: []any{errLost, errLost, "done"}}
		params := tool("t", arguments)
		_, d := retry.CallTool(t.Context(), keyed, s, params)
		assert.Equal(t, retry.ActionAccept, d.Action, name)
		keys := keysOf(s, "idempotency_key")
		require.Len(t, keys, 3, name)
		assert.Len(t, keys[0], 36, name)
		made[keys[0]] = true
		assert.Equal(t, []any{keys[0], keys[0], keys[0]}, keys, name)
		assert.Equal(t, arguments, params.Arguments, "%s: the caller's arguments", name)
		assert.NotContains(t, fmt.Sprint(params.Arguments), keys[0], "%s: the caller's map", name)
		if name == "struct" || name == "raw" {
			assert.Contains(t, testutil.JSON(s.calls[0].Arguments), "9007199254740993", name)
		}
	}
	assert.Len(t, made, 5, "keys")
	s := &script{answers: []any{errRefused}}
	out, _ := retry.CallTool(t.Context(), keyed, s, tool("t", typed{Key: "given"}))
	assert.Equal(t, []any{"given", "given", "given"}, keysOf(s, "idempotency_key"))
	assert.Equal(t, "given", out.Err.IdempotencyKey, "key in the failure")
	for effect, want := range map[toolerr.Effect]bool{toolerr.EffectNone: false, toolerr.EffectUnknown: true} {
		s := &script{answers: []any{toolerr.Business("closed").WithEffect(effect)}}
		out, _ = retry.CallTool(t.Context(), keyed, s, tool("t"))
		assert.Equal(t, want, out.Err.IdempotencyKey != "", "whether something may be repeated")
	}
	named := keyed
	named.KeyArgument, s = "request_id", &script{answers: []any{errRefused}}
	_, _ = retry.CallTool(t.Context(), named, s, tool("t"))
	key := attempt.CallOf(fmt.Sprint(keysOf(s, "request_id")[0]))
	assert.Equal(t, key, s.calls[0].Meta["io.github.mcp-toolerr/call"], "the key is new")
	_, d := retry.CallTool(t.Context(), keyed, &script{answers: []any{errLost}}, tool("t", []int{1}))
	assert.Equal(t, "verify 1", testutil.Words(d.Action, d.Attempt), "no key")

	// A part that can be continued offers no key, because the call that continues it needs another.
	for _, continueFrom := range []any{nil, 2} {
		e := toolerr.Transient("m").WithPartial(&toolerr.Partial{Processed: 1, Total: 3, ContinueFrom: continueFrom})
		out, _ := retry.CallTool(t.Context(), keyed, &script{answers: []any{e}}, tool("pay"))
		assert.Equal(t, continueFrom == nil, out.Err.IdempotencyKey != "", out.Text())
	}
}

// TestCallTool_ContextEnds checks that the error matches the context's cause as well as the last
// failure, and that nothing waits for a deadline that is too near.
func TestCallTool_ContextEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{answers: []any{errRefused.WithRetryAfter(10 * time.Second)}}
		do := func(ctx context.Context) (retry.Decision, error) {
			_, err := doing(ctx, retry.Policy{}, errRefused.WithRetryAfter(10*time.Second))
			require.ErrorIs(t, err, errRefused)
			return given(t, err), err
		}
		callTool := func(ctx context.Context) (retry.Decision, error) {
			out, d := retry.CallTool(ctx, retry.Policy{}, s, tool("t"))
			assert.Equal(t, "refused", out.Err.Message)
			return d, out.AsError()
		}
		for name, run := range map[string]func(context.Context) (retry.Decision, error){"Do": do, "CallTool": callTool} {
			start := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			d, err := run(ctx)
			cancel()
			assert.Equal(t, retry.ReasonPastDeadline, d.Reason, name)
			require.ErrorContains(t, err, "refused", name)
			assert.Zero(t, time.Since(start), name)

			ctx, end := context.WithCancelCause(t.Context())
			why := errors.New("the user left")
			time.AfterFunc(100*time.Millisecond, func() { end(why) })
			d, err = run(ctx)
			assert.Equal(t, "propagate canceled 100ms 0s", testutil.Words(d.Action, d.Reason, d.Waited, d.Delay), name)
			require.ErrorIs(t, err, context.Canceled, name)
			require.ErrorIs(t, err, why, name)
		}
		over, cancel := context.WithCancel(t.Context())
		cancel()
		calls := len(s.calls)
		var log strings.Builder
		out, d := retry.CallTool(over, retry.Policy{Logger: logTo(&log)}, s, nil)
		assert.Contains(t, log.String(), `toolerr.cause="context canceled"`)
		assert.Len(t, s.calls, calls, "calls on an ended context")
		assert.Equal(t, "propagate none", testutil.Words(d.Action, out.Err.Effect))
	})
}

// TestCallTool_CanceledDuringWait checks that a call that is canceled during a wait is decided
// as one that was canceled before it.
func TestCallTool_CanceledDuringWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reasons := map[error]retry.Reason{context.Canceled: "canceled", context.DeadlineExceeded: "past_deadline"}
		for _, effect := range []toolerr.Effect{toolerr.EffectNone, "", toolerr.EffectUnknown, toolerr.EffectApplied} {
			for _, safety := range safeties {
				for end, want := range reasons {
					e := toolerr.Transient("m").WithEffect(effect).WithRetryAfter(10 * time.Second)
					e.Retryable = true
					decided := func(after time.Duration) string {
						ctx, cancel := context.WithCancel(t.Context())
						if errors.Is(end, context.DeadlineExceeded) {
							ctx, cancel = testutil.Deadline(ctx)
						}
						s := &fakeSession{answer: func(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
							if time.AfterFunc(after, cancel); after == 0 {
								<-ctx.Done()
							}
							return sent(e), nil
						}}
						var told []retry.Decision
						p := retry.Policy{Safety: safety, OnDecision: func(_ result.Outcome, d retry.Decision) { told = append(told, d) }}
						out, d := retry.CallTool(ctx, p, s, tool("t"))
						assert.True(t, len(told) == 1 || after > 0, "decisions")
						assert.Equal(t, d, told[len(told)-1])
						stop := map[bool]retry.Reason{true: retry.ReasonMayHaveTakenEffect, false: want}[d.Action == retry.ActionVerify]
						assert.Contains(t, []retry.Reason{stop, retry.ReasonNotRetryable}, d.Reason)
						return fmt.Sprint(d.Action, d.Reason, d.Delay, out.Err.Effect, out.Err.Hint)
					}
					assert.Equal(t, decided(0), decided(time.Second), "%q, %v, %v", effect, safety, end)
				}
			}
		}
	})
}
