package effect_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/effect"
)

// TestResolve enumerates all facts, and compares the decision with its definition.
func TestResolve(t *testing.T) {
	t.Parallel()
	both := []bool{false, true}
	tools := []*effect.Tool{nil, {}, {ReadOnly: true}, {Idempotent: true}, {ReadOnly: true, Idempotent: true}}
	for _, category := range []string{"", "transient", "validation", "business", "permission", "quantum"} {
		for _, stated := range []string{"", effect.None, effect.Applied, effect.Unknown, "undone"} {
			for _, temporary := range both {
				for _, processed := range []int{-1, 0, 2} { // -1 is no partial result
					for _, attempted := range both {
						for _, tool := range tools {
							f := effect.Facts{
								Category: category, Effect: stated, Temporary: temporary,
								Partial: processed >= 0, Processed: processed > 0, Attempted: attempted,
							}
							got, retryable := effect.Resolve(f, tool)
							check(t, f, tool, got, retryable)
						}
					}
				}
			}
		}
	}
}

func check(t *testing.T, f effect.Facts, tool *effect.Tool, got string, retryable bool) {
	t.Helper()
	safe := tool != nil && (tool.ReadOnly || tool.Idempotent)
	if retryable {
		assert.True(t, f.Temporary && !f.Partial && !f.Attempted, "%+v %+v", f, tool)
		assert.True(t, safe || got == effect.None || tool == nil && got == "", "%+v %+v", f, tool)
	} else if f.Temporary && !f.Partial && !f.Attempted {
		assert.True(t, !safe && got != effect.None, "%+v %+v", f, tool)
	}
	switch {
	case tool != nil && tool.ReadOnly:
		assert.Equal(t, effect.None, got, "%+v", f)
	case f.Processed:
		assert.Equal(t, effect.Applied, got, "%+v", f)
	case got != f.Effect:
		assert.Equal(t, effect.Unknown, got, "%+v", f)
		assert.True(t, f.Effect == "" && tool != nil && !safe && !f.Partial && (f.Category == "transient" || f.Category == "quantum" || f.Category == "" && f.Temporary), "%+v %+v", f, tool)
	}
}

func TestWorst(t *testing.T) {
	t.Parallel()
	order := []string{effect.None, "", effect.Unknown, effect.Applied}
	for i, a := range order {
		for j, b := range order {
			assert.Equal(t, order[max(i, j)], effect.Worst(a, b))
		}
	}
	assert.Equal(t, effect.None, effect.Worst[string]())
	assert.Equal(t, "undone", effect.Worst("", "undone", effect.None))
}
