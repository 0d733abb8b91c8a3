//go:build unix

package retry_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// TestClient_CrashUnderCalls checks that a crash of a child process during calls with a key makes none of them fail, and
// leaves no child.
func TestClient_CrashUnderCalls(t *testing.T) {
	t.Parallel()
	for _, calls := range []int{20, 200} {
		file, children := filepath.Join(t.TempDir(), "answer"), make(chan int, 10) // their processes
		c := &retry.Client{Safety: retry.SafetyOf, Policy: retry.Policy{BaseDelay: 50 * time.Millisecond}}
		c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
			command := exec.CommandContext(ctx, os.Args[0]) //nolint:gosec // the test itself
			command.Env = append(os.Environ(), beServer+"="+file)
			transport := &mcp.CommandTransport{Command: command, TerminateDuration: time.Second / 2}
			session, err := newClient(c.Options(nil)).Connect(ctx, transport, nil)
			if err != nil {
				return nil, err
			}
			children <- command.Process.Pid
			return session, nil
		}
		var callers sync.WaitGroup
		var succeeded atomic.Int64
		for i := range calls {
			callers.Go(func() {
				_, d := c.CallTool(t.Context(), tool("charge", map[string]any{"order": i}))
				if d.Action == retry.ActionAccept {
					succeeded.Add(1)
					assert.Equal(t, 2, d.Attempt)
				}
			})
		}
		require.Eventually(t, func() bool { // all are running
			running, _ := os.ReadFile(file + ".calls")
			return len(running) == calls
		}, testutil.Patience, 5*time.Millisecond)
		require.NoError(t, syscall.Kill(<-children, syscall.SIGKILL))
		require.NoError(t, os.WriteFile(file, nil, 0o600)) // so that the next child answers
		callers.Wait()
		assert.GreaterOrEqual(t, succeeded.Load(), int64(calls*95/100), "of %d", calls)
		second := <-children
		assert.Empty(t, children, "more children")
		require.NoError(t, c.Close())
		assert.ErrorIs(t, syscall.Kill(second, 0), syscall.ESRCH, "a child is left")
	}
}
