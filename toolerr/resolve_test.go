package toolerr_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestResolve(t *testing.T) {
	t.Parallel()
	unknown, readOnly, idempotent := toolerr.ToolHints{}, toolerr.ToolHints{ReadOnly: true}, toolerr.ToolHints{Idempotent: true}
	busy := toolerr.Transient("Busy.")
	part := busy.WithPartial(&toolerr.Partial{Processed: 1})
	for name, test := range map[string]struct {
		e         *toolerr.Error
		tool      toolerr.ToolHints
		effect    toolerr.Effect
		retryable bool
	}{
		"unknown tool":           {busy, unknown, toolerr.EffectUnknown, false},
		"read-only":              {busy, readOnly, toolerr.EffectNone, true},
		"idempotent":             {busy, idempotent, "", true},
		"stated":                 {busy.WithEffect(toolerr.EffectNone), unknown, toolerr.EffectNone, true},
		"applied":                {busy.WithEffect(toolerr.EffectApplied), unknown, toolerr.EffectApplied, false},
		"a refusal":              {toolerr.Business("No."), unknown, toolerr.EffectNone, false},
		"a refusal, not stated":  {toolerr.Business("No.").WithEffect(""), unknown, "", false},
		"not retryable stays so": {busy.WithRetryable(false), readOnly, toolerr.EffectNone, false},
		"not classified":         {&toolerr.Error{Message: "m"}, unknown, "", false},
		"partial":                {part, unknown, toolerr.EffectApplied, false},
		"partial, effect none":   {part.WithEffect(toolerr.EffectNone), unknown, toolerr.EffectApplied, false},
		"partial, read-only":     {part, readOnly, toolerr.EffectNone, false},
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
		"stated before the flag":           busy.WithEffect(toolerr.EffectApplied).WithRetryable(true),
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
		"deeper":          busy.WithCause(errors.Join(errors.New("a"), busy.WithCause(busy.WithAttempted(toolerr.Attempt{})))),
		"partial":         part,
	} {
		assert.False(t, e.Retryable || toolerr.IsRetryable(fmt.Errorf("b: %w", e)), name)
		assert.False(t, e.Resolve(readOnly).Retryable, name)
	}
	assert.Nil(t, (*toolerr.Error)(nil).Resolve(readOnly))
}

func TestLogValueWithout(t *testing.T) {
	t.Parallel()
	arguments := json.RawMessage(`{"customer":"CUS-10001","card":4111111111111111,"days":7}`)
	e := toolerr.Validation("There is no customer CUS-10001.").WithField("customer").WithIdempotencyKey("key-1234").
		WithCause(errors.New(`select 4111111111111111 of "CUS-10001" (7, key-1234)`))
	text := fmt.Sprint(e.LogValueWithout(arguments))
	assert.NotContains(t, text, "CUS-10001")
	assert.NotContains(t, text, "4111")
	assert.NotContains(t, text, "key-1234")
	assert.Contains(t, text, `cause=select [argument] of "[argument]" (7, [argument])`)
	assert.Contains(t, text, "field=customer")
	assert.Contains(t, fmt.Sprint(e.LogValueWithout(nil)), "CUS-10001")
	assert.Contains(t, fmt.Sprint(e.LogValueWithout(json.RawMessage(`{`))), "CUS-10001")
	assert.Equal(t, "<nil>", (*toolerr.Error)(nil).LogValueWithout(arguments).String())
}

// A server without package result resolves the effect and the flag itself.
func ExampleError_Resolve() {
	failed := toolerr.Transient("The gateway did not answer.")
	fmt.Println(failed.Resolve(toolerr.ToolHints{}).Retryable, failed.Resolve(toolerr.ToolHints{ReadOnly: true}).Retryable)
	// Output: false true
}

func ExampleError_LogValueWithout() {
	e := toolerr.Validation("There is no customer CUS-10001.")
	fmt.Println(e.LogValueWithout([]byte(`{"customer":"CUS-10001"}`)))
	// Output: [category=validation retryable=false message=There is no customer [argument]. effect=none]
}
