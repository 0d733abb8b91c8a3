package toolerr_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The words give category, code, delay and flag. They give neither an effect nor a hint.
func TestFromText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                      "  false 0s",
		"\x00\xff":              "  false 0s",
		"the lift is green":     "  false 0s",
		"connection refused":    "transient unavailable true 0s",
		"429: retry after 2 s":  "transient rate_limited true 2s",
		"user 7 does not exist": "validation not_found false 0s",
		"permission denied":     "permission permission_denied false 0s",
		"The invoice is paid":   "  false 0s",
		"is already paid":       "business failed_precondition false 0s",
		"exceeds the limit":     "business limit_exceeded false 0s",
		"branch is protected":   "business failed_precondition false 0s",
		"cannot be cancelled":   "business failed_precondition false 0s",
		"请求过于频繁，请 30 秒后重试":                                     "transient rate_limited true 30s",
		"sent, but it timed out":                               "transient timeout false 0s",
		"invalid character '<' looking for beginning of value": "transient internal false 0s",
		strings.Repeat("x ", 1<<20) + "order not found":        "validation not_found false 0s",
	} {
		e := toolerr.FromText(text)
		got := strings.Join([]string{string(e.Category), string(e.Code), map[bool]string{true: "true", false: "false"}[e.Retryable], e.RetryAfter.String()}, " ")
		assert.Equal(t, want, got, "%.60q", text)
		assert.Equal(t, text, e.Message)
		assert.Empty(t, e.Effect, "%.60q", text)
		assert.NotContains(t, string(e.AppendJSON(nil)), `"hint"`, "%.60q", text)
	}
}

// The flag that an unannotated tool sends is false, because words prove no effect.
func TestFromText_Resolve(t *testing.T) {
	t.Parallel()
	e := toolerr.FromText("Too many requests, try again in 30 seconds.")
	require.Equal(t, 30*time.Second, e.RetryAfter)
	sent := e.Resolve(toolerr.ToolHints{})
	assert.Equal(t, toolerr.EffectUnknown, sent.Effect)
	assert.False(t, sent.Retryable)
	assert.True(t, e.Resolve(toolerr.ToolHints{Idempotent: true}).Retryable)
}
