//go:build unix

package retry_test

import (
	"flag"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/loopback"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

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
		// With short pauses, a second restart a moment later is one, and not the same refusal again.
		c := gatewayClient("http://"+address, "/mcp", "", reads)
		c.Policy = retry.Policy{BaseDelay: time.Millisecond, ThrottledDelay: time.Millisecond}
		c.Safety = nil // the tool says that it is read-only, and is not believed
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
