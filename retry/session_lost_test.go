package retry_test

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// losing returns a client whose sessions are lost during the first calls, and a function that
// returns the number of calls.
func losing(losses int, p retry.Policy) (*retry.Client, func() int) {
	calls := 0
	return &retry.Client{Safety: retry.SafetyOf, Policy: p, Connect: func(context.Context) (retry.ClientSession, error) {
		s := &fakeSession{version: "v1", over: make(chan struct{}), list: func(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
			return &mcp.ListToolsResult{Tools: []*mcp.Tool{
				keyedTool("charge"),
				{Name: "write", InputSchema: map[string]any{"type": "object"}},
				{Name: "read", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
				{Name: "set", Annotations: &mcp.ToolAnnotations{IdempotentHint: true}},
			}}, nil
		}}
		s.answer = func(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
			if calls++; calls <= losses {
				return nil, io.EOF
			}
			return result.OK("done"), nil
		}
		return s, nil
	}}, func() int { return calls }
}

// TestClient_ManyLosses checks that a call that is safe to repeat survives as many lost
// sessions as the attempts allow, although each new session answers nothing before it is lost.
func TestClient_ManyLosses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for tool, want := range map[string]string{"charge": "accept succeeded", "set": "accept succeeded", "read": "accept succeeded", "write": "verify may_have_taken_effect"} {
			c, calls := losing(10, retry.Policy{MaxAttempts: 11, MaxWait: time.Hour, Budget: &retry.Budget{Size: -1}})
			_, d := call(t, c, tool)
			assert.Equal(t, want, fmt.Sprint(d.Action, " ", d.Reason), tool)
			assert.Equal(t, d.Attempt, calls(), "%s: every attempt is sent", tool)
			require.NoError(t, c.Close())

			c, _ = losing(10, retry.Policy{MaxAttempts: 10, MaxWait: time.Hour, Budget: &retry.Budget{Size: -1}})
			out, d := call(t, c, tool)
			action := map[bool]retry.Action{true: retry.ActionPropagate, false: retry.ActionVerify}[tool == "read"]
			assert.Equal(t, action, d.Action, tool)
			assert.Equal(t, tool != "read", out.Err.Effect == toolerr.EffectUnknown, tool)
			require.NoError(t, c.Close())
		}
	})
}

// TestClient_LossAndBudget checks that only the first repeat after a loss is free.
func TestClient_LossAndBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for losses, want := range map[int]retry.Action{1: retry.ActionAccept, 2: retry.ActionVerify} {
			c, calls := losing(losses, retry.Policy{Budget: &retry.Budget{Size: 1}}) // no retry
			_, d := call(t, c, "charge")
			assert.Equal(t, want, d.Action, losses)
			assert.Equal(t, 2, calls(), losses)
			require.NoError(t, c.Close())
		}
	})
}

// TestCallTool_CanceledDuringWait checks that a call that is cancelled during a wait is decided
// as one that was cancelled before it.
func TestCallTool_CanceledDuringWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, effect := range []toolerr.Effect{toolerr.EffectNone, "", toolerr.EffectUnknown, toolerr.EffectApplied} {
			for _, safety := range []retry.Safety{retry.SafetyUnknown, retry.SafetyReadOnly, retry.SafetyIdempotent, retry.SafetyKeyed} {
				for _, end := range []error{context.Canceled, context.DeadlineExceeded} {
					e := toolerr.Transient("m").WithEffect(effect).WithRetryAfter(10 * time.Second)
					e.Retryable = true
					decided := func(after time.Duration) string {
						ctx, cancel := context.WithCancelCause(t.Context())
						if errors.Is(end, context.DeadlineExceeded) {
							ctx = endsWith{ctx}
						}
						s := fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) {
							if after == 0 {
								cancel(nil)
							} else {
								time.AfterFunc(after, func() { cancel(nil) })
							}
							return result.Failure(e), nil
						})
						out, d := retry.CallTool(ctx, retry.Policy{Safety: safety}, s, tool("t"))
						return fmt.Sprint(d.Action, d.Reason, d.Delay, out.Err.Effect, out.Err.Hint)
					}
					assert.Equal(t, decided(0), decided(time.Second), "%q, %v, %v", effect, safety, end)
				}
			}
		}
	})
}

// endsWith is a context that ends as if by its deadline.
type endsWith struct{ context.Context }

func (c endsWith) Err() error {
	if c.Context.Err() != nil {
		return context.DeadlineExceeded
	}
	return nil
}
