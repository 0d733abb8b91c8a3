package retry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestError_LastError checks that the text and the log value hold the last error's text, and
// that credentials are masked in the log value.
func TestError_LastError(t *testing.T) {
	t.Parallel()
	errGate := errors.New("gate 7 is shut")
	for name, last := range map[string]error{
		"plain":      fmt.Errorf("charge ORD-7, password=hunter2: %w", errGate),
		"a wrapper":  fmt.Errorf("charge ORD-7, password=hunter2: %w: %w", errGate, toolerr.NotFound("order", "ORD-7")),
		"tool error": toolerr.Transient("charge ORD-7: gate 7 is shut, password=hunter2").WithCause(errGate).WithRetryable(false),
	} {
		_, err := retry.Do(t.Context(), retry.Policy{Logger: slog.New(slog.DiscardHandler)}, func(context.Context) (int, error) { return 0, last })
		require.ErrorIs(t, err, errGate, name)
		assert.Contains(t, err.Error(), last.Error(), name)
		assert.Contains(t, err.Error(), "gave up after attempt 1 because ", name)
		var log bytes.Buffer
		slog.New(slog.NewJSONHandler(&log, nil)).Warn("failed", "err", err)
		assert.Contains(t, log.String(), "charge ORD-7", name)
		assert.Contains(t, log.String(), "gate 7 is shut", name)
		assert.Contains(t, log.String(), `"attempt":1`, name)
		assert.NotContains(t, log.String(), "hunter2", name)
	}
	var none *retry.Error
	assert.Equal(t, "gave up gave up", none.Error()+" "+none.LogValue().String())
}
