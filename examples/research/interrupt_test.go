//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// TestRun_NoOrphans ends only the coordinator, while its subagents are at work.
func TestRun_NoOrphans(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		signal os.Signal
		status int
		says   string
	}{
		"interrupted": {os.Interrupt, 1, "research: interrupted before the report was written\n"},
		"killed":      {os.Kill, -1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, err := os.Executable()
			require.NoError(t, err)
			command := exec.CommandContext(t.Context(), path, "-attempts", "3", "-log", "-")
			var stdout bytes.Buffer
			command.Stdout = &stdout
			stderr, err := command.StderrPipe()
			require.NoError(t, err)
			require.NoError(t, command.Start())
			t.Cleanup(func() { _ = command.Process.Kill() })

			var pids []int
			said := ""
			for lines := bufio.NewScanner(stderr); lines.Scan(); {
				var serving struct {
					Pid int `json:"pid"`
				}
				if json.Unmarshal(lines.Bytes(), &serving) != nil {
					said += lines.Text() + "\n"
				}
				if serving.Pid == 0 {
					continue
				}
				if pids = append(pids, serving.Pid); len(pids) == len(agents) {
					require.NoError(t, command.Process.Signal(test.signal))
				}
			}
			require.Error(t, command.Wait())
			assert.Equal(t, test.status, command.ProcessState.ExitCode())
			assert.Equal(t, test.says, said)
			assert.Empty(t, stdout.String())
			for _, pid := range pids {
				assert.Eventually(t, func() bool { return gone(pid) }, testutil.Patience, 5*time.Millisecond, "subagent %d", pid)
			}
		})
	}
}

// gone reports whether a process has ended, even if its parent has not reaped it yet.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, _ := strings.Cut(string(status), ") ")
	return err != nil || strings.HasPrefix(after, "Z")
}
