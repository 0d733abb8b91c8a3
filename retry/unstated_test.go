package retry_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestCallTool_UnstatedBefore checks that if an attempt did not state its effect, the
// effect none of a later attempt does not hold for both.
func TestCallTool_UnstatedBefore(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		last   *toolerr.Error
		safety retry.Safety
		want   retry.Action
	}{
		"not sent":            {toolerr.Transient("No connection.").WithRetryable(false).WithEffect(toolerr.EffectNone), retry.SafetyUnknown, retry.ActionVerify},
		"not sent, read-only": {toolerr.Transient("No connection.").WithRetryable(false).WithEffect(toolerr.EffectNone), retry.SafetyReadOnly, retry.ActionPropagate},
		"refused":             {toolerr.Validation("No such order."), retry.SafetyUnknown, retry.ActionFixInput},
	} {
		calls := 0
		s := fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) {
			if calls++; calls == 1 {
				return sent(toolerr.Transient("The gateway is slow.")), nil // retryable, with no effect stated
			}
			return nil, test.last
		})
		out, d := retry.CallTool(t.Context(), retry.Policy{BaseDelay: time.Nanosecond, Safety: test.safety}, s, &mcp.CallToolParams{Name: "pay"})
		require.Equal(t, 2, calls, name)
		assert.Equal(t, test.want, d.Action, name)
		if test.safety == retry.SafetyUnknown {
			assert.Empty(t, out.Err.Effect, name)
		}
	}
}

// TestError_LogsCause checks that the record of a retried error has the cause of the last one.
func TestError_LogsCause(t *testing.T) {
	t.Parallel()
	_, err := retry.Do(t.Context(), retry.Policy{MaxAttempts: 1, Logger: slog.New(slog.DiscardHandler)}, func(context.Context) (int, error) {
		return 0, toolerr.Transient("The gateway is slow.").WithCause(errors.New("read 10.0.0.7: reset"))
	})
	logged := slog.AnyValue(err).Resolve().String()
	assert.Contains(t, logged, "The gateway is slow.")
	assert.Contains(t, logged, "read 10.0.0.7: reset")
}

// TestCallTool_KeyOfPart checks that a partial result which can be continued offers no key,
// because the call that continues it needs another.
func TestCallTool_KeyOfPart(t *testing.T) {
	t.Parallel()
	part := toolerr.Transient("m").WithPartial(&toolerr.Partial{Processed: 1, Total: 3})
	for _, continueFrom := range []any{nil, 2} {
		p := *part.Partial
		p.ContinueFrom = continueFrom
		s := &script{answers: []any{part.WithPartial(&p)}}
		out, _ := retry.CallTool(t.Context(), retry.Policy{Safety: retry.SafetyKeyed}, s, tool("pay"))
		assert.Equal(t, continueFrom == nil, out.Err.IdempotencyKey != "", out.Text())
	}
}
