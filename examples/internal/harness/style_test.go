package harness_test

import (
	"bytes"
	"os"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The null device stands for a terminal: it is a character device too.
func TestNewPen(t *testing.T) {
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer func() { _ = device.Close() }()
	file, err := os.Create(t.TempDir() + "/file")
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	for name, test := range map[string]struct {
		w             *os.File
		term, noColor string
		want          string
	}{
		"terminal":      {device, "xterm", "", "\x1b[31mx\x1b[0m"},
		"NO_COLOR":      {device, "xterm", "1", "x"},
		"dumb":          {device, "dumb", "", "x"},
		"no TERM":       {device, "", "", "x"},
		"file":          {file, "xterm", "", "x"},
		"closed stdout": {nil, "xterm", "", "x"},
	} {
		t.Setenv("TERM", test.term)
		t.Setenv("NO_COLOR", test.noColor)
		assert.Equal(t, test.want, harness.NewPen(test.w).In(harness.Red, "x"), name)
	}

	t.Setenv("TERM", "dumb")
	var b bytes.Buffer
	new(harness.Output).Transcript(&b, harness.NewPen(device)).Decided(result.Parse(result.Failure(
		toolerr.Transient("Busy.").WithHint("Wait for retryAfterMs, or some seconds if it is absent, then retry the same call.")), nil), retry.Decision{})
	assert.Contains(t, b.String(), "hint: Wait for retryAfterMs, or some seconds if it is absent, then\n            retry")
	for line := range bytes.Lines(b.Bytes()) {
		assert.LessOrEqual(t, utf8.RuneCount(line), 81, "%s", line)
	}
}
