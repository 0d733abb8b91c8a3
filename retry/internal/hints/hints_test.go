package hints_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/hints"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestIsDefault(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("testdata/failures.jsonl")
	require.NoError(t, err)
	for name := range strings.Lines(strings.TrimPrefix(string(table), "# Failures without an author's hint.\n")) {
		e := new(toolerr.Error)
		require.NoError(t, e.UnmarshalJSON([]byte(name)), name)
		assert.True(t, hints.IsDefault(e), name)
		assert.True(t, hints.IsDefault(e.WithHint(hints.Retried)), name)
		assert.False(t, hints.IsDefault(e.WithHint("Ask Ann.")), name)
		var read toolerr.Error
		require.NoError(t, read.UnmarshalJSON(e.AppendJSON(nil)), name)
		assert.True(t, hints.IsDefault(&read), name)
		keyed := read.WithIdempotencyKey("k2")
		assert.True(t, hints.IsDefault(keyed), name)
		keyed.Effect = toolerr.EffectUnknown
		for _, argument := range []string{"request_id", hint.AnyArgument} {
			assert.True(t, hints.IsDefault(keyed.WithHint(hints.Default(keyed, argument))), name)
		}
	}
	lost := toolerr.Timeout("m").WithRetryable(false).WithEffect(toolerr.EffectUnknown).WithIdempotencyKey("k")
	assert.Equal(t, "request_id", hint.KeyArgument(hints.Default(lost, "request_id")))
	retried := toolerr.RateLimited("m", 0).WithAttempted(toolerr.Attempt{Attempts: 3})
	assert.Contains(t, hints.Default(retried, ""), "Do not repeat it now", "it was retried")
}
