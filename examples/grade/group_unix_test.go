//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// TestStop_Grandchildren covers what a server has started itself, as npx does.
func TestStop_Grandchildren(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	status, _, stderr := check(t, "--", os.Args[0], "-serve", "family", file)
	require.Equal(t, statusGood, status, "%s", stderr)
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	pid, err := strconv.Atoi(string(raw))
	require.NoError(t, err)
	assert.Eventually(t, func() bool { return !runs(pid) }, testutil.Patience, 10*time.Millisecond)
}

// runs reports whether a process runs; one that only waits to be collected does not.
func runs(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return syscall.Kill(pid, 0) == nil
	}
	return !strings.Contains(string(stat), ") Z ")
}
