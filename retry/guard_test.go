package retry_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

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

// TestGuard_Repeats checks how often a call is sent, and the action and the hint of the first that is not.
func TestGuard_Repeats(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		safety retry.Safety
		sent   int
		action retry.Action
		says   string
	}{
		"read":    {0, 1, retry.ActionFixInput, "Call again with other arguments"},
		"denied":  {0, 2, retry.ActionReauthorize, "A repeat does not grant access."},
		"limit":   {0, 1, retry.ActionEscalate, "Do not retry or split it"},
		"soon":    {0, 1, retry.ActionFixInput, `"details":{"first":"make_plan"}`},
		"bug":     {retry.SafetyReadOnly, 2, retry.ActionPropagate, "Go on without it"}, // otherwise it may have taken effect
		"gone":    {retry.SafetyIdempotent, 9, retry.ActionVerify, "9 times"},
		"lost":    {0, 1, retry.ActionVerify, "check whether it took effect: look it up"},
		"applied": {0, 1, retry.ActionPropagate, "what was done and what was not"},
		"search":  {0, 2, retry.ActionAccept, "Nothing found."}, // the same answer
		"down":    {0, 9, retry.ActionPropagate, "9 times"},
		"ok":      {0, 9, retry.ActionAccept, "done"},
	} {
		s, p := newCounter(), retry.Policy{Guard: new(retry.Guard), Safety: want.safety, MaxAttempts: 1}
		for n := range 9 {
			out, d := retry.CallTool(t.Context(), p, s, tool(name, map[string]any{"path": "sesion.ts"}))
			assert.Equal(t, fmt.Sprint(n >= want.sent), fmt.Sprint(d.Reason == retry.ReasonRepeatedCall && d.Attempt == 0), name)
			if n == want.sent || n == 8 && want.sent == 9 {
				assert.Equal(t, want.action, d.Action, name)
				assert.Contains(t, out.Text(), want.says, name)
			}
		}
		assert.Len(t, s.calls, want.sent, name)
	}
}

// TestGuard_Forgets checks which calls allow a call again. A call with ! is stopped, and one with ? is read-only.
func TestGuard_Forgets(t *testing.T) {
	t.Parallel()
	for _, sequence := range []string{
		"soon soon! ?make_plan soon",          // an answer may meet the precondition
		"search search search! create search", // a write may change what is found
		"read gone read",                      // so may a call with an unknown effect
		"gone read gone! ?find gone gone!",    // only a read-only answer says whether it took effect
		"applied applied! note applied!",      // nothing undoes what took effect
		"?read ?read! ?look_up ?read! write ?read ?read!",
	} {
		p, s := guarded(), newCounter()
		for name := range strings.FieldsSeq(sequence) {
			p.Safety = map[bool]retry.Safety{true: retry.SafetyReadOnly, false: retry.SafetyUnknown}[name[0] == '?']
			_, d := retry.CallTool(t.Context(), p, s, tool(strings.Trim(name, "?!"), order))
			assert.Equal(t, strings.HasSuffix(name, "!"), d.Reason == retry.ReasonRepeatedCall, "%s of %s", name, sequence)
		}
	}
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
