package retry_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A script is a session that answers its calls in order. The last answer is repeated.
type script struct {
	answers []any // *toolerr.Error, error, or an argument of result.OK
	calls   []mcp.CallToolParams
	at      []time.Time
}

func (s *script) CallTool(_ context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	s.calls, s.at = append(s.calls, *params), append(s.at, time.Now())
	answer := s.answers[min(len(s.calls), len(s.answers))-1]
	if params.Meta != nil {
		params.Meta["touched"] = true // as the SDK does
	}
	switch a := answer.(type) {
	case *toolerr.Error:
		return sent(a), nil
	case error:
		return nil, a
	}
	return result.OK(answer), nil
}

// sent returns the result of a server that sends a failure as it is, also without an effect.
func sent(e *toolerr.Error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: string(e.AppendJSON(nil))}}}
}

var (
	errRefused = toolerr.Transient("refused").WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone)
	// errLost is what the server of a tool that is safe to repeat sends.
	errLost = toolerr.Transient("lost").WithCode(toolerr.CodeTimeout).WithEffect(toolerr.EffectUnknown).Resolve(toolerr.ToolHints{Idempotent: true})
)

func TestCallTool_Retries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{answers: []any{errRefused, errRefused.WithRetryAfter(2 * time.Second), "done"}}
		var decisions []retry.Decision
		policy := retry.Policy{OnDecision: func(_ result.Outcome, d retry.Decision) { decisions = append(decisions, d) }}
		params := &mcp.CallToolParams{Name: "t", Arguments: map[string]any{"a": 1}, Meta: mcp.Meta{"k": "v"}}
		out, d := retry.CallTool(t.Context(), policy, s, params)
		assert.Equal(t, retry.ActionAccept, d.Action)
		assert.Equal(t, 3, d.Attempt)
		assert.Equal(t, "done", out.Text())
		require.Len(t, decisions, 3)
		assert.Equal(t, decisions[0].Delay+decisions[1].Delay, d.Waited)
		assert.Equal(t, s.at[1].Sub(s.at[0]), decisions[0].Delay)
		assert.GreaterOrEqual(t, s.at[2].Sub(s.at[1]), 2*time.Second)
		assert.Equal(t, &mcp.CallToolParams{Name: "t", Arguments: map[string]any{"a": 1}, Meta: mcp.Meta{"k": "v"}}, params, "the caller's params")
	})
}

func TestCallTool_Attempted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{answers: []any{errRefused}}
		out, d := retry.CallTool(t.Context(), retry.Policy{}, s, &mcp.CallToolParams{
			Name:      "search",
			Arguments: map[string]any{"q": "go", "api_key": "s3cret", "nested": []any{map[string]any{"Pass-Word": "s3cret"}}},
		})
		assert.Equal(t, retry.ActionPropagate, d.Action)
		assert.Equal(t, retry.ReasonNoAttemptsLeft, d.Reason)
		assert.Equal(t, []toolerr.Attempt{{
			Tool: "search", Arguments: map[string]any{"q": "go", "api_key": "[masked]"},
			Attempts: 3, Elapsed: d.Waited, Category: "transient", Code: "unavailable", Effect: "none",
		}}, out.Err.Attempted)
		assert.NotContains(t, out.Text(), "s3cret")

		outer := &script{answers: []any{out.Err}}
		_, d = retry.CallTool(t.Context(), retry.Policy{}, outer, &mcp.CallToolParams{Name: "subagent"})
		assert.Len(t, outer.calls, 1, "calls in the inner layer")
		assert.Equal(t, retry.ReasonAlreadyRetried, d.Reason)

		s = &script{answers: []any{toolerr.Validation("m")}}
		out, _ = retry.CallTool(t.Context(), retry.Policy{}, s, &mcp.CallToolParams{Name: "t"})
		assert.Empty(t, out.Err.Attempted, "a failure that the caller fixes")
	})
}

func TestCallTool_UnknownEffect(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for name, answer := range map[string]any{"stated by the tool": errLost, "peer exited": io.EOF, "client timeout": context.DeadlineExceeded} {
			s := &script{answers: []any{answer, "done"}}
			_, d := retry.CallTool(t.Context(), retry.Policy{}, s, &mcp.CallToolParams{Name: "t"})
			assert.Equal(t, retry.ActionVerify, d.Action, name)
			assert.Len(t, s.calls, 1, name)
		}
		// An earlier attempt may have been carried out, whatever the last one reports.
		for name, last := range map[string]*toolerr.Error{"refused": errRefused, "throttled": errRefused.WithCode(toolerr.CodeRateLimited), "denied": toolerr.Permission("m"), "conflict": toolerr.Business("m").WithCode(toolerr.CodeConflict)} {
			s := &script{answers: []any{errLost, last}}
			out, d := retry.CallTool(t.Context(), retry.Policy{Safety: retry.SafetyKeyed}, s, &mcp.CallToolParams{Name: "t"})
			assert.Equal(t, retry.ActionVerify, d.Action, name)
			assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect, name)
			assert.NotEmpty(t, out.Err.IdempotencyKey, name)
		}
		s := &script{answers: []any{errLost}}
		out, d := retry.CallTool(t.Context(), retry.Policy{Safety: retry.SafetyReadOnly}, s, &mcp.CallToolParams{Name: "t"})
		assert.Equal(t, retry.ActionPropagate, d.Action, "read-only")
		assert.Len(t, s.calls, 3)
		assert.Len(t, out.Err.Attempted, 1)
	})
}

func TestCallTool_IdempotencyKeys(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		keyed := retry.Policy{Safety: retry.SafetyKeyed}
		keysOf := func(s *script, name string) (keys []string) {
			for _, call := range s.calls {
				raw, err := json.Marshal(call.Arguments)
				require.NoError(t, err)
				var args map[string]any
				require.NoError(t, json.Unmarshal(raw, &args))
				key, _ := args[name].(string)
				keys = append(keys, key)
			}
			return keys
		}
		type typed struct {
			Big int64  `json:"big"`
			Key string `json:"idempotency_key,omitempty"`
		}
		for name, arguments := range map[string]any{
			"none": nil, "map": map[string]any{"a": 1}, "nil map": map[string]any(nil), "struct": typed{Big: 9007199254740993}, "raw": json.RawMessage(`{"big":9007199254740993}`),
		} {
			s := &script{answers: []any{errLost, errLost, "done"}}
			params := &mcp.CallToolParams{Name: "t", Arguments: arguments}
			_, d := retry.CallTool(t.Context(), keyed, s, params)
			assert.Equal(t, retry.ActionAccept, d.Action, name)
			keys := keysOf(s, "idempotency_key")
			require.Len(t, keys, 3, name)
			assert.Len(t, keys[0], 36, name)
			assert.Equal(t, []string{keys[0], keys[0], keys[0]}, keys, name)
			assert.Equal(t, arguments, params.Arguments, "%s: the caller's arguments", name)
			if name == "struct" || name == "raw" {
				raw, err := json.Marshal(s.calls[0].Arguments)
				require.NoError(t, err)
				assert.Contains(t, string(raw), "9007199254740993", name)
			}
		}
		s := &script{answers: []any{errRefused}}
		out, _ := retry.CallTool(t.Context(), keyed, s, &mcp.CallToolParams{Name: "t", Arguments: typed{Key: "given"}})
		assert.Equal(t, []string{"given", "given", "given"}, keysOf(s, "idempotency_key"))
		assert.Equal(t, "given", out.Err.IdempotencyKey, "key in the failure")

		s = &script{answers: []any{errRefused}}
		_, _ = retry.CallTool(t.Context(), retry.Policy{Safety: retry.SafetyKeyed, KeyArgument: "request_id"}, s, &mcp.CallToolParams{Name: "t"})
		assert.Len(t, keysOf(s, "request_id")[0], 36)

		s = &script{answers: []any{errLost}}
		_, d := retry.CallTool(t.Context(), keyed, s, &mcp.CallToolParams{Name: "t", Arguments: []int{1}})
		assert.Equal(t, retry.ActionVerify, d.Action, "no key")
		assert.Len(t, s.calls, 1)
	})
}

func TestCallTool_ContextEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 900*time.Millisecond)
		defer cancel()
		s := &script{answers: []any{errRefused.WithRetryAfter(time.Second)}}
		out, d := retry.CallTool(ctx, retry.Policy{}, s, &mcp.CallToolParams{Name: "t"})
		assert.Equal(t, retry.ReasonPastDeadline, d.Reason)
		assert.Equal(t, "refused", out.Err.Message)
		assert.Zero(t, time.Since(start), "wait before a deadline that is too near")

		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		out, d = retry.CallTool(ctx, retry.Policy{}, s, &mcp.CallToolParams{Name: "t"})
		assert.Equal(t, retry.ReasonCanceled, d.Reason)
		assert.Equal(t, retry.ActionPropagate, d.Action)
		assert.Equal(t, "refused", out.Err.Message)
		assert.Equal(t, 100*time.Millisecond, d.Waited)

		calls := len(s.calls)
		out, d = retry.CallTool(ctx, retry.Policy{}, s, nil)
		assert.Len(t, s.calls, calls, "calls on an ended context")
		assert.Equal(t, toolerr.EffectNone, out.Err.Effect)
		assert.Equal(t, retry.ActionPropagate, d.Action)
	})
}

func TestDo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		v, err := retry.Do(t.Context(), retry.Policy{}, func(context.Context) (int, error) {
			if calls++; calls < 3 {
				return 0, errRefused
			}
			return 42, nil
		})
		require.NoError(t, err)
		assert.Equal(t, 42, v)

		cause := errors.New("dial 10.0.0.7")
		calls = 0
		_, err = retry.Do(t.Context(), retry.Policy{}, func(context.Context) (int, error) {
			calls++
			return 0, errRefused.WithCause(cause)
		})
		var gaveUp *retry.Error
		require.ErrorAs(t, err, &gaveUp)
		assert.Equal(t, 3, calls)
		assert.Equal(t, 3, gaveUp.Decision.Attempt)
		assert.Equal(t, retry.ReasonNoAttemptsLeft, gaveUp.Decision.Reason)
		assert.Positive(t, gaveUp.Decision.Waited)
		require.ErrorIs(t, err, cause)
		require.ErrorIs(t, err, errRefused)
		assert.NotContains(t, err.Error(), "10.0.0.7")
		var tool *toolerr.Error
		require.ErrorAs(t, err, &tool)
		require.Len(t, tool.Attempted, 1)
		assert.Equal(t, 3, tool.Attempted[0].Attempts)
		assert.Same(t, tool, toolerr.From(err), "tool error")

		// The attempts of layers do not multiply.
		calls = 0
		_, err = retry.Do(t.Context(), retry.Policy{}, func(ctx context.Context) (int, error) {
			return retry.Do(ctx, retry.Policy{}, func(context.Context) (int, error) {
				calls++
				return 0, errRefused
			})
		})
		require.ErrorAs(t, err, &gaveUp)
		assert.Equal(t, 3, calls)
		assert.Equal(t, 1, gaveUp.Decision.Attempt)

		calls = 0
		_, err = retry.Do(t.Context(), retry.Policy{}, func(context.Context) (int, error) {
			calls++
			return 0, errLost
		})
		require.ErrorAs(t, err, &gaveUp)
		assert.Equal(t, retry.ActionVerify, gaveUp.Decision.Action)
		assert.Equal(t, 1, calls)

		var none *toolerr.Error
		v, err = retry.Do(t.Context(), retry.Policy{}, func(context.Context) (int, error) { return 7, none })
		require.NoError(t, err, "nil *toolerr.Error")
		assert.Equal(t, 7, v)
	})
}

func TestDo_ContextCause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("shutting down")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(why) })
		_, err := retry.Do(ctx, retry.Policy{}, func(context.Context) (int, error) { return 0, errRefused.WithRetryAfter(5 * time.Second) })
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, why)
		require.ErrorIs(t, err, errRefused)
	})
}

func TestSafetyOf(t *testing.T) {
	t.Parallel()
	withKey := map[string]any{"type": "object", "properties": map[string]any{"idempotency_key": map[string]any{}}}
	for name, test := range map[string]struct {
		tool *mcp.Tool
		want retry.Safety
	}{
		"nil":                       {nil, retry.SafetyUnknown},
		"bare":                      {&mcp.Tool{}, retry.SafetyUnknown},
		"read-only":                 {&mcp.Tool{Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}, InputSchema: withKey}, retry.SafetyReadOnly},
		"idempotent":                {&mcp.Tool{Annotations: &mcp.ToolAnnotations{IdempotentHint: true}}, retry.SafetyIdempotent},
		"keyed":                     {&mcp.Tool{InputSchema: withKey}, retry.SafetyKeyed},
		"keyed and idempotent":      {&mcp.Tool{Annotations: &mcp.ToolAnnotations{IdempotentHint: true}, InputSchema: withKey}, retry.SafetyKeyed},
		"keyed, a raw schema":       {&mcp.Tool{InputSchema: json.RawMessage(`{"properties":{"idempotency_key":{}}}`)}, retry.SafetyKeyed},
		"a schema that is a string": {&mcp.Tool{InputSchema: "x"}, retry.SafetyUnknown},
	} {
		assert.Equal(t, test.want, retry.SafetyOf(test.tool), name)
	}
}

func TestSafetyOf_KeyArgument(t *testing.T) {
	t.Parallel()
	const uuid = "^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$"
	for argument, want := range map[string]retry.Safety{
		`true`:                                  retry.SafetyKeyed,
		`{"type":"string","format":"uuid"}`:     retry.SafetyKeyed,
		`{"type":["string","null"]}`:            retry.SafetyKeyed,
		`{"pattern":"` + uuid + `"}`:            retry.SafetyKeyed,
		`{"minLength":36,"maxLength":36}`:       retry.SafetyKeyed,
		`{"$ref":"#/$defs/key"}`:                retry.SafetyKeyed,
		`{"anyOf":[{"$ref":"#/$defs/key"},{}]}`: retry.SafetyKeyed,
		`false`:                                 retry.SafetyUnknown,
		`null`:                                  retry.SafetyUnknown,
		`{"type":"integer"}`:                    retry.SafetyUnknown,
		`{"maxLength":35}`:                      retry.SafetyUnknown,
		`{"minLength":37}`:                      retry.SafetyUnknown,
		`{"enum":["a","b"]}`:                    retry.SafetyUnknown,
		`{"const":"a"}`:                         retry.SafetyUnknown,
		`{"pattern":"^[0-9]+$"}`:                retry.SafetyUnknown,
		`{"pattern":"` + strings.Repeat("a?", 200_000) + `"}`: retry.SafetyUnknown, // too long to be checked
		`{"pattern":"("}`:                         retry.SafetyUnknown,
		`{"not":{"type":"string"}}`:               retry.SafetyUnknown,
		`{"$ref":"#/properties/idempotency_key"}`: retry.SafetyUnknown,
	} {
		schema := json.RawMessage(`{"properties":{"idempotency_key":` + argument + `},"$defs":{"key":{"type":"string"}}}`)
		assert.Equal(t, want, retry.SafetyOf(&mcp.Tool{InputSchema: schema}), argument[:min(len(argument), 80)])
	}
}

// TestCallTool_ContextCause checks that the error matches the context's cause as well as
// the last failure.
func TestCallTool_ContextCause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("the user left")
		time.AfterFunc(time.Second, func() { cancel(why) })
		s := &script{answers: []any{errRefused.WithRetryAfter(20 * time.Second)}}
		out, d := retry.CallTool(ctx, retry.Policy{}, s, &mcp.CallToolParams{Name: "t"})
		assert.Equal(t, retry.ReasonCanceled, d.Reason)
		assert.Equal(t, time.Second, d.Waited)
		assert.Equal(t, "refused", out.Err.Message)
		require.ErrorIs(t, out.AsError(), context.Canceled)
		require.ErrorIs(t, out.AsError(), why)
	})
}
