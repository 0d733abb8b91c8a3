//go:build unix

package retry_test

import (
	"context"
	"flag"
	"net"
	"net/http"
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
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/loopback"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// TestClient_CrashUnderCalls checks that a crash of a child process during calls with a key makes none of them fail,
// and leaves no child.
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

// npm is a folder in which the servers of examples/grade/testdata/servers are installed.
var npm = flag.String("npm", "", "test with the server-everything that is installed in this `folder`")

// TestClient_RestartedNode restarts a server on the TypeScript SDK under a client, between calls and during one.
func TestClient_RestartedNode(t *testing.T) {
	t.Parallel()
	if *npm == "" {
		return
	}
	program, err := filepath.Abs(filepath.Join(*npm, "node_modules", ".bin", "mcp-server-everything"))
	require.NoError(t, err)
	for _, reads := range []bool{true, false} {
		address, err := loopback.Unused()
		require.NoError(t, err)
		_, port, err := net.SplitHostPort(address)
		require.NoError(t, err)
		var process *exec.Cmd
		end := func() {
			_ = process.Process.Kill()
			_ = process.Wait()
		}
		start := func() {
			process = exec.Command(program, "streamableHttp")
			process.Env = append(os.Environ(), "PORT="+port)
			assert.NoError(t, process.Start()) //nolint:testifylint // also in another goroutine
			assert.Eventually(t, func() bool {
				conn, err := net.Dial("tcp", address)
				if err == nil {
					_ = conn.Close()
				}
				return err == nil
			}, testutil.Patience, 20*time.Millisecond)
		}
		start()
		restart := func() { end(); start() }
		transport := &mcp.StreamableClientTransport{Endpoint: "http://" + address + "/mcp", HTTPClient: &http.Client{}}
		if reads {
			transport.HTTPClient.Transport = result.RoundTripper(nil)
		}
		// With short pauses, a second restart a moment later is one, and not the same refusal again. The tool says that
		// it is read-only, and is not believed.
		c := &retry.Client{Policy: retry.Policy{BaseDelay: time.Millisecond, ThrottledDelay: time.Millisecond}}
		c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
			return newClient(c.Options(nil)).Connect(ctx, transport, nil)
		}
		echo := func() {
			params := tool("echo", map[string]any{"message": "hello"})
			out, d := c.CallTool(t.Context(), params)
			if d.Action == retry.ActionVerify { // the stream of notifications lost the old server before the call
				out, d = c.CallTool(t.Context(), params)
			}
			assert.Equal(t, retry.ActionAccept, d.Action, out.Text())
		}
		echo()
		restart()
		echo()
		time.Sleep(20 * time.Millisecond) // for 8 ms a refusal of the new session is the same one, not a restart's
		restart()
		require.NoError(t, c.AsSession().Ping(t.Context(), nil))
		time.AfterFunc(time.Second, restart) // the SDK tries to resume the stream of the call
		out, d := c.CallTool(t.Context(), tool("trigger-long-running-operation", map[string]any{"duration": 30, "steps": 30}))
		assert.Equal(t, retry.ActionVerify, d.Action, out.Text())
		echo()
		require.NoError(t, c.Close())
		end()
	}
}
