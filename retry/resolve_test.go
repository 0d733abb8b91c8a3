package retry_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestCallTool_HandedUp checks that a final failure does not suggest the repeat that was
// made, and that its effect is none only if that of every attempt is.
func TestCallTool_HandedUp(t *testing.T) {
	t.Parallel()
	retryable := toolerr.Transient("busy").WithCode(toolerr.CodeUnavailable)
	for name, test := range map[string]struct {
		answers []any
		safety  retry.Safety
		action  retry.Action
		effect  toolerr.Effect
		hint    string
	}{
		"one attempt":             {[]any{errRefused.WithRetryAfter(time.Hour)}, 0, retry.ActionPropagate, toolerr.EffectNone, "Do not repeat it now; tell the user that the service is unavailable."},
		"three attempts":          {[]any{errRefused}, 0, retry.ActionPropagate, toolerr.EffectNone, "This was retried already"},
		"its author's hint":       {[]any{errRefused.WithHint("Ask Ann.")}, 0, retry.ActionPropagate, toolerr.EffectNone, "Ask Ann."},
		"retryable":               {[]any{retryable}, 0, retry.ActionPropagate, "", "This was retried already"},
		"retryable, then refused": {[]any{retryable, errRefused}, 0, retry.ActionPropagate, "", "This was retried already"},
		"retryable, read-only":    {[]any{retryable, errRefused}, retry.SafetyReadOnly, retry.ActionPropagate, toolerr.EffectNone, "This was retried already"},
		"lost":                    {[]any{errLost}, 0, retry.ActionVerify, toolerr.EffectUnknown, "The call may have taken effect. Check whether it did"},
		"lost, with a key":        {[]any{errLost}, retry.SafetyKeyed, retry.ActionVerify, toolerr.EffectUnknown, "The call may have taken effect. Repeat it only with idempotencyKey"},
		"lost, then refused":      {[]any{errLost, errRefused}, retry.SafetyIdempotent, retry.ActionVerify, toolerr.EffectUnknown, "An earlier attempt may have taken effect."},
		"lost, then not stated":   {[]any{errLost, retryable.WithRetryable(false)}, retry.SafetyIdempotent, retry.ActionVerify, toolerr.EffectUnknown, "An earlier attempt may have taken effect."},
		"lost, then denied":       {[]any{errLost, toolerr.Permission("m")}, retry.SafetyKeyed, retry.ActionVerify, toolerr.EffectUnknown, "An earlier attempt may have taken effect."},
		"lost, then applied":      {[]any{errLost, toolerr.Business("m").WithEffect(toolerr.EffectApplied)}, retry.SafetyKeyed, retry.ActionEscalate, toolerr.EffectApplied, "The call has taken effect"},
		"not stated, no retry":    {[]any{retryable.WithRetryable(false)}, 0, retry.ActionVerify, "", "Do not repeat it now"},
		"nothing done, no retry":  {[]any{errRefused.WithRetryable(false)}, 0, retry.ActionPropagate, toolerr.EffectNone, "Do not repeat it now"},
	} {
		s := &script{answers: test.answers}
		p := retry.Policy{Safety: test.safety, BaseDelay: -1}
		out, d := retry.CallTool(t.Context(), p, s, tool("t"))
		assert.Equal(t, test.action, d.Action, name)
		require.NotEmpty(t, out.Err.Attempted, name)
		assert.False(t, out.Err.Retryable, name)
		assert.Equal(t, test.effect, out.Err.Effect, name)
		text := out.Text()
		assert.Contains(t, text, `"isRetryable":false`, name)
		assert.Contains(t, text, test.hint, name)
		assert.NotContains(t, text, "retry the same call", name)
		assert.NotContains(t, text, "retryAfterMs", name)

		// A coordinator that calls the subagent does not repeat the call either.
		outer := &script{answers: []any{out.Err}}
		_, d = retry.CallTool(t.Context(), p, outer, tool("subagent"))
		assert.Len(t, outer.calls, 1, name)
		assert.NotEqual(t, retry.ActionRetry, d.Action, name)
		if test.action == retry.ActionVerify && test.effect != toolerr.EffectApplied {
			assert.Equal(t, retry.ActionVerify, d.Action, name)
		}

		_, err := retry.Do(t.Context(), p, func(context.Context) (int, error) {
			e, _ := test.answers[0].(*toolerr.Error)
			return 0, e
		})
		e := toolerr.From(err)
		assert.False(t, e.Retryable, name)
		assert.False(t, toolerr.IsRetryable(err), name)
	}
}

// TestCallTool_NotStated checks that a server's failure without an effect ends in verify,
// and that the model does not read that nothing was done.
func TestCallTool_NotStated(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"a bug": toolerr.Internal(nil).WithEffect(""), "a failure": toolerr.Transient("m").WithRetryable(false), "no category": &toolerr.Error{Message: "m"},
	} {
		for _, ours := range []bool{true, false} {
			l := newLedger(ours, always(err))
			out, d := retry.CallTool(t.Context(), retry.Policy{}, testutil.Connect(t, l.server, nil), tool("refund", order))
			assert.Equal(t, retry.ActionVerify, d.Action, "%s, with middleware %v", name, ours)
			assert.NotEqual(t, toolerr.EffectNone, out.Err.Effect)
			assert.Equal(t, result.KindFailure, out.Kind)
			assert.Equal(t, 1, l.books())
		}
	}
}
