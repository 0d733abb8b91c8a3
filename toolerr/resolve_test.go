package toolerr_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestResolve checks what Resolve reads of an error. Package effect has the table of its decisions.
func TestResolve(t *testing.T) {
	t.Parallel()
	unknown, readOnly, idempotent := toolerr.ToolAnnotations{}, toolerr.ToolAnnotations{ReadOnly: true},
		toolerr.ToolAnnotations{Idempotent: true}
	busy := toolerr.Transient("Busy.")
	part := busy.WithPartial(&toolerr.Partial{Processed: 1})
	for name, test := range map[string]struct {
		e         *toolerr.Error
		tool      toolerr.ToolAnnotations
		effect    toolerr.Effect
		retryable bool
	}{
		"unknown tool":   {busy, unknown, toolerr.EffectUnknown, false},
		"read-only":      {busy, readOnly, toolerr.EffectNone, true},
		"idempotent":     {busy, idempotent, "", true},
		"not classified": {&toolerr.Error{Message: "m"}, unknown, "", false},
		"partial":        {part, unknown, toolerr.EffectApplied, false},
		"nothing processed": {
			toolerr.Unavailable("m", 0).WithPartial(&toolerr.Partial{Total: 5, ContinueFrom: 1}), unknown,
			toolerr.EffectNone, true,
		},
	} {
		got := test.e.Resolve(test.tool)
		assert.Equal(t, test.effect, got.Effect, name)
		assert.Equal(t, test.retryable, got.Retryable, name)
	}
	assert.Equal(t, toolerr.Effect(""), busy.Effect, "the original")
	timeout := toolerr.From(context.DeadlineExceeded)
	for name, e := range map[string]*toolerr.Error{
		"a timeout":                        timeout,
		"stated after the flag":            busy.WithRetryable(true).WithEffect(toolerr.EffectUnknown),
		"stated before the flag":           busy.WithEffect(toolerr.EffectUnknown).WithRetryable(true),
		"wrapped":                          toolerr.From(toolerr.Wrap(context.DeadlineExceeded, "m")),
		"joined with one that is not safe": toolerr.From(errors.Join(busy, context.DeadlineExceeded)),
		"with a message":                   timeout.WithMessage("m"),
	} {
		assert.False(t, e.Retryable, name)
		assert.False(t, e.Resolve(unknown).Retryable, name)
		assert.True(t, e.Resolve(idempotent).Retryable, "%s: the cause is temporary", name)
		assert.True(t, e.Resolve(unknown).Resolve(readOnly).Retryable, "%s: resolved twice", name)
		assert.False(t, e.WithRetryable(false).Resolve(readOnly).Retryable, "%s: its author's word", name)
		assert.True(t, e.WithEffect(toolerr.EffectNone).Retryable, "%s: nothing was done", name)
	}
	for name, e := range map[string]*toolerr.Error{
		"retried":         busy.WithAttempted(toolerr.Attempt{Attempts: 3}),
		"a cause retried": busy.WithCause(fmt.Errorf("a: %w", busy.WithAttempted(toolerr.Attempt{Attempts: 3}))),
		"deeper": busy.WithCause(errors.Join(errors.New("a"),
			busy.WithCause(busy.WithAttempted(toolerr.Attempt{})))),
		"partial": part,
	} {
		assert.False(t, e.Retryable || toolerr.IsRetryable(fmt.Errorf("b: %w", e)), name)
		assert.False(t, e.Resolve(readOnly).Retryable, name)
	}
	assert.Nil(t, (*toolerr.Error)(nil).Resolve(readOnly))
	retried := part.Resolve(readOnly).WithAttempted(toolerr.Attempt{Attempts: 3})
	assert.Equal(t, toolerr.EffectNone, retried.Effect, "the tool has determined it")
	near := toolerr.NotFound("file", "s", "sx")
	assert.NotEqual(t, near.Hint, near.WithEffect(toolerr.EffectUnknown).Hint, "to call again may do work twice")
}

// TestWithCause_Retried checks that a failure around one that was retried already has the worse
// effect of both, and that the cause decides nothing else.
func TestWithCause_Retried(t *testing.T) {
	t.Parallel()
	lost := toolerr.Transient("m").WithEffect(toolerr.EffectUnknown)
	for name, test := range map[string]struct {
		outer, inner *toolerr.Error
		want         toolerr.Effect
	}{
		"not stated, nothing done": {toolerr.Transient("x"), toolerr.RateLimited("m", 0), toolerr.EffectNone},
		"not stated, lost":         {toolerr.Transient("x"), lost, toolerr.EffectUnknown},
		"refused, lost":            {toolerr.RateLimited("x", 0), lost, toolerr.EffectUnknown},
		"applied, nothing done": {
			lost.WithEffect(toolerr.EffectApplied), toolerr.RateLimited("m", 0),
			toolerr.EffectApplied,
		},
	} {
		e := test.outer.WithCause(fmt.Errorf("a: %w", test.inner.WithAttempted(toolerr.Attempt{Attempts: 3})))
		assert.Equal(t, test.want, e.Effect, name)
		assert.False(t, e.Retryable, name)
		assert.Equal(t, test.outer.Effect, test.outer.WithCause(errors.Join(test.inner)).Effect, "%s: not retried", name)
	}
	none := toolerr.RateLimited("m", 0).WithAttempted(toolerr.Attempt{Attempts: 2})
	assert.Equal(t, toolerr.EffectApplied, none.WithCause(none).WithCause(none.WithEffect(toolerr.EffectApplied)).Effect)
}

// A server without package result resolves the effect and the flag itself.
func ExampleError_Resolve() {
	failed := toolerr.Transient("The gateway did not answer.")
	fmt.Println(failed.Resolve(toolerr.ToolAnnotations{}).Retryable,
		failed.Resolve(toolerr.ToolAnnotations{ReadOnly: true}).Retryable)
	// Output: false true
}

// The words give category, code, delay and flag. They give neither an effect nor a hint. Package texts has more of
// them.
func TestFromText(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/texts.txt", func(sample string) string {
		text, err := strconv.Unquote(`"` + testutil.Repeat(sample) + `"`)
		require.NoError(t, err, sample)
		e := toolerr.FromText(text)
		assert.Equal(t, text, e.Message)
		assert.NotContains(t, string(e.AppendJSON(nil)), `"hint"`, sample)
		e.Message = ""
		return testutil.Fields(e)
	})
}
