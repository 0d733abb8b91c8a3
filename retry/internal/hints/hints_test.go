package hints_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/retry/internal/hints"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestIsDefault(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]*toolerr.Error{
		"transient":          toolerr.Transient("m"),
		"ambiguous":          toolerr.Validation("m").WithCode(toolerr.CodeAmbiguous),
		"of an argument":     toolerr.Validation("m").WithCode(toolerr.CodeInvalidArgument).WithField("f"),
		"with one option":    {Category: "validation", Code: "ambiguous", Options: []any{1}},
		"permission":         toolerr.Permission("m"),
		"with a result":      toolerr.Transient("m").WithPartial(&toolerr.Partial{Processed: 1, Results: []byte("7")}),
		"throttled":          toolerr.RateLimited("m", 1),
		"not repeatable":     toolerr.Transient("m").WithCode(toolerr.CodeTimeout).WithRetryable(false),
		"unknown effect":     toolerr.Transient("m").WithEffect(toolerr.EffectUnknown),
		"keyed":              toolerr.Transient("m").WithEffect(toolerr.EffectUnknown).WithIdempotencyKey("k"),
		"attempted":          toolerr.Transient("m").WithAttempted(toolerr.Attempt{Attempts: 3}),
		"applied":            toolerr.Business("m").WithEffect(toolerr.EffectApplied),
		"partial":            toolerr.Transient("m").WithPartial(&toolerr.Partial{Processed: 1}),
		"partial, to go on":  toolerr.Transient("m").WithPartial(&toolerr.Partial{ContinueFrom: 16}),
		"odd":                {Category: "odd", Code: "odd"},
		"nothing but a zero": {},
	} {
		assert.True(t, hints.IsDefault(e), name)
		assert.True(t, hints.IsDefault(e.WithHint(hints.Retried)), name)
		assert.False(t, hints.IsDefault(e.WithHint("Ask Ann.")), name)
		var read toolerr.Error
		require.NoError(t, read.UnmarshalJSON(e.AppendJSON(nil)), name)
		assert.True(t, hints.IsDefault(&read), name)
		assert.True(t, hints.IsDefault(read.WithIdempotencyKey("k2")), name)
	}
}
