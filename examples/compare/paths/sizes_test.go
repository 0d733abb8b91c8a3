package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSizes compares stripped programs, each with one without the library.
func TestSizes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	size := func(name string) float64 {
		program := filepath.Join(dir, name)
		out, err := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program,
			"./sizes/"+name).CombinedOutput()
		require.NoError(t, err, "%s", out)
		info, err := os.Stat(program)
		require.NoError(t, err)
		return float64(info.Size())
	}
	sdk, middleware, plain, own := size("sdk"), size("middleware"), size("http"), size("toolerr")
	t.Logf("a server: %.2f MB, %.2f with the middleware (%.2f); a program: %.2f MB, %.2f with toolerr (+ %.2f)",
		sdk/1e6, middleware/1e6, middleware/sdk, plain/1e6, own/1e6, (own-plain)/1e6)
	assert.LessOrEqual(t, middleware, 1.2*sdk)
	assert.LessOrEqual(t, own, plain+1e6)
}
